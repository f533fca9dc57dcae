import type { PlanarMap } from "./planar-map.ts";

/** Carries a pixel position of a raster of `from` pixels over to one of `to`; pixel centres at integers in both. */
export function rescale(position: number, from: number, to: number): number {
  return ((position + 0.5) * to) / from - 0.5;
}

/** The same for positions of any length and type. */
export function rescaleAll(positions: ArrayLike<number>, from: number, to: number): Float64Array {
  const carried = new Float64Array(positions.length);
  for (let k = 0; k < carried.length; k += 1) carried[k] = rescale(positions[k]!, from, to);
  return carried;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The same as a map of both coordinates. */
export function rescalingMap(from: Size, to: Size): PlanarMap {
  const across = to.width / from.width;
  const down = to.height / from.height;
  return Float64Array.of(across, 0, (across - 1) / 2, 0, down, (down - 1) / 2, 0, 0, 1);
}
