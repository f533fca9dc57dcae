import type { Features } from "../../features/features.ts";
import type { Extremum } from "../../features/sift/extrema.ts";
import { invertMap, multiplyMaps } from "../../geometry/planar-map.ts";
import { rescalingMap } from "../../geometry/rescale.ts";
import { discard } from "../../image/discard.ts";
import type { Luma } from "../../image/luma.ts";
import { Arena, floatsAt, integersAt } from "../../wasm/arena.ts";
import { planeBytes } from "../../wasm/plane-at.ts";
import type { Alignment } from "./alignment.ts";
import type { QueryPlanes } from "./query-planes.ts";
import { sampleInto } from "./vector-sample-cells.ts";

type Raster = Pick<Features, "width" | "height">;

/** The query as it lies on an original's raster, and the summed-area table of the pixels that it covers. */
export interface LaidQuery extends Disposable {
  readonly luma: Luma;
  readonly inside: Int32Array;
  /** Side of one of the query's own pixels, in those of the raster. */
  readonly pixel: number;
}

/**
 * Lays a query on the raster in which an original's points were found. One sample a pixel, of a plane that is hardly
 * finer.
 */
export function layOn(
  { width, height }: Raster,
  { map, layer, cellsPerPixel }: Alignment,
  planes: QueryPlanes,
  isInverted: boolean,
): LaidQuery | null {
  const toQuery = invertMap(map);
  if (toQuery === null) return null;
  const pixel = (cellsPerPixel * width) / layer.width;
  const plane = planes.atLeast(pixel);
  const toPlane = multiplyMaps(
    rescalingMap(planes, plane),
    multiplyMaps(toQuery, rescalingMap({ width, height }, layer)),
  );
  using arena = new Arena({ luma: planeBytes(width * height), inside: 4 * (width + 1) * (height + 1) });
  const { at } = arena;
  sampleInto(plane, toPlane, { left: 0, top: 0, right: width, bottom: height }, 1, at);
  const sampled = floatsAt(at.luma, width * height);
  const data = new Uint8Array(width * height);
  for (let k = 0; k < data.length; k += 1) {
    const level = Math.max(0, Math.min(255, Math.round(sampled[k]!)));
    data[k] = isInverted ? 255 - level : level;
  }
  return {
    luma: { width, height, data },
    inside: integersAt(at.inside, (width + 1) * (height + 1)).slice(),
    pixel,
    [Symbol.dispose]: () => discard(data),
  };
}

/** Half the side of what a descriptor mostly looks at, in sizes of its point. */
const REACH = 3;
/** Least share of it that the query must cover. */
const COVERED = 0.98;

/** The smallest point that a query shows, in its own pixels: of a finer one a thumbnail has nothing left. */
const RESOLVED = 1.2;

/** Whether the query shows a point, and covers what lies about it as far as the raster reaches. */
export function isShown(
  { luma: { width, height }, inside, pixel }: LaidQuery,
  { x, y, size }: Extremum,
): boolean {
  if (size < RESOLVED * pixel) return false;
  const reach = REACH * size;
  const [left, right] = [Math.max(0, Math.round(x - reach)), Math.min(width, Math.round(x + reach) + 1)];
  const [top, bottom] = [Math.max(0, Math.round(y - reach)), Math.min(height, Math.round(y + reach) + 1)];
  const until = (row: number, column: number): number => inside[row * (width + 1) + column]!;
  const cells = until(bottom, right) - until(top, right) - until(bottom, left) + until(top, left);
  return cells >= COVERED * (right - left) * (bottom - top);
}
