import { Arena } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { type PlaneAt, planeBytes } from "../wasm/plane-at.ts";
import { blurInto } from "./vector-blur.ts";

/** Writes the compared band of a plane, as `splitBands` finds it, to as much room elsewhere. */
export function bandInto(plane: PlaneAt, target: number): void {
  const count = plane.width * plane.height;
  using arena = new Arena({ coarse: planeBytes(count) });
  const { coarse } = arena.at;
  blurInto(plane, 1, target);
  blurInto(plane, 2, coarse);
  kernels.subtractPlane(target, coarse, target, count);
}

/** Writes what is finer than the band, likewise. */
export function finerInto(plane: PlaneAt, target: number): void {
  blurInto(plane, 1, target);
  kernels.subtractPlane(plane.at, target, target, plane.width * plane.height);
}
