import { type Aligned, RADIUS, type Start, corrected } from "./alignment.ts";
import { type Window, align, containment } from "./aligned-window.ts";
import { type BlockReading, blockX, blockY, coveredBlocks, readBlocks } from "./block-reading.ts";
import { BLOCK, type Projections } from "./projections.ts";
import type { QueryPlanes } from "./query-plane.ts";
import { type ResidualLayer, blockStart } from "./residual-signature.ts";

/** A query compared with one layer of an original. */
export interface Comparison extends Aligned {
  readonly blocks: BlockReading;
  /** Centres, cells, of the blocks that the query covers but shows nothing in. */
  readonly plain: { readonly x: Float64Array; readonly y: Float64Array };
  /** `containment` of the two pictures under that alignment. */
  readonly containment: number;
  /**
   * Energy of the query's detail finer than the compared band, as a share of the band's: low when the query is blurred or
   * too small for the map, high when it is noisy.
   */
  readonly fineness: number;
}

function fineness(window: Window, layer: ResidualLayer, blocks: readonly number[]): number {
  let fine = 0;
  let band = 1e-6;
  for (const block of blocks) {
    const left = blockStart(block % layer.columns, layer.kind) - window.left;
    const top = blockStart(Math.floor(block / layer.columns), layer.kind) - window.top;
    for (let y = top; y < top + BLOCK; y += 1)
      for (let x = left; x < left + BLOCK; x += 1) {
        fine += window.fine.data[y * window.luma.width + x]! ** 2;
        band += window.band.data[y * window.luma.width + x]! ** 2;
      }
  }
  return fine / band;
}

/**
 * Aligns the query with one layer of an original and compares block by block. The alignment is corrected by the blocks themselves, unless
 * they agree less exactly after it: blocks of what was laid over a picture lead astray. Null when the two do not overlap.
 */
export function compareLayer(
  planes: QueryPlanes,
  start: Start,
  layer: ResidualLayer,
  projections: Projections,
): Comparison | null {
  const { cellsPerPixel } = start;
  const map = corrected(start, planes, layer, projections);
  const window = align(map, cellsPerPixel, planes, layer);
  if (window === null) return null;
  const { shown, plain } = coveredBlocks(window, layer, RADIUS);
  return {
    layer,
    blocks: readBlocks(window, layer, projections, RADIUS, shown),
    plain: {
      x: Float64Array.from(plain, (block) => blockX(block, layer)),
      y: Float64Array.from(plain, (block) => blockY(block, layer)),
    },
    map,
    fineness: fineness(window, layer, shown),
    containment: containment(map, planes, layer),
    cellsPerPixel,
  };
}
