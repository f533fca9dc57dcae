import { Arena, floatsAt } from "../wasm/arena.ts";
import { planeBytes } from "../wasm/plane-at.ts";
import { discard } from "./discard.ts";
import type { Luma } from "./luma.ts";
import { resizeLuma } from "./raster.ts";
import { blurInto } from "./vector-blur.ts";

/** Blur, in pixels, for which a raster is fine enough: what is blurred more is blurred at a smaller size. */
const ENOUGH = 2;

function blurInPlace({ width, height, data }: Luma, sigma: number): void {
  const bytes = planeBytes(data.length);
  using arena = new Arena({ plane: bytes, target: bytes });
  const { target } = arena.at;
  const plane = { width, height, at: arena.at.plane };
  floatsAt(plane.at, data.length).set(data);
  blurInto(plane, sigma, target);
  const blurred = floatsAt(target, data.length);
  for (let k = 0; k < data.length; k += 1) data[k] = Math.round(blurred[k]!);
}

/** A luma raster blurred by a Gaussian of so many pixels, of the same size. The caller owns it. */
export function softenLuma(luma: Luma, sigma: number): Luma {
  const { width, height } = luma;
  const scale = Math.min(1, ENOUGH / sigma);
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  const small = resizeLuma(luma, side(width), side(height));
  blurInPlace(small, sigma * scale);
  const softened = resizeLuma(small, width, height);
  discard(small.data);
  return softened;
}
