/**
 * Prints what today's decision makes of stored traces: of each family how many wrong pairs match and how many right
 * ones are found, with 95 % intervals, and of other members that show mostly one photograph how many match, which is
 * neither.
 *
 *     node bench/matching/designs/report.ts TRACES... [--rules] [--wrong] [--again DIR]...
 *
 * `--rules`: for each rule the right and the wrong pairs that it alone lets match. `--wrong`: every pair decided
 * wrongly, and by what. `--again`: folders of the same pairs under another key or the other way round; how many are
 * decided otherwise, of each family.
 */
import { readCommandLine } from "@colophon/testing/command-line.ts";
import type { Decision } from "@colophon/engine/lab";
import { decided, replayed } from "./replay.ts";
import { shareText } from "./shares.ts";
import {
  type Compared,
  asDrawn,
  isShownEnough,
  isWhatItSays,
  labelOf,
  readTraces,
  traceName,
} from "./traces.ts";

interface Row {
  readonly compared: Compared;
  readonly decisions: readonly Decision[];
}

const isMatched = ({ decisions }: Row): boolean => decisions.some(({ isMatch }) => isMatch);
const isRight = ({ compared }: Row): boolean => compared.relation !== "other";
const names = ({ decisions }: Row): string =>
  decisions.map((decision) => (decision.isMatch ? decision.rule : decision.refusedBy)).join(", ");

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function printShares(rows: readonly Row[]): void {
  for (const [group, some] of [...Map.groupBy(rows, ({ compared }) => labelOf(compared))].toSorted(byName)) {
    print(`${group.padEnd(36)} ${shareText(some.filter(isMatched).length, some.length)}`);
  }
}

function printRules(rows: readonly Row[]): void {
  const counts = new Map<string, [right: number, wrong: number]>();
  for (const row of rows) {
    for (const rule of new Set(row.decisions.flatMap((each) => (each.isMatch ? [each.rule] : [])))) {
      const count = counts.get(rule) ?? [0, 0];
      count[isRight(row) ? 0 : 1] += 1;
      counts.set(rule, count);
    }
  }
  print("\nrule                  right wrong");
  for (const [rule, [right, wrong]] of [...counts].toSorted(([, a], [, b]) => b[0] - a[0])) {
    print(`${rule.padEnd(20)} ${String(right).padStart(6)} ${String(wrong).padStart(5)}`);
  }
}

/** All pairs of folders of which enough is shown, as today's decision judges them. */
function judged(folders: readonly string[]): Row[] {
  const rows: Row[] = [];
  for (const { compared, findings } of readTraces(folders)) {
    if (!isShownEnough(asDrawn(compared))) continue;
    rows.push({ compared, decisions: findings.map((finding) => decided(replayed(finding))) });
  }
  return rows;
}

function printAgain(rows: readonly Row[], again: readonly Row[]): void {
  const before = new Map(rows.map((row) => [traceName(asDrawn(row.compared)), isMatched(row)]));
  print("\nonce more                            decided otherwise, of what matches once at least");
  const groups = Map.groupBy(again, ({ compared }) => labelOf(asDrawn(compared)));
  for (const [group, some] of [...groups].toSorted(byName)) {
    const both = some.map((row) => [before.get(traceName(asDrawn(row.compared))), isMatched(row)]);
    const differing = both.filter(([one, other]) => one !== other).length;
    print(`${group.padEnd(36)} ${shareText(differing, both.filter((each) => each.includes(true)).length)}`);
  }
}

function main(): void {
  const { values, positionals } = readCommandLine({
    options: {
      rules: { type: "boolean", default: false },
      wrong: { type: "boolean", default: false },
      again: { type: "string", multiple: true, default: [] },
    },
    allowPositionals: true,
  });
  const rows = judged(positionals);
  printShares(rows);
  const counted = rows.filter(({ compared }) => isWhatItSays(compared));
  if (values.rules) printRules(counted);
  if (values.again.length > 0) printAgain(rows, judged(values.again));
  if (!values.wrong) return;
  print("\ndecided wrongly");
  for (const row of counted.filter(
    (each) => each.compared.group !== "hard" && isMatched(each) !== isRight(each),
  )) {
    print(
      `  ${labelOf(row.compared)}: ${row.compared.name}, ${row.compared.edit}: ${names(row)} (${row.compared.asked})`,
    );
  }
}

if (import.meta.main) main();
