import { BITS_STRIDE, type Features, hamming, type Luma } from "@colophon/engine/lab";

/** A patch is this many samples square, over the whole of what a descriptor sees. */
export const PATCH = 16;
const CELLS = PATCH * PATCH;
/** Half the side of what a descriptor sees, in sizes of its point. */
export const REACH = 3;

/** Where a sample of the patch lies, -1 to 1. */
const place = (sample: number): number => (2 * (sample + 0.5)) / PATCH - 1;

/** How much a sample counts: descriptors see their middle best. */
const WINDOW = Float64Array.from({ length: CELLS }, (_, k) =>
  Math.exp(-(place(k % PATCH) ** 2 + place(Math.floor(k / PATCH)) ** 2)),
);

/** Linear interpolation, border pixels repeated outside. */
function sampleAt(luma: Luma, x: number, y: number): number {
  const cx = Math.min(luma.width - 1, Math.max(0, x));
  const cy = Math.min(luma.height - 1, Math.max(0, y));
  const [x0, y0] = [Math.floor(cx), Math.floor(cy)];
  const [x1, y1] = [Math.min(luma.width - 1, x0 + 1), Math.min(luma.height - 1, y0 + 1)];
  const { data, width } = luma;
  const upper = data[y0 * width + x0]! * (1 - cx + x0) + data[y0 * width + x1]! * (cx - x0);
  const lower = data[y1 * width + x0]! * (1 - cx + x0) + data[y1 * width + x1]! * (cx - x0);
  return upper * (1 - cy + y0) + lower * (cy - y0);
}

/** Cuts what a point sees, upright in the point's own direction, its mean removed. */
function cutPatch(luma: Luma, features: Features, point: number, into: Float64Array): void {
  const reach = REACH * features.size[point]!;
  const [cos, sin] = [Math.cos(features.angle[point]!) * reach, Math.sin(features.angle[point]!) * reach];
  let [sum, weight] = [0, 0];
  for (let k = 0; k < CELLS; k += 1) {
    const [u, v] = [place(k % PATCH), place(Math.floor(k / PATCH))];
    into[k] = sampleAt(luma, features.x[point]! + u * cos - v * sin, features.y[point]! + u * sin + v * cos);
    sum += WINDOW[k]! * into[k]!;
    weight += WINDOW[k]!;
  }
  for (let k = 0; k < CELLS; k += 1) into[k]! -= sum / weight;
}

/** Root mean square of a patch's differences: descriptors do not say how strong a pattern is. */
function strengthOf(patch: Float64Array): number {
  let [sum, weight] = [1e-6, 0];
  for (let k = 0; k < CELLS - PATCH; k += 1) {
    if (k % PATCH === PATCH - 1) continue;
    sum += WINDOW[k]! * ((patch[k + 1]! - patch[k]!) ** 2 + (patch[k + PATCH]! - patch[k]!) ** 2);
    weight += WINDOW[k]!;
  }
  return Math.sqrt(sum / weight);
}

/** What descriptors of other pictures looked like: the attacker's dictionary. */
export class PatchDictionary {
  readonly #patches: Float32Array[] = [];
  readonly #bits: Uint32Array[] = [];
  #strengths = 0;
  #count = 0;

  /** Learns a picture: its raster and the points found in it. */
  add(luma: Luma, features: Features): void {
    const patches = new Float32Array(features.count * CELLS);
    const patch = new Float64Array(CELLS);
    for (let point = 0; point < features.count; point += 1) {
      cutPatch(luma, features, point, patch);
      const strength = strengthOf(patch);
      patches.set(
        patch.map((value) => value / strength),
        point * CELLS,
      );
      this.#strengths += Math.log(strength);
    }
    this.#patches.push(patches);
    this.#bits.push(features.bits);
    this.#count += features.count;
  }

  /** The mean of the `among` patches whose descriptors are nearest, at the strength that is usual. */
  nearest(features: Features, point: number, among: number): Float64Array {
    const found: { distance: number; picture: number; at: number }[] = [];
    let limit = Number.POSITIVE_INFINITY;
    for (const [picture, bits] of this.#bits.entries()) {
      for (let at = 0; at < bits.length / BITS_STRIDE; at += 1) {
        const distance = hamming(features.bits, point, bits, at);
        if (distance >= limit) continue;
        const rank = found.findLastIndex((other) => other.distance <= distance) + 1;
        found.splice(rank, 0, { distance, picture, at });
        if (found.length > among) found.pop();
        if (found.length === among) limit = found[among - 1]!.distance;
      }
    }
    const patch = new Float64Array(CELLS);
    for (const { picture, at } of found) {
      const kept = this.#patches[picture]!;
      for (let k = 0; k < CELLS; k += 1) patch[k]! += kept[at * CELLS + k]!;
    }
    const factor = Math.exp(this.#strengths / this.#count) / strengthOf(patch);
    return patch.map((value) => value * factor);
  }
}
