import { isSign, type StoredOriginal } from "../../packet/original.ts";
import { type ResidualLayer, readResidual } from "../../signature/block-signature.ts";
import { Projections } from "../../signature/projections.ts";
import { LIMITS } from "../limits.ts";
import { type InitialAlignment, initialFromAlignment, initialFromPoints } from "./alignment.ts";
import { type Comparison, compareLayer } from "./compare-layer.ts";
import type { Correspondences } from "./correspondences.ts";
import type { QueryPlanes } from "./query-planes.ts";
import { leastEnergy } from "./telling.ts";

/** A comparison on each layer; null for one that the original lacks, and without overlap. */
export interface Comparisons {
  readonly coarse: Comparison | null;
  readonly fine: Comparison | null;
}

/** How a candidate is compared. */
export interface Manner {
  /** Begins with the similarity that the points fit, not with the map that bends most to them. */
  readonly isSimilarity: boolean;
  /** Without any correction, and on the coarse layer alone where that has blocks enough: to choose among placements. */
  readonly isRough: boolean;
}

const USUAL: Manner = { isSimilarity: false, isRough: false };

/** Agreement in place that strange blocks reach often. */
const CHANCE = 0.2;

/**
 * How much more agrees than chance lets agree: over all blocks with detail, their agreement in place beyond `CHANCE`.
 */
export function agreementOf(comparison: Comparison | null): number {
  let sum = 0;
  if (comparison === null) return sum;
  const { inPlace, energy, count } = comparison.blocks;
  const least = leastEnergy(comparison);
  for (let k = 0; k < count; k += 1) {
    if (energy[k]! >= least) sum += inPlace[k]! - CHANCE;
  }
  return sum;
}

/** Compares a candidate with the query on the layers of its signature. */
export function compareCandidate(
  planes: QueryPlanes,
  original: StoredOriginal,
  correspondences: Correspondences,
  packetKey: Uint8Array,
  { isSimilarity, isRough }: Manner = USUAL,
): Comparisons {
  const [coarseLayer, fineLayer] = readResidual(original.residual) ?? [];
  const on = (layer: ResidualLayer, start: InitialAlignment | null): Comparison | null => {
    const projections = new Projections(packetKey, original.packetId, layer.number, layer.bits.length);
    return start === null ? null : compareLayer(planes, start, layer, projections, isRough);
  };
  const fromPoints = (layer: ResidualLayer): Comparison | null =>
    on(layer, initialFromPoints(correspondences(layer), isSimilarity));
  if (coarseLayer === undefined) return { coarse: null, fine: null };
  const coarse = fromPoints(coarseLayer);
  if (fineLayer === undefined) return { coarse, fine: null };
  if (coarse === null || coarse.blocks.count < LIMITS.alignment.carryFrom) {
    return { coarse, fine: fromPoints(fineLayer) };
  }
  if (isRough) return { coarse, fine: null };
  const fine = on(fineLayer, initialFromAlignment(coarse, fineLayer));
  if (fine === null || !isSign(original)) return { coarse, fine };
  // Bars and lettering lead the coarse layer astray by less than the fine one notices.
  const again = on(coarseLayer, initialFromAlignment(fine, coarseLayer));
  return { coarse: agreementOf(again) > agreementOf(coarse) ? again : coarse, fine };
}
