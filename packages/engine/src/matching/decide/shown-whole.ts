import type { Evidence, LayerEvidence, Layers } from "./evidence.ts";
import { FEW_BLOCKS, type Situation } from "./situation.ts";

/** Fewest blocks of a layer that tell anything of what an original shows. */
const FEW = 8;
/** Cells for one pixel of the query up to which a layer shows what the query shows. */
const RESOLVED = 1.6;
/**
 * Most of many blocks that may disagree, none of them near another: coding spoils single blocks, another sign spoils
 * neighbours.
 */
const STRANGE = 0.005;
/** Of few blocks: inliers, fewest blocks, and the agreement in place that each must reach. */
const INLIERS_OF_FEW = 8;
const FEWEST = 12;
const LEAST_OF_FEW = 0.9;
/** Most of the blocks that its points describe, or of the fine ones, that coding spoils. */
const SPOILT = 1 / 30;

/** The layer that tells: the coarse one, or the fine one where that has hardly any blocks. */
function tellingLayer({ coarse, fine }: Layers): LayerEvidence | null {
  const layer = coarse !== null && coarse.all.used >= FEW ? coarse : fine;
  return layer === null || layer.all.used < FEW || layer.all.cellsPerPixel > RESOLVED ? null : layer;
}

function agreesThroughout({ all, isSpoilt }: LayerEvidence): boolean {
  return !isSpoilt && all.used - all.good <= STRANGE * all.used;
}

/**
 * Whether the fine layer, where the query resolves it, says no otherwise: small lettering hardly shows in the coarse
 * one.
 */
function isFinelyThere({ fine }: Layers): boolean {
  if (fine === null || fine.all.cellsPerPixel > RESOLVED) return true;
  return fine.all.used - fine.all.good <= SPOILT * fine.all.used;
}

/**
 * Whether an original lies whole in a small part of the query, and all that it shows agrees there: a mark on a
 * photograph. Its own ground is part of it, so that whatever lies around it says nothing. Few blocks, as of a narrow
 * bar, must agree clearly.
 */
export function isShownWhole(evidence: Evidence): boolean {
  const layer = evidence.isInset ? tellingLayer(evidence) : null;
  if (layer === null || !agreesThroughout(layer) || !isFinelyThere(evidence)) return false;
  const { used, least } = layer.all;
  return (
    used >= FEW_BLOCKS || (used >= FEWEST && evidence.inliers >= INLIERS_OF_FEW && least >= LEAST_OF_FEW)
  );
}

/**
 * Whether it is another sign of the same design that lies there: of the blocks that the points of something printed
 * describe, more disagree than coding spoils. A poor query spoils more.
 */
export function isOtherSign({ isInset, described }: Evidence, { isScene, isPoor }: Situation): boolean {
  if (!isInset || described === null || isScene || isPoor) return false;
  const layer = tellingLayer(described);
  return layer !== null && layer.all.used - layer.all.good > SPOILT * layer.all.used;
}
