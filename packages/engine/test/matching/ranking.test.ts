import { expect, test } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Features } from "../../src/features/features.ts";
import { Ranking, indexQuery } from "../../src/matching/rank/ranking.ts";
import { wordTag } from "../../src/packet/original.ts";
import { PROBES_PER_POINT } from "../../src/packet/query.ts";

const SHARED = 40;

function scattered(seed: number, count: number): Features {
  const random = seededRandom(seed);
  const column = (most: number): Float32Array => Float32Array.from({ length: count }, () => most * random());
  return {
    width: 480,
    height: 320,
    count,
    x: column(479),
    y: column(319),
    size: Float32Array.from({ length: count }, () => 4),
    angle: column(0),
    response: column(1),
    bits: Uint32Array.from({ length: 4 * count }, () => 2 ** 32 * random()),
  };
}

function join<Column extends Float32Array | Uint32Array>(a: Column, b: Column): Column {
  const joined = new (a.constructor as new (length: number) => Column)(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/**
 * The vote for an original of 40 points in a query that shows them after `before` others, each described by `apart`
 * other bits.
 */
function score(before: number, apart = 0): number {
  const points = scattered(1, SHARED);
  const others = scattered(2, before);
  const features: Features = {
    ...points,
    count: before + SHARED,
    x: join(others.x, points.x),
    y: join(others.y, points.y),
    size: join(others.size, points.size),
    angle: join(others.angle, points.angle),
    response: join(others.response, points.response),
    bits: join(
      others.bits,
      points.bits.map((word, k) => (k % 4 === 0 ? (word ^ (2 ** apart - 1)) >>> 0 : word)),
    ),
  };
  const probes = new Int32Array(PROBES_PER_POINT * features.count).fill(-1);
  for (let k = 0; k < SHARED; k += 1) probes[PROBES_PER_POINT * (before + k)] = k;
  const luma = { width: 1, height: 1, data: new Uint8Array(1) };
  const original = {
    packetId: new Uint8Array(16),
    features: points,
    placing: points,
    wordTags: Uint16Array.from({ length: SHARED }, (_, k) => wordTag(k)),
    whole: new Uint8Array(0),
    residual: new Uint8Array(0),
    kinds: new Uint8Array(0),
  };
  const terms = new Float64Array(256);
  const query = { features, probes, luma, terms, quantisation: 0 };
  const scores = new Ranking().score(indexQuery(query), original);
  return Math.max(...scores);
}

test("a point votes wherever it stands among a query's points, however many there are", () => {
  expect(score(0)).toBeGreaterThan(SHARED);
  for (const before of [100, 4096, 9000]) expect(score(before)).toBe(score(0));
});

test("points that are nearer in description count more: twice as much for eight bits", () => {
  expect(score(0, 14)).toBeCloseTo(SHARED);
  expect(score(0, 6)).toBeCloseTo(2 * SHARED);
  expect(score(0, 22)).toBeCloseTo(SHARED / 2);
});
