import { rescale } from "../geometry/rescale.ts";
import { BITS_STRIDE } from "./binarise.ts";
import type { Features } from "./features.ts";

/** All points of several rasters of one picture in the pixels of the first. */
export function joinFeatures(rasters: readonly Features[]): Features {
  const { width, height } = rasters[0]!;
  const count = rasters.reduce((sum, features) => sum + features.count, 0);
  const column = (of: (features: Features) => Float32Array): Float32Array => {
    const values = new Float32Array(count);
    let at = 0;
    for (const features of rasters) {
      values.set(of(features), at);
      at += features.count;
    }
    return values;
  };
  const bits = new Uint32Array(count * BITS_STRIDE);
  let at = 0;
  for (const features of rasters) {
    bits.set(features.bits, at);
    at += features.bits.length;
  }
  return {
    width,
    height,
    count,
    x: column((features) => features.x.map((x) => rescale(x, features.width, width))),
    y: column((features) => features.y.map((y) => rescale(y, features.height, height))),
    size: column((features) => {
      const scale = Math.sqrt((width * height) / (features.width * features.height));
      return features.size.map((size) => size * scale);
    }),
    angle: column((features) => features.angle),
    response: column((features) => features.response),
    bits,
  };
}

/** The first `count` points, as views. */
export function firstFeatures(features: Features, count: number): Features {
  const { x, y, size, angle, response, bits } = features;
  const first = (column: Float32Array): Float32Array => column.subarray(0, count);
  return {
    ...features,
    count,
    x: first(x),
    y: first(y),
    size: first(size),
    angle: first(angle),
    response: first(response),
    bits: bits.subarray(0, BITS_STRIDE * count),
  };
}
