import { shareText } from "../../bench/matching/designs/shares.ts";
import { asDrawn, labelOf } from "../../bench/matching/designs/traces.ts";
import { type Limits, isMatched } from "./choose-limits.ts";
import { type Row, isRight, isWrongPart, isWrongScene, placeless } from "./judged-pairs.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

const shareOf = (rows: readonly Row[], limits: Limits): string =>
  shareText(rows.filter((row) => isMatched(row, limits)).length, rows.length);

/** Of each family and relation, and of each kind of scene, how many match. */
export function printShares(rows: readonly Row[], limits: Limits): void {
  for (const [group, some] of [...Map.groupBy(rows, ({ compared }) => labelOf(compared))].toSorted(byName)) {
    print(`${group.padEnd(36)} ${shareOf(some, limits)}`);
  }
}

function share(some: readonly Row[], limits: Limits): string {
  return (some.filter((row) => isMatched(row, limits)).length / some.length).toFixed(3);
}

/** What other limits against shared parts would give: of each family wrong, of each relation right. */
export function printLimits(rows: readonly Row[], limits: Limits): void {
  const wrong = [...Map.groupBy(rows.filter(isWrongPart), ({ compared }) => compared.group)].toSorted(byName);
  const right = [
    ...Map.groupBy(rows.filter(isRight), ({ compared: { group, relation } }) =>
      group === "attack" ? group : relation,
    ),
  ].toSorted(byName);
  print(`limit    ${[...wrong, ...right].map(([name]) => name.slice(0, 9).padStart(10)).join("")}`);
  for (let limit = -1024; limit <= 4608; limit += 512) {
    print(
      `${String(limit).padStart(8)} ${[...wrong, ...right]
        .map(([, some]) => share(some, { ...limits, leastPart: limit, leastPartPrinted: limit }).padStart(10))
        .join("")}`,
    );
  }
}

/** Of some decisions that should be one, how many are, beside those that match at least once. */
function printAgreement(name: string, groups: readonly (readonly Row[])[], limits: Limits): void {
  const several = groups.filter(({ length }) => length > 1);
  const counts = several.map((rows) => rows.filter((row) => isMatched(row, limits)).length);
  const differing = counts.filter((count, k) => count > 0 && count < several[k]!.length).length;
  const matching = counts.filter((count) => count > 0).length;
  print(
    `${name}: ${shareText(differing, several.length)} decided otherwise; ${matching} match at least once`,
  );
}

/** Tells a pair under one key from others, whichever picture is registered. */
const unordered = ({ compared: { registered, asked }, key }: Row): string =>
  [...[registered, asked].toSorted(), key].join("/");

/** How many pairs are decided otherwise under another key, and how many with the other picture registered. */
export function printStability(rows: readonly Row[], limits: Limits): void {
  printAgreement("other keys", [...Map.groupBy(rows, placeless).values()], limits);
  for (const [group, some] of Map.groupBy(rows, ({ compared }) => labelOf(asDrawn(compared)))) {
    const both = [...Map.groupBy(some, unordered).values()];
    if (both.length < some.length) printAgreement(`other way round, ${group}`, both, limits);
  }
}

/** Each fold by itself: how far the whole may be trusted. */
export function printFolds(rows: readonly Row[], folds: number, limits: Limits): void {
  for (let fold = 0; fold < folds; fold += 1) {
    const of = (keep: (row: Row) => boolean): string =>
      shareOf(
        rows.filter((row) => row.fold === fold && keep(row)),
        limits,
      );
    print(`fold ${fold}: shared parts ${of(isWrongPart)}, scenes ${of(isWrongScene)}, right ${of(isRight)}`);
  }
}
