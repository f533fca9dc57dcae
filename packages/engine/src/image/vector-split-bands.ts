import { Arena, arenaBytes, doublesAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { type PlaneAt, planeBytes } from "../wasm/plane-at.ts";
import { gaussianTaps } from "./blur.ts";

const DOUBLE = 8;

/** Blurs a plane by so many cells. */
function blurInto({ width, height, at }: PlaneAt, cells: number, target: number): void {
  const taps = gaussianTaps(cells).toReversed();
  const radius = taps.length - 1;
  const sizes = {
    rows: planeBytes(width * height),
    taps: DOUBLE * taps.length,
    padded: DOUBLE * (width + 2 * taps.length + 4),
  };
  using arena = new Arena(Object.values(sizes).reduce((sum, size) => sum + arenaBytes(size), 0));
  const [rows, weights, padded] = [
    arena.allocate(sizes.rows),
    arena.allocate(sizes.taps),
    arena.allocate(sizes.padded),
  ];
  doublesAt(weights, taps.length).set(taps);
  kernels.blurPlane(at, target, width, height, weights, radius, rows, padded);
}

/** Writes the compared band of a plane, as `splitBands` finds it, to as much room elsewhere. */
export function bandInto(plane: PlaneAt, target: number): void {
  const count = plane.width * plane.height;
  const bytes = planeBytes(count);
  using arena = new Arena(arenaBytes(bytes));
  const coarse = arena.allocate(bytes);
  blurInto(plane, 1, target);
  blurInto(plane, 2, coarse);
  kernels.subtractPlane(target, coarse, target, count);
}

/** Writes what is finer than the band, likewise. */
export function finerInto(plane: PlaneAt, target: number): void {
  blurInto(plane, 1, target);
  kernels.subtractPlane(plane.at, target, target, plane.width * plane.height);
}
