import { type PartLimits, bothOf, leastPartOf } from "@colophon/engine/lab";
import { NEARLY_STILL, type Row, isRight, isWrongPart, isWrongScene } from "./judged-pairs.ts";

export interface Limits extends PartLimits {
  readonly leastBoth: number;
}

const FORMS = "printed";
/**
 * Most of the folds' pairs of different pictures of each family of designs that may match: a third of what must hold of
 * all, and of forms that both look printed a fifth.
 */
export const BUDGETS: Readonly<Record<string, number>> = {
  overlay: 0.0017,
  template: 0.0033,
  "shared-photograph": 0.01,
  [FORMS]: 0.01,
};

/** Limits are looked for in steps of a sixteenth. */
const STEP = 64;
const HIGHEST = 16_384;
/** Most of the scenes in which something moved that may match. */
const MOVED = 0.07;

export function isMatched({ findings }: Row, limits: Limits): boolean {
  return findings.some(
    ({ odds, replayed: { evidence }, always, byOdds }) =>
      always || (byOdds && odds.part > leastPartOf(evidence, limits) && bothOf(odds) > limits.leastBoth),
  );
}

const matched = (rows: readonly Row[], limits: Limits): number =>
  rows.filter((row) => isMatched(row, limits)).length;

/** The lowest limit from one on at which something holds. */
function lowest(from: number, holds: (limit: number) => boolean): number {
  for (let limit = from; limit < HIGHEST; limit += STEP) if (holds(limit)) return limit;
  throw new RangeError("No limit keeps the budget.");
}

const OPEN: Limits = { leastPart: -HIGHEST, leastPartPrinted: -HIGHEST, leastBoth: -HIGHEST };

/** The limit against other photographs, under limits against parts in common. */
function leastBothOf(rows: readonly Row[], limits: Limits): number {
  const moved = rows.filter((row) => isWrongScene(row) && !NEARLY_STILL.test(row.compared.name));
  return lowest(0, (leastBoth) => matched(moved, { ...limits, leastBoth }) <= MOVED * moved.length);
}

/** A form that looks like a photograph is judged by the limit for photographs: the one for forms has no say. */
const isLimited = ({ compared, findings }: Row): boolean =>
  compared.group !== FORMS || findings.every(({ replayed: { evidence } }) => evidence.areBothPrinted);

/**
 * The limits against parts in common, beside those against other photographs; raised as long as that loses no right
 * pair.
 */
function partLimits(rows: readonly Row[], scenes: Limits): Limits {
  const wrong = Map.groupBy(
    rows.filter((row) => isWrongPart(row) && isLimited(row)),
    ({ compared }) => compared.group,
  );
  const keeps = (family: string, limits: Limits): boolean => {
    const some = wrong.get(family) ?? [];
    return matched(some, limits) <= BUDGETS[family]! * some.length;
  };
  const right = rows.filter(isRight);
  const raised = (from: number, at: (limit: number) => Limits): Limits => {
    const found = matched(right, at(from));
    let limit = from;
    while (limit + STEP < HIGHEST && matched(right, at(limit + STEP)) === found) limit += STEP;
    return at(limit);
  };
  const families = Object.keys(BUDGETS);
  const ofBoth = (limit: number): Limits => ({ ...scenes, leastPart: limit, leastPartPrinted: limit });
  const others = families.filter((family) => family !== FORMS);
  const least = lowest(-HIGHEST, (limit) => others.every((family) => keeps(family, ofBoth(limit))));
  const ofPrinted = (limit: number): Limits => ({ ...ofBoth(least), leastPartPrinted: limit });
  const leastPrinted = lowest(-HIGHEST, (limit) =>
    families.every((family) => keeps(family, ofPrinted(limit))),
  );
  const printed = raised(leastPrinted, ofPrinted);
  return raised(least, (limit) => ({ ...printed, leastPart: limit }));
}

/** The limits, each by judgements of trees that had not seen the pair. */
export function chooseLimits(rows: readonly Row[]): Limits {
  return partLimits(rows, { ...OPEN, leastBoth: leastBothOf(rows, partLimits(rows, OPEN)) });
}
