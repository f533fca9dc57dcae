import { expect, test } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Features } from "../../src/features/features.ts";
import { hamming } from "../../src/features/hamming.ts";
import { findPlacements } from "../../src/matching/place/find-placement.ts";
import { matchGuided } from "../../src/matching/place/guided-matching.ts";
import { matchDescriptors } from "../../src/matching/place/match-descriptors.ts";
import { fitAffine, fitHomography, isNarrow } from "../../src/geometry/fit.ts";
import { LIMITS } from "../../src/matching/limits.ts";
import { invertMap } from "../../src/geometry/planar-map.ts";

function scattered(seed: number, count: number): Features {
  const random = seededRandom(seed);
  const column = (of: () => number): Float32Array => Float32Array.from({ length: count }, of);
  return {
    width: 480,
    height: 320,
    count,
    x: column(() => 479 * random()),
    y: column(() => 319 * random()),
    size: column(() => 2 + 8 * random()),
    angle: column(() => 2 * Math.PI * random()),
    response: column(() => random()),
    bits: Uint32Array.from({ length: 4 * count }, () => 2 ** 32 * random()),
  };
}

/**
 * The first `kept` points turned, scaled and shifted, a few bits flipped in each; the rest replaced by other points.
 */
function moved(original: Features, kept: number, turn: number, scale: number): Features {
  const other = scattered(77, original.count);
  const place = (i: number): [number, number] => [
    60 + scale * (Math.cos(turn) * original.x[i]! - Math.sin(turn) * original.y[i]!),
    90 + scale * (Math.sin(turn) * original.x[i]! + Math.cos(turn) * original.y[i]!),
  ];
  return {
    ...other,
    width: 640,
    x: other.x.map((value, i) => (i < kept ? place(i)[0] : value)),
    y: other.y.map((value, i) => (i < kept ? place(i)[1] : value)),
    size: other.size.map((value, i) => (i < kept ? scale * original.size[i]! : value)),
    angle: other.angle.map((value, i) => (i < kept ? original.angle[i]! + turn : value)),
    bits: other.bits.map((value, k) => (k < 4 * kept ? original.bits[k]! ^ 0x01001010 : value)),
  };
}

test.each([
  [0, 1],
  [0.4, 0.6],
  [2.8, 1.7],
])("finds a placement turned by %f and scaled by %f among foreign points", (turn, scale) => {
  const original = scattered(5, 300);
  const query = moved(original, 40, turn, scale);
  const [placement] = findPlacements(original, query, matchDescriptors(original, query), 1);
  expect(placement?.inliers).toBeGreaterThanOrEqual(38);
  expect(Math.hypot(placement?.map[0] ?? 0, placement?.map[3] ?? 0)).toBeCloseTo(1 / scale, 2);
});

test("points in disorder support no placement", () => {
  const original = scattered(5, 300);
  const shuffled = moved(original, 300, 0, 1);
  const query = { ...shuffled, x: scattered(6, 300).x, y: scattered(7, 300).y };
  const [placement] = findPlacements(original, query, matchDescriptors(original, query), 1);
  expect(placement?.inliers ?? 0).toBeLessThan(8);
});

test("one letter printed many times supports no placement", () => {
  const original = scattered(5, 60);
  const query = moved(original, 60, 0, 1);
  const same = { x: original.x.fill(100), y: original.y.fill(100) };
  const [placement] = findPlacements({ ...original, ...same }, query, matchDescriptors(original, query), 1);
  expect(placement?.inliers ?? 0).toBeLessThan(8);
});

test("marks that fit at two places give two placements, once each", () => {
  const original = scattered(5, 60);
  const [here, there] = [moved(original, 60, 0, 1), moved(original, 60, 0, 1)];
  const column = (of: (features: Features) => Float32Array): Float32Array =>
    Float32Array.of(...of(here), ...of(there));
  const query = {
    ...here,
    count: here.count + there.count,
    x: Float32Array.of(...here.x, ...there.x.map((x) => x + 150)),
    y: column(({ y }) => y),
    size: column(({ size }) => size),
    angle: column(({ angle }) => angle),
    response: column(({ response }) => response),
    bits: Uint32Array.of(...here.bits, ...there.bits),
  };
  const pairs = matchDescriptors(original, query);
  const placements = findPlacements(original, query, pairs, 8).filter(({ inliers }) => inliers >= 40);
  expect(placements.map(({ map }) => Math.round(-map[2]!)).toSorted((a, b) => a - b)).toEqual([60, 210]);
  expect(findPlacements(original, query, pairs, 1)).toHaveLength(1);
});

