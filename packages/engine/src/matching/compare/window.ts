import { type PlanarMap, applyMap, depthAt, invertMap, multiplyMaps } from "../../geometry/planar-map.ts";
import { rescalingMap } from "../../geometry/rescale.ts";
import { discard } from "../../image/discard.ts";
import type { Luma } from "../../image/luma.ts";
import { resizePlane } from "../../image/resize-plane.ts";
import { bandInto } from "../../image/vector-split-bands.ts";
import { integersAt } from "../../wasm/arena.ts";
import { type PlaneAt, valuesAt } from "../../wasm/plane-at.ts";
import { sampleInto } from "./vector-sample-cells.ts";
import type { SamplesPerCell } from "./sample-cells.ts";
import type { Slot, WindowRoom } from "./window-room.ts";
import { BLOCK } from "../../signature/projections.ts";
import { LIMITS } from "../limits.ts";
import type { QueryPlanes } from "./query-planes.ts";
import type { ResidualLayer } from "../../signature/block-signature.ts";

/** Cells beyond the overlap that the band-pass filter looks at. */
const HALO = 10;

/** The part of the original's map that the query covers, sampled from the query: where the kernels' memory has it. */
export interface Window extends Slot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What a window shows, and the compared band of it. */
export function lumaOf({ width, height, luma }: Window): PlaneAt {
  return { width, height, at: luma };
}
export function bandOf({ width, height, band }: Window): PlaneAt {
  return { width, height, at: band };
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
    if (depthAt(toMap, x, y) <= 1e-9) return [0, 0, layer.width, layer.height];
    const { x: u, y: v } = applyMap(toMap, x, y);
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

/**
 * Samples the query on the original's map; null where the two do not overlap by a block. The window is given back to
 * the room once it is done with.
 */
export function sampleWindow(
  toMap: PlanarMap,
  cellsPerPixel: number,
  planes: QueryPlanes,
  layer: ResidualLayer,
  samples: SamplesPerCell,
  room: WindowRoom,
): Window | null {
  const bounds = windowBounds(toMap, planes, layer);
  const toQuery = invertMap(toMap);
  if (bounds === null || toQuery === null) return null;
  const [left, top, right, bottom] = bounds;
  const plane = planes.atLeast(2 * cellsPerPixel);
  planes.sampled += (right - left) * (bottom - top);
  const toPlane = multiplyMaps(rescalingMap(planes, plane), toQuery);
  const slot = room.take();
  sampleInto(plane, toPlane, { left, top, right, bottom }, samples, slot);
  const window = { left, top, width: right - left, height: bottom - top, ...slot };
  bandInto(lumaOf(window), slot.band);
  return window;
}

/** The original's whole map as a query shows it that is laid on it edge to edge, sampled as originals are. */
export function wholeWindow(luma: Luma, { width, height }: ResidualLayer, room: WindowRoom): Window {
  const window = { left: 0, top: 0, width, height, ...room.take() };
  const plane = resizePlane(luma, width, height);
  valuesAt(lumaOf(window)).set(plane.data);
  discard(plane.data);
  const inside = insideOf(window);
  inside.fill(0);
  for (let y = 1; y <= height; y += 1) {
    for (let x = 1; x <= width; x += 1) inside[y * (width + 1) + x] = y * x;
  }
  bandInto(lumaOf(window), window.band);
  return window;
}

/** A window's table of the cells inside the query; void once the kernels' memory moves. */
export function insideOf({ width, height, inside }: Window): Int32Array {
  return integersAt(inside, (width + 1) * (height + 1));
}

/**
 * Whether the query covers all cells of the rectangle, its right and bottom edges excluded. `inside`: `insideOf` the
 * window.
 */
export function covers(
  window: Window,
  inside: Int32Array,
  left: number,
  top: number,
  right: number,
  bottom: number,
): boolean {
  const x0 = left - window.left;
  const y0 = top - window.top;
  const x1 = right - window.left;
  const y1 = bottom - window.top;
  const stride = window.width + 1;
  if (x0 < 0 || y0 < 0 || x1 > window.width || y1 > window.height) return false;
  const above = inside[y0 * stride + x1]! - inside[y0 * stride + x0]!;
  const cells = inside[y1 * stride + x1]! - inside[y1 * stride + x0]! - above;
  return cells === (x1 - x0) * (y1 - y0);
}

const GRID = 24;

/** Share of a grid over the first frame that a map puts within the second. */
function shareWithin(
  map: PlanarMap,
  from: { width: number; height: number },
  to: { width: number; height: number },
): number {
  const slack = LIMITS.compare.containmentSlack * Math.max(to.width, to.height);
  let within = 0;
  for (let row = 0; row < GRID; row += 1) {
    for (let column = 0; column < GRID; column += 1) {
      const x = ((column + 0.5) / GRID) * from.width - 0.5;
      const y = ((row + 0.5) / GRID) * from.height - 0.5;
      const { x: u, y: v } = applyMap(map, x, y);
      if (
        u >= -0.5 - slack &&
        v >= -0.5 - slack &&
        u <= to.width - 0.5 + slack &&
        v <= to.height - 0.5 + slack
      ) {
        within += 1;
      }
    }
  }
  return within / (GRID * GRID);
}

/** How completely each of two pictures lies within the other, 0..1. */
export interface Within {
  readonly query: number;
  readonly original: number;
}

/**
 * A crop lies within its original, and an original within the page it is pasted on; two pictures that only share a part
 * overlap in less of both.
 */
export function sharesWithin(toMap: PlanarMap, planes: QueryPlanes, layer: ResidualLayer): Within {
  const toQuery = invertMap(toMap);
  if (toQuery === null) return { query: 0, original: 0 };
  return { query: shareWithin(toMap, planes, layer), original: shareWithin(toQuery, layer, planes) };
}
