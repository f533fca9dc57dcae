/** What one look-up of an attacked query answered. */
export interface Verdict {
  readonly attack: string;
  readonly family: string;
  /** Originals that the query derives from; none for a hard negative. */
  readonly truth: readonly string[];
  /** Kind of the first true original, or the category of a hard negative. */
  readonly kind: string;
  readonly matched: readonly string[];
}

/** Whether one of the true originals was found. */
export const isFound = ({ truth, matched }: Verdict): boolean => matched.some((name) => truth.includes(name));

export const isPhotograph = ({ kind }: Verdict): boolean => kind.startsWith("photo");

/** Recall as the mean over attacks, so that attacks drawn more often do not count for more; NaN of no verdicts. */
export function recall(verdicts: readonly Verdict[]): number {
  const attacks = Map.groupBy(verdicts, ({ attack }) => attack);
  let sum = 0;
  for (const drawn of attacks.values()) sum += drawn.filter(isFound).length / drawn.length;
  return sum / attacks.size;
}

/** The value below which the share `at` of all values lies; 0 of none. */
export function quantile(values: readonly number[], at: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(at * values.length))] ?? 0;
}
