import { type Alignment, type InitialAlignment, refineAlignment } from "./alignment.ts";
import { bandOf, lumaOf, sharesWithin, type Window, type Within } from "./window.ts";
import { WindowRoom } from "./window-room.ts";
import { type BlockReading, readBlocks } from "./read-blocks.ts";
import { BLOCK, type Projections } from "../../signature/projections.ts";
import { LIMITS } from "../limits.ts";
import type { QueryPlanes } from "./query-planes.ts";
import { finerInto } from "../../image/vector-split-bands.ts";
import { spuriousEnergy } from "./telling.ts";
import { type ResidualLayer, blockStart } from "../../signature/block-signature.ts";
import { Arena } from "../../wasm/arena.ts";
import { planeBytes, valuesAt } from "../../wasm/plane-at.ts";

const { radius, inItsPlace } = LIMITS.alignment;

/** A query compared with one layer of an original. */
export interface Comparison extends Alignment {
  readonly blocks: BlockReading;
  /** `spuriousEnergy` of the query under that alignment. */
  readonly spurious: number;
  /** The blocks that the query covers but shows hardly anything in, compared in place alone. */
  readonly plain: Pick<BlockReading, "x" | "y" | "inPlace" | "energy">;
  /**
   * For each block of the layer 1 where the original shows nothing at all. Of 65,536 blocks that show something one
   * seems empty.
   */
  readonly isEmpty: Uint8Array;
  /** How completely the two pictures lie within each other under that alignment, and the greater of the two shares. */
  readonly within: Within;
  readonly containment: number;
  /**
   * Energy of the query's detail finer than the compared band, as a share of the band's: low when the query is blurred
   * or too small for the map, high when it is noisy.
   */
  readonly fineness: number;
}

/** `fineness` over some blocks. */
function fineness(window: Window, layer: ResidualLayer, blocks: readonly number[]): number {
  const { width, height } = window;
  using arena = new Arena({ finer: planeBytes(width * height) });
  finerInto(lumaOf(window), arena.at.finer);
  const finer = valuesAt({ width, height, at: arena.at.finer });
  const compared = valuesAt(bandOf(window));
  let fine = 0;
  let band = 1e-6;
  for (const block of blocks) {
    const left = blockStart(block % layer.columns, layer.kind) - window.left;
    const top = blockStart(Math.floor(block / layer.columns), layer.kind) - window.top;
    for (let y = top; y < top + BLOCK; y += 1) {
      for (let x = left; x < left + BLOCK; x += 1) {
        fine += finer[y * width + x]! ** 2;
        band += compared[y * width + x]! ** 2;
      }
    }
  }
  return fine / band;
}

function emptyBlocks({ bits }: ResidualLayer, projections: Projections): Uint8Array {
  const isEmpty = new Uint8Array(bits.length);
  for (let block = 0; block < bits.length; block += 1) {
    isEmpty[block] = Number(bits[block] === projections.bitsOfEmpty(block));
  }
  return isEmpty;
}

/**
 * Reads blocks where they are, and at the shifts around those that do not agree there clearly: what does lies where it
 * is. A block at every shift costs some six times one in its place.
 */
function readAround(
  window: Window,
  layer: ResidualLayer,
  projections: Projections,
  blocks: readonly number[],
): BlockReading {
  const reading = readBlocks(window, layer, projections, 0, blocks);
  const { inPlace, best, shiftX, shiftY } = reading;
  const unclear = blocks.filter((_, k) => inPlace[k]! <= inItsPlace);
  const around = readBlocks(window, layer, projections, radius, unclear);
  let at = 0;
  for (let k = 0; k < blocks.length; k += 1) {
    if (inPlace[k]! > inItsPlace) continue;
    best[k] = around.best[at]!;
    shiftX[k] = around.shiftX[at]!;
    shiftY[k] = around.shiftY[at]!;
    at += 1;
  }
  return reading;
}

/**
 * Aligns the query with one layer of an original and compares block by block. The alignment is corrected by the blocks
 * themselves, unless they agree less exactly after it: blocks of what was laid over a picture lead astray. Null when
 * the two do not overlap.
 * @param isRough as it starts, without any correction, and blocks in their places alone
 */
export function compareLayer(
  planes: QueryPlanes,
  start: InitialAlignment,
  layer: ResidualLayer,
  projections: Projections,
  isRough: boolean,
): Comparison | null {
  const { cellsPerPixel } = start;
  using room = new WindowRoom(layer);
  const refined = refineAlignment(start, { planes, layer, projections, room }, isRough);
  if (refined === null) return null;
  const { map, window, covered } = refined;
  const { shown, plain } = covered;
  const shares = sharesWithin(map, planes, layer);
  return {
    layer,
    blocks: isRough
      ? readBlocks(window, layer, projections, 0, shown)
      : readAround(window, layer, projections, shown),
    spurious: spuriousEnergy(planes, cellsPerPixel),
    plain: readBlocks(window, layer, projections, 0, plain),
    map,
    isEmpty: emptyBlocks(layer, projections),
    fineness: fineness(window, layer, shown),
    within: shares,
    containment: Math.max(shares.query, shares.original),
    cellsPerPixel,
  };
}
