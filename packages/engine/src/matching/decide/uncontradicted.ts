import type { Evidence, Layers, ResidualStatistics } from "./evidence.ts";
import { resolvedFine } from "../compare/telling.ts";
import { isContained } from "./situation.ts";

function blocksOf({ coarse, fine }: Layers): ResidualStatistics[] {
  const all = { coarse: coarse && coarse.all, fine: fine && fine.all };
  return [all.coarse, resolvedFine(all)].filter((layer) => layer !== null);
}

/**
 * Whether nothing speaks against the original: one picture lies within the other, and every block agrees, on the layers that the query resolves, of those in which the query
 * shows anything and of those that the original's points describe. What is shared is then all there is, a form's filling included.
 */
export function isUncontradicted(evidence: Evidence): boolean {
  const { expectedBlocks } = evidence;
  const described = expectedBlocks === null ? [] : blocksOf(expectedBlocks.described);
  return (
    isContained(evidence) && [...blocksOf(evidence), ...described].every(({ good, used }) => good === used)
  );
}