/** Twenty points at these heights, each where it was. */
function atHeights(y: (k: number) => number): Parameters<typeof isNarrow>[0] {
  const px = Float64Array.from({ length: 20 }, (_, k) => 20 * k);
  const py = Float64Array.from(px, (_, k) => y(k));
  return { count: 20, px, py, qx: px, qy: py };
}

test("points on a line tell nothing of what lies across it", () => {
  expect(isNarrow(atHeights((k) => 3 * (k % 2)))).toBe(true);
  expect(isNarrow(atHeights((k) => 30 * (k % 2)))).toBe(false);
  expect(isNarrow(atHeights((k) => 20 * k + (k % 3)))).toBe(true);
});

test("fits recover the map that made the points", () => {
  const { x, y } = scattered(9, 30);
  const map = Float64Array.of(0.8, 0.1, 5, -0.2, 1.1, 7, 1e-4, -2e-4, 1);
  const through = (m: Float64Array, k: number): [number, number] => {
    const w = m[6]! * x[k]! + m[7]! * y[k]! + m[8]!;
    return [(m[0]! * x[k]! + m[1]! * y[k]! + m[2]!) / w, (m[3]! * x[k]! + m[4]! * y[k]! + m[5]!) / w];
  };
  const pairs = (m: Float64Array): Parameters<typeof fitAffine>[0] => ({
    count: 30,
    px: Float64Array.from(x),
    py: Float64Array.from(y),
    qx: Float64Array.from(x, (_, k) => through(m, k)[0]),
    qy: Float64Array.from(y, (_, k) => through(m, k)[1]),
  });
  const bent = fitHomography(pairs(map), 0.5)!;
  for (let k = 0; k < 30; k += 1) expect(through(bent, k)[0]).toBeCloseTo(through(map, k)[0], 0);
  const flat = Float64Array.of(0.8, 0.1, 5, -0.2, 1.1, 7, 0, 0, 1);
  expect([...fitAffine(pairs(flat))!]).toEqual([...flat].map((value) => expect.closeTo(value, 6) as number));
  expect(invertMap(Float64Array.of(1, 2, 0, 2, 4, 0, 0, 0, 1))).toBeNull();
});

test("where a placement predicts a query's points, the one nearest in description is found wherever it lies", () => {
  const likeness = 0x0101_0101;
  const original = scattered(8, 400);
  const near = original.bits.map((word, k) => word & (k % 3 === 0 ? likeness : 0));
  // All of a size and turn, several in each place, many of them equal.
  const alike = { size: original.size.fill(3), angle: original.angle.fill(1) };
  const there = { ...original, ...alike, bits: near, x: original.x.map((x) => Math.round(x / 9) * 9) };
  const query = { ...there, bits: there.bits.map((word, k) => word ^ (k % 5 === 0 ? 1 : 0)) };
  const map = Float64Array.of(1, 0, 2, 0, 1, -1, 0, 0, 1);
  const placement = { inliers: 5, map, original: Int32Array.of(0), query: Int32Array.of(0) };
  const found = matchGuided(placement, there, query, 0, 0);
  const reach = LIMITS.placement.toleranceOfFit * LIMITS.placement.tolerance * there.width;
  const expected = Array.from({ length: query.count }, (_each, j) => {
    const distances = Array.from({ length: there.count }, (_, i) => {
      const apart = Math.hypot(query.x[j]! + 2 - there.x[i]!, query.y[j]! - 1 - there.y[i]!);
      return apart < reach ? hamming(there.bits, i, query.bits, j) : Number.POSITIVE_INFINITY;
    });
    return distances.indexOf(Math.min(...distances));
  });
  expect(found.inliers).toBeGreaterThan(100);
  expect([...found.query].map((j) => expected[j])).toEqual([...found.original]);
});
