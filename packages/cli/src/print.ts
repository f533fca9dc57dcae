import type { BatchItem } from "@colophon/client";
import stringWidth from "string-width";
import { adviceOn } from "./advice.ts";
import { printable } from "./shown.ts";

/** Writes one line to standard output. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a value as indented JSON. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, undefined, 2));
}

/** Writes rows as aligned columns; the first row holds the titles. No cell steers the terminal: names are free text. */
export function printTable(rows: readonly (readonly string[])[]): void {
  for (const line of aligned(rows.map((row) => row.map(printable)))) printLine(line);
}

/** Writes on standard error what to do about what the service said of the files of a batch. */
export function printAdvice(items: readonly BatchItem<{ readonly failureReason: string | null }>[]): void {
  const reasons = items.map(({ answer, rejectionReason }) => answer?.failureReason ?? rejectionReason);
  for (const advice of adviceOn(reasons)) process.stderr.write(`${advice}\n`);
}

/**
 * Writes a list under its titles; of one without rows it says so on standard error, where no script takes it for a row.
 */
export function printList(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
): void {
  if (rows.length === 0) process.stderr.write(`${whenEmpty}\n`);
  else printTable([titles, ...rows]);
}

/** Pads every column to its widest cell, two spaces apart. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, stringWidth(cell))));
  }
  return rows.map((row) =>
    row
      .map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - stringWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
}

/** A number and what it counts, for example `1 file`, `3 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
