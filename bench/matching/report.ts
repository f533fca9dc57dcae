/**
 * Prints the table of results from what `evaluate.ts --findings` wrote.
 *
 *     node bench/matching/report.ts FILE... [--attacks] [--missed] [--rules]
 */
import { readFileSync } from "node:fs";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import type { Finding } from "@colophon/engine/lab";
import { GROUPS, HARD_LIMITS } from "./compared/groups.ts";
import { type Verdict, isFound, isPhotograph, quantile, recall } from "./compared/recall.ts";

/** One look-up of the evaluation. */
export interface QueryRecord extends Verdict {
  readonly file: string;
  readonly points: number;
  readonly findings: readonly (Omit<Finding, "parts" | "located"> & { readonly name: string })[];
  /** Candidates with their number of words in common. */
  readonly shared: Readonly<Record<string, number>>;
  /** Retrieval and matching, and the query's examination, milliseconds. */
  readonly milliseconds: number;
  readonly examination: number;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Recall, and in brackets the queries. */
function share(records: readonly QueryRecord[]): string {
  return records.length === 0 ? "-" : `${recall(records).toFixed(3)} (${String(records.length).padStart(4)})`;
}

function printGroups(attacked: readonly QueryRecord[]): void {
  print("group                                     photographs    all kinds      must        aim");
  for (const { name, must, aim, holds } of GROUPS) {
    const records = attacked.filter(({ attack, family }) => holds(attack, family));
    const columns = [share(records.filter(isPhotograph)), share(records), must.join(" / "), aim.join(" / ")];
    print(`${name.padEnd(41)} ${columns.map((column) => column.padEnd(13)).join(" ")}`);
  }
}

function printFalse(attacked: readonly QueryRecord[]): void {
  const pairs = attacked.flatMap(({ attack, truth, matched }) =>
    matched
      .filter((name) => !truth.includes(name))
      .map((name) => `${truth.join("+")} taken for ${name} (${attack})`),
  );
  print(`\nfalse matches: ${pairs.length} in ${attacked.length} queries`);
  for (const pair of pairs) print(`  ${pair}`);
}

function printHard(hard: readonly QueryRecord[]): void {
  print("\nother photographs of the scene, accepted     must     aim");
  for (const category of [...new Set(hard.map(({ kind }) => kind))].toSorted()) {
    const records = hard.filter(({ kind }) => kind === category);
    const accepted = records.filter(({ matched }) => matched.length > 0).length;
    const [must, aim] = HARD_LIMITS[category] ?? ["-", "-"];
    const rate = `${(accepted / records.length).toFixed(3)} (${accepted} of ${records.length})`;
    print(`${category.padEnd(22)} ${rate.padEnd(20)} ${String(must).padEnd(8)} ${aim}`);
  }
}

function printAttacks(attacked: readonly QueryRecord[]): void {
  print("\nattack                photographs   all kinds");
  for (const attack of new Set(attacked.map((record) => record.attack))) {
    const records = attacked.filter((record) => record.attack === attack);
    print(`${attack.padEnd(21)} ${share(records.filter(isPhotograph))} ${share(records)}`);
  }
}

/** Where each missed query was lost: in retrieval, in geometry, or in the decision. */
function printMissed(attacked: readonly QueryRecord[]): void {
  print("\nmissed");
  for (const record of attacked.filter((each) => !isFound(each))) {
    const found = record.findings.filter(({ name }) => record.truth.includes(name));
    const shared = record.truth.map((name) => record.shared[name] ?? 0);
    const lost =
      found[0] !== undefined
        ? `decision, inliers ${found[0].inliers}`
        : Math.max(...shared) > 0
          ? "geometry"
          : "retrieval";
    print(
      `  ${record.attack} of ${record.truth.join("+")} (${record.kind}): ${lost}; ${record.points} points, ${shared.join("+")} words shared`,
    );
  }
}

/** For each rule, how many true and how many false matches it let through. */
function printRules(records: readonly QueryRecord[]): void {
  const counts = new Map<string, [right: number, wrong: number]>();
  for (const { truth, findings } of records) {
    for (const { name, decision } of findings) {
      if (!decision.isMatch) continue;
      const count = counts.get(decision.rule) ?? [0, 0];
      count[truth.includes(name) ? 0 : 1] += 1;
      counts.set(decision.rule, count);
    }
  }
  print("\nrule                   true false");
  for (const [rule, [right, wrong]] of [...counts].toSorted(([, a], [, b]) => b[0] - a[0])) {
    print(`${rule.padEnd(20)} ${String(right).padStart(6)} ${String(wrong).padStart(5)}`);
  }
}

/** Prints everything that records say in sum. */
export function printReport(
  records: readonly QueryRecord[],
  details: { attacks?: boolean; missed?: boolean; rules?: boolean } = {},
): void {
  const attacked = records.filter(({ family }) => family !== "hard");
  const hard = records.filter(({ family }) => family === "hard");
  if (attacked.length > 0) {
    printGroups(attacked);
    if (details.attacks === true) printAttacks(attacked);
    printFalse(attacked);
    if (details.missed === true) printMissed(attacked);
    const times = attacked.map(({ milliseconds }) => milliseconds);
    const examined = attacked.map(({ examination }) => examination).filter((time) => time > 0);
    print(`\nmatching p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`);
    if (examined.length > 0) {
      print(
        `examination p50 ${quantile(examined, 0.5).toFixed(0)} ms, p95 ${quantile(examined, 0.95).toFixed(0)} ms`,
      );
    }
  }
  if (hard.length > 0) printHard(hard);
  if (details.rules === true) printRules(records);
}

function main(): void {
  const { values, positionals } = readCommandLine({
    options: {
      attacks: { type: "boolean", default: false },
      missed: { type: "boolean", default: false },
      rules: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const records = positionals.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as QueryRecord),
  );
  printReport(records, values);
}

if (import.meta.main) main();
