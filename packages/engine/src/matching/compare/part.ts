import { type PlanarMap, applyMap, depthAt } from "../../geometry/planar-map.ts";
import type { Cells } from "./sample-cells.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Samples beside a place that its value is made of. */
const REACH = 2;

const within = (value: number, length: number): number => Math.min(length - 1, Math.max(0, value));
/** The first sample that the values at these places are made of, and the one after the last. */
const firstOf = (values: readonly number[], length: number): number =>
  Math.max(0, Math.floor(within(Math.min(...values), length)) - REACH);
const endOf = (values: readonly number[], length: number): number =>
  Math.min(length, Math.floor(within(Math.max(...values), length)) + REACH + 2);

/**
 * Which part of a plane the cells of a window are sampled from; all of it where the map has a horizon in the window. `query`: the size that `toQuery`,
 * cells to its pixels, leads to.
 */
export function partFor(plane: Size, query: Size, toQuery: PlanarMap, window: Cells): Cells {
  const all = { left: 0, top: 0, right: plane.width, bottom: plane.height };
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const [u, v] of [
    [window.left - 1, window.top - 1],
    [window.right, window.top - 1],
    [window.left - 1, window.bottom],
    [window.right, window.bottom],
  ] as const) {
    if (!(depthAt(toQuery, u, v) > 1e-9)) return all;
    const { x, y } = applyMap(toQuery, u, v);
    xs.push(((x + 0.5) * plane.width) / query.width - 0.5);
    ys.push(((y + 0.5) * plane.height) / query.height - 0.5);
  }
  return {
    left: firstOf(xs, plane.width),
    top: firstOf(ys, plane.height),
    right: endOf(xs, plane.width),
    bottom: endOf(ys, plane.height),
  };
}

/** Copies a part of a plane, row by row. */
export function copyPart<Pixels extends Float32Array | Uint8Array>(
  { width, data }: { readonly width: number; readonly data: Pixels },
  { left, top, right, bottom }: Cells,
  into: Pixels,
): void {
  for (let row = top; row < bottom; row += 1) {
    into.set(data.subarray(row * width + left, row * width + right), (row - top) * (right - left));
  }
}
