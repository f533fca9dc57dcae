import { Arena, doublesAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { type PlaneAt, planeBytes } from "../wasm/plane-at.ts";
import { gaussianTaps } from "./blur.ts";

const DOUBLE = 8;

/** `blur` with the vector kernels: a plane blurred by so many cells is written to as much room elsewhere. */
export function blurInto({ width, height, at }: PlaneAt, cells: number, target: number): void {
  const taps = gaussianTaps(cells).toReversed();
  const radius = taps.length - 1;
  using arena = new Arena({
    rows: planeBytes(width * height),
    weights: DOUBLE * taps.length,
    padded: DOUBLE * (width + 2 * taps.length + 4),
  });
  const { rows, weights, padded } = arena.at;
  doublesAt(weights, taps.length).set(taps);
  kernels.blurPlane(at, target, width, height, weights, radius, rows, padded);
}
