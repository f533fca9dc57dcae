import { binarise, BITS_STRIDE } from "../../features/binarise.ts";
import type { Features } from "../../features/features.ts";
import { hamming } from "../../features/hamming.ts";
import { DESCRIPTOR_LENGTH } from "../../features/sift/descriptor.ts";
import { type Extremum, pointAt } from "../../features/sift/extrema.ts";
import { octaveSizes } from "../../features/sift/pyramid.ts";
import { vectorSift } from "../../features/sift/vector-sift.ts";
import { discard } from "../../image/discard.ts";
import type { Luma } from "../../image/luma.ts";
import { softenLuma } from "../../image/soften.ts";
import type { Alignment } from "./alignment.ts";
import type { DescribedAgain } from "./describe-again.ts";
import { layOn } from "./laid-query.ts";
import type { QueryPlanes } from "./query-planes.ts";

/** Blurs that are tried, pixels of the raster in which the original's points were found. */
const TRIED = [1, 1.4, 2, 2.8, 4] as const;
/** Points that are asked at most, spread over all of them. */
const ASKED = 150;
/** Bits of 128 from which a point tells nothing. */
const STRANGE = 34;
/**
 * How much better the points must agree with a blurred query, and in how many points' worth at least, before it counts
 * as sharper than the original.
 */
const BETTER = 1.06;
const LEAST = 4;

/** One of an original's points, and where it lies in a scale space of its raster. */
interface PointThere {
  readonly i: number;
  readonly point: Extremum;
}

/** What a point that differs by so many bits counts: what it differs by less than a strange one, in whole points. */
const agreeing = (distance: number): number => Math.max(0, STRANGE - distance) / STRANGE;

/** How well an original's points agree with a query that lies on their raster. */
function agreement(original: Features, points: readonly PointThere[], luma: Luma): number {
  using pyramid = vectorSift.buildPyramid(luma);
  const descriptor = new Float32Array(DESCRIPTOR_LENGTH);
  const bits = new Uint32Array(BITS_STRIDE);
  let sum = 0;
  for (const { i, point } of points) {
    vectorSift.describe(pyramid.octaves[point.octave]!, point, original.angle[i]!, descriptor);
    binarise(descriptor, bits);
    sum += agreeing(hamming(original.bits, i, bits, 0));
  }
  discard(descriptor);
  return sum;
}

/**
 * By how much more an original was blurred when it was registered than a query is: the blur of the query, a Gaussian's
 * sigma in its own pixels, with which the original's points agree best; 0 where it is as sharp, or less. No key has a
 * say.
 *
 * @param again how the points look in the query as it is
 */
export function softnessOf(
  original: Features,
  { covered, distance }: DescribedAgain,
  alignment: Alignment,
  planes: QueryPlanes,
  isInverted: boolean,
): number {
  using laid = layOn(original, alignment, planes, isInverted);
  if (laid === null) return 0;
  const octaves = octaveSizes(laid.luma).length;
  const shown: PointThere[] = [];
  for (let i = 0; i < original.count; i += 1) {
    const point = pointAt({ x: original.x[i]!, y: original.y[i]!, size: original.size[i]! }, octaves);
    if (point !== null && covered[i] === 1) shown.push({ i, point });
  }
  const step = Math.ceil(shown.length / ASKED);
  const points = shown.filter((_, k) => k % step === 0);
  let best = { sigma: 0, agreement: points.reduce((sum, { i }) => sum + agreeing(distance[i]!), 0) };
  for (const sigma of TRIED) {
    const luma = softenLuma(laid.luma, sigma);
    const softened = agreement(original, points, luma);
    discard(luma.data);
    const least = best.sigma === 0 ? Math.max(LEAST, BETTER * best.agreement) : best.agreement;
    if (softened <= least) break;
    best = { sigma, agreement: softened };
  }
  return best.sigma / laid.pixel;
}
