import { Arena, arenaBytes, doublesAt, floatsAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { gaussianTaps } from "./blur.ts";
import type { Plane } from "./plane.ts";

const FLOAT = 4;
const DOUBLE = 8;
/** What vectors read and write past the end of a piece. */
const SPARE = 16;

/** `splitBands` with the vector kernels. */
export function vectorSplitBands({ width, height, data }: Plane): { band: Plane; fine: Plane } {
  const [finer, coarser] = [gaussianTaps(1).toReversed(), gaussianTaps(2).toReversed()];
  const bytes = FLOAT * width * height + SPARE;
  const taps = DOUBLE * Math.max(finer.length, coarser.length);
  const padded = DOUBLE * (width + 2 * Math.max(finer.length, coarser.length) + 4);
  using arena = new Arena(5 * arenaBytes(bytes) + arenaBytes(taps) + arenaBytes(padded));
  const planes = Array.from({ length: 5 }, () => arena.allocate(bytes)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const [source, rows, middle, coarse, difference] = planes;
  const weights = arena.allocate(taps);
  const line = arena.allocate(padded);
  floatsAt(source, width * height).set(data);
  for (const [kernel, target] of [
    [finer, middle],
    [coarser, coarse],
  ] as const) {
    const radius = kernel.length - 1;
    doublesAt(weights, kernel.length).set(kernel);
    kernels.blurPlane(source, target, width, height, weights, radius, rows, line);
  }
  const plane = (pointer: number): Plane => ({
    width,
    height,
    data: floatsAt(pointer, width * height).slice(),
  });
  kernels.subtractPlane(middle, coarse, difference, width * height);
  const band = plane(difference);
  kernels.subtractPlane(source, middle, difference, width * height);
  return { band, fine: plane(difference) };
}
