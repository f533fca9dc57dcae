import { type PlanarMap, applyMap, depthAt } from "../geometry/planar-map.ts";

/** Cells of a map, or pixels of a plane, the right and bottom edges excluded. */
export interface Cells {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Size {
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
 * Which part of a plane the cells of a window are sampled from; all of it where the map, cells to its pixels, has a
 * horizon in the window.
 */
export function partFor({ width, height }: Size, toPlane: PlanarMap, window: Cells): Cells {
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const [u, v] of [
    [window.left - 1, window.top - 1],
    [window.right, window.top - 1],
    [window.left - 1, window.bottom],
    [window.right, window.bottom],
  ] as const) {
    if (!(depthAt(toPlane, u, v) > 1e-9)) return { left: 0, top: 0, right: width, bottom: height };
    const { x, y } = applyMap(toPlane, u, v);
    xs.push(x);
    ys.push(y);
  }
  return {
    left: firstOf(xs, width),
    top: firstOf(ys, height),
    right: endOf(xs, width),
    bottom: endOf(ys, height),
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
