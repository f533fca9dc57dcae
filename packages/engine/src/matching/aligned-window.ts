import { type PlanarMap, invertMap } from "./least-squares.ts";
import { type Plane, splitBands } from "./plane.ts";
import { BLOCK } from "./projections.ts";
import type { QueryPlanes } from "./query-plane.ts";
import type { ResidualLayer } from "./residual-signature.ts";

/** Cells beyond the overlap that the band-pass filter looks at. */
const HALO = 10;

/** The part of the original's map that the query covers, sampled from the query. */
export interface Window {
  readonly left: number;
  readonly top: number;
  readonly luma: Plane;
  /** The compared band of `luma`, and what is finer than it. */
  readonly band: Plane;
  readonly fine: Plane;
  /** Summed-area table of the cells inside the query, (width + 1) x (height + 1). */
  readonly inside: Int32Array;
}

export function apply(map: PlanarMap, x: number, y: number): [number, number] {
  const w = map[6]! * x + map[7]! * y + map[8]!;
  return [(map[0]! * x + map[1]! * y + map[2]!) / w, (map[3]! * x + map[4]! * y + map[5]!) / w];
}

function cubicWeights(t: number, into: Float64Array): void {
  into[0] = ((-0.5 * t + 1) * t - 0.5) * t;
  into[1] = (1.5 * t - 2.5) * t * t + 1;
  into[2] = ((-1.5 * t + 2) * t + 0.5) * t;
  into[3] = (0.5 * t - 0.5) * t * t;
}

const wx = new Float64Array(4);
const wy = new Float64Array(4);

/** Catmull-Rom sample; coordinates outside take the border. */
function sample(plane: Plane, x: number, y: number): number {
  const { width, height, data } = plane;
  const cx = Math.min(width - 1, Math.max(0, x));
  const cy = Math.min(height - 1, Math.max(0, y));
  const x0 = Math.floor(cx);
  const y0 = Math.floor(cy);
  cubicWeights(cx - x0, wx);
  cubicWeights(cy - y0, wy);
  let sum = 0;
  if (x0 >= 1 && y0 >= 1 && x0 + 2 < width && y0 + 2 < height) {
    let at = (y0 - 1) * width + x0 - 1;
    for (let r = 0; r < 4; r += 1) {
      sum +=
        wy[r]! *
        (wx[0]! * data[at]! + wx[1]! * data[at + 1]! + wx[2]! * data[at + 2]! + wx[3]! * data[at + 3]!);
      at += width;
    }
    return sum;
  }
  for (let r = 0; r < 4; r += 1) {
    const row = Math.min(height - 1, Math.max(0, y0 - 1 + r)) * width;
    for (let c = 0; c < 4; c += 1)
      sum += wy[r]! * wx[c]! * data[row + Math.min(width - 1, Math.max(0, x0 - 1 + c))]!;
  }
  return sum;
}

function windowBounds(
  toMap: PlanarMap,
  planes: QueryPlanes,
  layer: ResidualLayer,
): [number, number, number, number] | null {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const [x, y] of [
    [-0.5, -0.5],
    [planes.width - 0.5, -0.5],
    [-0.5, planes.height - 0.5],
    [planes.width - 0.5, planes.height - 0.5],
  ] as const) {
    // A corner behind the horizon: the overlap cannot be bounded, so take everything.
    if (toMap[6]! * x + toMap[7]! * y + toMap[8]! <= 1e-9) return [0, 0, layer.width, layer.height];
    const [u, v] = apply(toMap, x, y);
    left = Math.min(left, u);
    right = Math.max(right, u);
    top = Math.min(top, v);
    bottom = Math.max(bottom, v);
  }
  const bounds: [number, number, number, number] = [
    Math.max(0, Math.floor(left) - HALO),
    Math.max(0, Math.floor(top) - HALO),
    Math.min(layer.width, Math.ceil(right) + HALO),
    Math.min(layer.height, Math.ceil(bottom) + HALO),
  ];
  return bounds[2] - bounds[0] >= BLOCK && bounds[3] - bounds[1] >= BLOCK ? bounds : null;
}

/** Samples the query on the original's map, four samples a cell. */
export function align(
  toMap: PlanarMap,
  cellsPerPixel: number,
  planes: QueryPlanes,
  layer: ResidualLayer,
): Window | null {
  const bounds = windowBounds(toMap, planes, layer);
  const toQuery = invertMap(toMap);
  if (bounds === null || toQuery === null) return null;
  const [left, top, right, bottom] = bounds;
  const plane = planes.atLeast(2 * cellsPerPixel);
  const sx = plane.width / planes.width;
  const sy = plane.height / planes.height;
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
        const w = toQuery[6]! * u + toQuery[7]! * v + toQuery[8]!;
        const qx = (toQuery[0]! * u + toQuery[1]! * v + toQuery[2]!) / w;
        const qy = (toQuery[3]! * u + toQuery[4]! * v + toQuery[5]!) / w;
        if (qx >= -0.5 && qy >= -0.5 && qx <= planes.width - 0.5 && qy <= planes.height - 0.5) within += 1;
        sum += sample(plane, (qx + 0.5) * sx - 0.5, (qy + 0.5) * sy - 0.5);
      }
      data[y * width + x] = sum / 4;
      if (within === 4) row += 1;
      inside[(y + 1) * (width + 1) + x + 1] = inside[y * (width + 1) + x + 1]! + row;
    }
  }
  const luma = { width, height, data };
  return { left, top, luma, inside, ...splitBands(luma) };
}

/** Whether the query covers all cells of the rectangle, its right and bottom edges excluded. */
export function covers(window: Window, left: number, top: number, right: number, bottom: number): boolean {
  const x0 = left - window.left;
  const y0 = top - window.top;
  const x1 = right - window.left;
  const y1 = bottom - window.top;
  const stride = window.luma.width + 1;
  if (x0 < 0 || y0 < 0 || x1 > window.luma.width || y1 > window.luma.height) return false;
  const { inside } = window;
  const sum = (y: number, x: number): number => inside[y * stride + x]!;
  const cells = sum(y1, x1) - sum(y0, x1) - sum(y1, x0) + sum(y0, x0);
  return cells === (x1 - x0) * (y1 - y0);
}

const GRID = 24;

/** Share of a grid over the first frame that a map puts within the second. */
function shareWithin(
  map: PlanarMap,
  from: { width: number; height: number },
  to: { width: number; height: number },
): number {
  const slack = 0.01 * Math.max(to.width, to.height);
  let within = 0;
  for (let row = 0; row < GRID; row += 1)
    for (let column = 0; column < GRID; column += 1) {
      const x = ((column + 0.5) / GRID) * from.width - 0.5;
      const y = ((row + 0.5) / GRID) * from.height - 0.5;
      const [u, v] = apply(map, x, y);
      if (
        u >= -0.5 - slack &&
        v >= -0.5 - slack &&
        u <= to.width - 0.5 + slack &&
        v <= to.height - 0.5 + slack
      )
        within += 1;
    }
  return within / (GRID * GRID);
}

/**
 * How completely the smaller of the two pictures lies within the other, 0..1. A crop lies within its original, and an original
 * within the page it is pasted on; two pictures that only share a part overlap in less of both.
 */
export function containment(toMap: PlanarMap, planes: QueryPlanes, layer: ResidualLayer): number {
  const toQuery = invertMap(toMap);
  if (toQuery === null) return 0;
  return Math.max(shareWithin(toMap, planes, layer), shareWithin(toQuery, layer, planes));
}
