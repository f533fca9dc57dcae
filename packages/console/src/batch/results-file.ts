import type { BatchRow } from "./batch-row.ts";

const COLUMNS = ["name", "bytes", "state", "reason", "imageHash", "registrationId", "originals"] as const;

/** The results of a batch as CSV (RFC 4180), one line a file under a line of names. */
export function resultsCsv(rows: readonly BatchRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => field(row[column])).join(","));
  return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

/** The results of a batch as JSON. */
export function resultsJson(rows: readonly BatchRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}

function field(value: BatchRow[(typeof COLUMNS)[number]]): string {
  if (value === null) return "";
  const text = typeof value === "object" ? value.join(" ") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
