import { rescale } from "../geometry/rescale.ts";
import type { Luma } from "./luma.ts";
import type { Plane } from "./plane.ts";
import { sampleLinear } from "./resample.ts";
import { vectorShrink } from "./vector-shrink.ts";

/** Brings the longer side to `side` pixels: area averaging downwards, linear interpolation upwards. */
export function fitPlane(source: Luma, side: number): Plane {
  const scale = side / Math.max(source.width, source.height);
  const width = Math.max(8, Math.round(source.width * scale));
  const height = Math.max(8, Math.round(source.height * scale));
  return resizePlane(source, width, height);
}

/** Area averaging where neither side grows, else linear interpolation. */
export function resizePlane(source: Luma, width: number, height: number): Plane {
  if (width <= source.width && height <= source.height) return vectorShrink(source, width, height);
  return enlarge(source, width, height);
}

function enlarge(source: Luma, width: number, height: number): Plane {
  const data = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    const sy = rescale(y, height, source.height);
    for (let x = 0; x < width; x += 1, at += 1) {
      data[at] = sampleLinear(source, rescale(x, width, source.width), sy);
    }
  }
  return { width, height, data };
}
