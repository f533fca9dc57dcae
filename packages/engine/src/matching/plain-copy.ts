import { LIMITS } from "./limits.ts";
import { coveredBlocks, readBlocks } from "./compare/read-blocks.ts";
import { wholeWindow } from "./compare/window.ts";
import { WindowRoom } from "./compare/window-room.ts";
import { UNIT_SQUARE } from "../geometry/polygon.ts";
import type { Luma } from "../image/luma.ts";
import type { Match } from "./match-query.ts";
import type { StoredOriginal } from "../packet/original.ts";
import { type ResidualLayer, readResidual } from "../signature/block-signature.ts";
import { Projections } from "../signature/projections.ts";
import { Ranking, indexOriginal } from "./rank/ranking.ts";
import type { Candidate } from "./rank/rank-candidates.ts";

const { blocks: FEWEST_BLOCKS, agreement, strangeShare, neighbourVotes } = LIMITS.plainCopy;

/** Whether two blocks of a layer touch, at a corner at least. */
function areNeighbours(a: number, b: number, { columns }: ResidualLayer): boolean {
  const across = Math.abs((a % columns) - (b % columns));
  const down = Math.abs(Math.floor(a / columns) - Math.floor(b / columns));
  return across <= 1 && down <= 1;
}

/**
 * Whether the query is an original from edge to edge, saved again or resized and otherwise as it was: laid on the
 * original's finest map, the blocks in which the query shows anything agree, but for a few that lie alone. No points
 * are needed for that. False also where it cannot be told: for small originals, and for queries that show little.
 */
function isPlainCopy(luma: Luma, { packetId, residual }: StoredOriginal, packetKey: Uint8Array): boolean {
  const [, layer] = readResidual(residual) ?? [];
  if (layer === undefined) return false;
  using room = new WindowRoom(layer);
  const window = wholeWindow(luma, layer, room);
  const { shown } = coveredBlocks(window, layer, 0);
  const projections = new Projections(packetKey, packetId, layer.number, layer.bits.length);
  const { inPlace, energy } = readBlocks(window, layer, projections, 0, shown);
  const used = Array.from(shown.keys()).filter((k) => energy[k]! >= LIMITS.compare.energy);
  const strange = used.filter((k) => inPlace[k]! <= agreement).map((k) => shown[k]!);
  return (
    used.length >= FEWEST_BLOCKS &&
    strange.length <= strangeShare * used.length &&
    strange.every((a, k) => strange.slice(k + 1).every((b) => !areNeighbours(a, b, layer)))
  );
}

/** The match of a query that is a plain copy of an original; null for any other. `luma`: as in a `Query`. */
export function matchPlainCopy(luma: Luma, { id, original }: Candidate, packetKey: Uint8Array): Match | null {
  if (!isPlainCopy(luma, original, packetKey)) return null;
  const { width, height } = original.features;
  return {
    id,
    place: { map: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), lens: null, isInverted: false, isWhole: true },
    raster: { width, height },
    shown: [UNIT_SQUARE],
  };
}

/**
 * Whether none of the other originals may be named with this one by a query that is a plain copy of it: their points
 * and its own do not vote for any placement, as those of a picture and its parts, or of two versions of it, do.
 */
export function standsApart(original: StoredOriginal, others: readonly StoredOriginal[]): boolean {
  const index = indexOriginal(original);
  const ranking = new Ranking();
  return others.every((other) => Math.max(...ranking.score(index, other)) < neighbourVotes);
}
