import { binarise, BITS_STRIDE } from "../../features/binarise.ts";
import { drawnOdds } from "../../features/drawn.ts";
import type { Features } from "../../features/features.ts";
import { hamming } from "../../features/hamming.ts";
import { DESCRIPTOR_LENGTH } from "../../features/sift/descriptor.ts";
import { type Extremum, pointAt } from "../../features/sift/extrema.ts";
import type { Octave } from "../../features/sift/pyramid.ts";
import { vectorSift } from "../../features/sift/vector-sift.ts";
import { discard } from "../../image/discard.ts";
import { isShown, type LaidQuery } from "./laid-query.ts";
import { NONE_NEAR } from "./point-agreement.ts";

/**
 * How the original's own points look where the alignment puts them in the query, whether or not the query has points of
 * its own there.
 */
export interface DescribedAgain {
  /** Whether the query covers what a point's descriptor looks at, and is fine enough to show it. */
  readonly covered: Uint8Array;
  /** Differing bits of 128; `NONE_NEAR` where it is not covered. */
  readonly distance: Uint8Array;
  /** How much detail the query has there: the mean length of its gradients. */
  readonly detail: Float32Array;
  /** How much a point looks drawn by what is stored of it: `drawnOdds`. */
  readonly drawn: Uint8Array;
  /** The share of that detail that lies where the original's descriptor has some: about half by chance. */
  readonly kept: Float32Array;
}

/** Half the side of the square in which detail is measured, in scales of a point, and every how many samples. */
const SQUARE = 4;
const STEP = 2;

/** Mean length of the gradients in a square about a point. */
function detailAt({ width, height, layers }: Octave, { layer, column, row, scale }: Extremum): number {
  const samples = layers[layer]!;
  const half = Math.round(SQUARE * scale);
  const [middleX, middleY] = [Math.round(column), Math.round(row)];
  let [sum, count] = [0, 0];
  for (let y = Math.max(1, middleY - half); y <= Math.min(height - 2, middleY + half); y += STEP) {
    for (let x = Math.max(1, middleX - half); x <= Math.min(width - 2, middleX + half); x += STEP) {
      const at = y * width + x;
      const gx = samples[at + 1]! - samples[at - 1]!;
      const gy = samples[at + width]! - samples[at - width]!;
      sum += Math.sqrt(gx * gx + gy * gy);
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

/** The share of a RootSIFT descriptor that lies in the values which are set in the bits of another one. */
function keptOf(descriptor: Float32Array, bits: Uint32Array, i: number): number {
  let kept = 0;
  for (let k = 0; k < descriptor.length; k += 1) {
    if ((bits[BITS_STRIDE * i + (k >> 5)]! >> (k & 31)) & 1) kept += descriptor[k]! * descriptor[k]!;
  }
  return kept;
}

/**
 * Describes an original's points once more, in the query, where and as large and turned as the alignment says: what is
 * the same agrees in nearly all of its 128 bits, found by the query's own points or not, and hangs on no key. Costs
 * about as much as finding the points of a small raster.
 */
export function describeAgain(original: Features, laid: LaidQuery): DescribedAgain {
  using pyramid = vectorSift.buildPyramid(laid.luma);
  const { octaves } = pyramid;
  const covered = new Uint8Array(original.count);
  const distance = new Uint8Array(original.count).fill(NONE_NEAR);
  const [detail, kept] = [new Float32Array(original.count), new Float32Array(original.count)];
  const descriptor = new Float32Array(DESCRIPTOR_LENGTH);
  const bits = new Uint32Array(BITS_STRIDE);
  for (let i = 0; i < original.count; i += 1) {
    const place = { x: original.x[i]!, y: original.y[i]!, size: original.size[i]! };
    const point = pointAt(place, octaves.length);
    if (point === null || !isShown(laid, point)) continue;
    const octave = octaves[point.octave]!;
    vectorSift.describe(octave, point, original.angle[i]!, descriptor);
    binarise(descriptor, bits);
    covered[i] = 1;
    distance[i] = hamming(original.bits, i, bits, 0);
    detail[i] = detailAt(octave, point);
    kept[i] = keptOf(descriptor, original.bits, i);
  }
  discard(descriptor);
  return { covered, distance, detail, kept, drawn: drawnOdds(original) };
}
