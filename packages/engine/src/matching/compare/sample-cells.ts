import { type PlanarMap, applyMap } from "../../geometry/planar-map.ts";
import type { Plane } from "../../image/plane.ts";
import { sampleCubic } from "../../image/resample.ts";

/** Cells of a map, its right and bottom edges excluded. */
export interface Cells {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Cells with what the query shows in them, and the summed-area table of those that lie within it, (width + 1) x (height + 1). */
export interface SampledCells {
  readonly luma: Plane;
  readonly inside: Int32Array;
}

/**
 * Samples the query's plane in cells of an original's map, four samples a cell: what the vector kernels are checked against. `query`: the size
 * that `toQuery`, cells to its pixels, leads to.
 */
export function sampleCells(
  plane: Plane,
  query: { readonly width: number; readonly height: number },
  toQuery: PlanarMap,
  { left, top, right, bottom }: Cells,
): SampledCells {
  const sx = plane.width / query.width;
  const sy = plane.height / query.height;
  const width = right - left;
  const height = bottom - top;
  const data = new Float32Array(width * height);
  const inside = new Int32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      let within = 0;
      for (let quarter = 0; quarter < 4; quarter += 1) {
        const u = left + x + (quarter & 1 ? 0.25 : -0.25);
        const v = top + y + (quarter & 2 ? 0.25 : -0.25);
        const q = applyMap(toQuery, u, v);
        if (q.x >= -0.5 && q.y >= -0.5 && q.x <= query.width - 0.5 && q.y <= query.height - 0.5) {
          within += 1;
        }
        sum += sampleCubic(plane, (q.x + 0.5) * sx - 0.5, (q.y + 0.5) * sy - 0.5);
      }
      data[y * width + x] = sum / 4;
      if (within === 4) row += 1;
      inside[(y + 1) * (width + 1) + x + 1] = inside[y * (width + 1) + x + 1]! + row;
    }
  }
  return { luma: { width, height, data }, inside };
}
