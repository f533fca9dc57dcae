import type { Evidence, Layers, ResidualStatistics } from "./evidence.ts";
import { isContained } from "./situation.ts";

function blocksOf({ coarse, fine }: Layers): ResidualStatistics[] {
  return [coarse, fine].flatMap((layer) => (layer === null ? [] : [layer.all]));
}

/**
 * Whether nothing speaks against the original: one picture lies within the other, and every block agrees, on both layers, of those in which the query
 * shows anything and of those that the original's points describe. What is shared is then all there is, a form's filling included.
 */
export function isUncontradicted(evidence: Evidence): boolean {
  const { expectedBlocks } = evidence;
  const described = expectedBlocks === null ? [] : blocksOf(expectedBlocks.described);
  return (
    isContained(evidence) && [...blocksOf(evidence), ...described].every(({ good, used }) => good === used)
  );
}
