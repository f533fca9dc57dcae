import * as fc from "fast-check";
import { expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Features } from "../../src/features/features.ts";
import type { Pairs } from "../../src/matching/place/match-descriptors.ts";
import { type Similarities, similarities, strongestHypotheses } from "../../src/matching/place/hypotheses.ts";

const apart = (a: number, b: number): number => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

/** Every one of the 400 nearest pairs against every pair, as the definition says. */
function expected(pairs: Pairs, s: Similarities, reach: number, most: number): number[] {
  const all = Array.from({ length: pairs.count }, (_, k) => k);
  const votes = (h: number): number =>
    all.filter((k) => {
      const ex = s.re[h]! * s.x[k]! - s.im[h]! * s.y[k]! + s.tx[h]! - s.u[k]!;
      const ey = s.im[h]! * s.x[k]! + s.re[h]! * s.y[k]! + s.ty[h]! - s.v[k]!;
      const near = ex * ex + ey * ey < reach ** 2;
      return near && Math.abs(s.logScale[k]! - s.logScale[h]!) < 0.7 && apart(s.turn[k]!, s.turn[h]!) < 0.6;
    }).length;
  return all
    .toSorted((a, b) => pairs.distance[a]! - pairs.distance[b]! || a - b)
    .slice(0, 400)
    .map((h) => ({ h, agreeing: votes(h) }))
    .toSorted((a, b) => b.agreeing - a.agreeing || a.h - b.h)
    .slice(0, most)
    .filter(({ agreeing }) => agreeing >= 3)
    .map(({ h }) => h);
}

function points(count: number, random: () => number, side: number, least: number, most: number): Features {
  const column = (from: number, to: number): Float32Array =>
    Float32Array.from({ length: count }, () => from + (to - from) * random());
  return {
    width: side,
    height: side,
    count,
    x: column(0, side),
    y: column(0, side),
    size: column(2, 6),
    angle: column(least, most),
    response: column(0, 1),
    bits: new Uint32Array(4 * count),
  };
}

it("finds the hypotheses that trying every pair against every other does", () => {
  let found = 0;
  const subject = fc.record({
    seed: fc.integer(),
    count: fc.constantFrom(1, 2, 30, 250, 600),
    // Small pictures, so that pairs agree by chance; variants of a query turn its angles beyond a whole turn.
    side: fc.constantFrom(12, 40, 120),
    turns: fc.constantFrom<[number, number][]>([0, 6.28], [-3.14, 3.14], [-3.14, 9.42], [6, 6.6]),
  });
  fc.assert(
    fc.property(subject, ({ seed, count, side, turns }) => {
      const random = seededRandom(seed);
      const original = points(count, random, side, 0, 2 * Math.PI);
      const query = points(count, random, side, ...turns);
      const pairs: Pairs = {
        count,
        original: Int32Array.from({ length: count }, () => count * random()),
        query: Int32Array.from({ length: count }, (_, k) => k),
        distance: Uint8Array.from({ length: count }, () => 35 * random()),
      };
      const s = similarities(original, query, pairs);
      const hypotheses = strongestHypotheses(pairs, s, 6, 4);
      expect(hypotheses).toEqual(expected(pairs, s, 6, 4));
      found += hypotheses.length;
    }),
  );
  expect(found).toBeGreaterThan(0);
});
