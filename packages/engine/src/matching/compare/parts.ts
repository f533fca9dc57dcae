import type { StoredOriginal } from "../../packet/original.ts";
import type { Query } from "../../packet/query.ts";
import type { BlockMeasures } from "../../signature/block-measures.ts";
import type { Comparisons } from "./compare-candidate.ts";
import type { Comparison } from "./compare-layer.ts";
import type { QueryPlanes } from "./query-planes.ts";
import { resolvedFine } from "./telling.ts";
import { readOwnKinds } from "../../signature/own-kinds.ts";
import { vectorMeasureBlocks } from "../../signature/vector-measure-blocks.ts";
import { type DescribedAgain, describeAgain } from "./describe-again.ts";
import { layOn } from "./laid-query.ts";
import { type PointAgreement, pointAgreement } from "./point-agreement.ts";
import { type Tones, tonesOf } from "./tones.ts";

/** One layer compared, and how the query itself looks in its blocks. */
export interface LayerParts extends Comparison {
  readonly measures: BlockMeasures;
}

/** All that is known of a candidate place by place. */
export interface Parts {
  readonly coarse: LayerParts | null;
  readonly fine: LayerParts | null;
  /** On the map of the finest layer that the query resolves; null without one. */
  readonly points: PointAgreement | null;
  /** Of a closer look; null without one. */
  readonly describedAgain: DescribedAgain | null;
  /** `readOwnKinds` of that layer, of a closer look; null without one, and where the original does not say it. */
  readonly ownKinds: Uint8Array | null;
  /** Of a closer look, until its signs are made; null without one. */
  readonly tones: Tones | null;
}

/** Looks at a comparison place by place. `bits`: the query's descriptors in the variant in which it was placed. */
export function lookAtParts(
  { coarse, fine }: Comparisons,
  { features }: StoredOriginal,
  view: Pick<Query, "features" | "luma">,
  bits: Uint32Array,
): Parts {
  const measured = (comparison: Comparison | null): LayerParts | null =>
    comparison && {
      ...comparison,
      measures: vectorMeasureBlocks(comparison.blocks, comparison.map, view.luma),
    };
  const finest = resolvedFine({ coarse, fine }) ?? coarse;
  return {
    coarse: measured(coarse),
    fine: measured(fine),
    points: finest && pointAgreement(features, view, bits, finest.map, finest.layer),
    describedAgain: null,
    ownKinds: null,
    tones: null,
  };
}

/**
 * The same with how the original's points and tones look in the query, and what its own blocks show. `isInverted`:
 * placed with light and dark exchanged.
 */
export function lookCloser(
  parts: Parts,
  { features, kinds, packetId, whole }: StoredOriginal,
  packetKey: Uint8Array,
  planes: QueryPlanes,
  isInverted: boolean,
): Parts {
  const finest = resolvedFine(parts) ?? parts.coarse;
  if (finest === null) return parts;
  using laid = layOn(features, finest, planes, isInverted);
  return {
    ...parts,
    describedAgain: laid && describeAgain(features, laid),
    tones: laid && tonesOf(whole, laid, finest),
    ownKinds: readOwnKinds(kinds, finest.layer, { packetKey, packetId }),
  };
}

/** The same without the tones, which are zeroed: they show the query, however coarsely. */
export function withoutTones(parts: Parts): Parts {
  if (parts.tones !== null) {
    const { all, open, differing } = parts.tones;
    for (const terms of [all, open, differing]) terms.fill(0);
  }
  return { ...parts, tones: null };
}
