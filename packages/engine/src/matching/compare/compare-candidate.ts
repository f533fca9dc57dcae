import type { StoredOriginal } from "../../packet/original.ts";
import { type ResidualLayer, readResidual } from "../../signature/block-signature.ts";
import { Projections } from "../../signature/projections.ts";
import { LIMITS } from "../limits.ts";
import { type InitialAlignment, initialFromAlignment, initialFromPoints } from "./alignment.ts";
import { type Comparison, compareLayer } from "./compare-layer.ts";
import type { Correspondences } from "./correspondences.ts";
import type { QueryPlanes } from "./query-planes.ts";

/** A comparison on each layer; null for one that the original lacks, and without overlap. */
export interface Comparisons {
  readonly coarse: Comparison | null;
  readonly fine: Comparison | null;
}

/** Compares a candidate with the query on the layers of its signature. */
export function compareCandidate(
  planes: QueryPlanes,
  original: StoredOriginal,
  correspondences: Correspondences,
  packetKey: Uint8Array,
): Comparisons {
  const [coarseLayer, fineLayer] = readResidual(original.residual) ?? [];
  const on = (layer: ResidualLayer, start: InitialAlignment | null): Comparison | null => {
    const projections = new Projections(packetKey, original.packetId, layer.number, layer.bits.length);
    return start === null ? null : compareLayer(planes, start, layer, projections);
  };
  if (coarseLayer === undefined) return { coarse: null, fine: null };
  const coarse = on(coarseLayer, initialFromPoints(correspondences(coarseLayer)));
  if (fineLayer === undefined) return { coarse, fine: null };
  const carry = coarse !== null && coarse.blocks.count >= LIMITS.alignment.carryFrom;
  const start = carry
    ? initialFromAlignment(coarse, fineLayer)
    : initialFromPoints(correspondences(fineLayer));
  return { coarse, fine: on(fineLayer, start) };
}
