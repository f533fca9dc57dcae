import * as fc from "fast-check";
import { expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { rankingTag, type StoredOriginal, wordTag } from "../../src/packet/original.ts";
import { encodeRankingPart, MAX_RANKING_POINTS, RankingPart } from "../../src/packet/ranking-part.ts";
import { WHOLE_SIGNATURE_BYTES } from "../../src/signature/whole-signature.ts";

/** An original whose points are filed under words of their own, and every fifth under none. */
function scattered(count: number): { original: StoredOriginal; words: Int32Array } {
  const random = seededRandom(count + 1);
  const column = (least: number, most: number): Float32Array =>
    Float32Array.from({ length: count }, () => least + (most - least) * random());
  // Neighbouring words have tags far apart.
  const all = Int32Array.from({ length: count }, (_, i) => 1_000_000 - i);
  const features = {
    width: 480,
    height: 320,
    count,
    x: column(0, 479),
    y: column(0, 319),
    size: column(1, 90),
    angle: column(0, 6.28),
    response: column(1, 1),
    bits: new Uint32Array(4 * count),
  };
  const original = {
    packetId: new Uint8Array(16),
    features,
    placing: features,
    wordTags: Uint16Array.from(all, wordTag),
    whole: Uint8Array.from({ length: WHOLE_SIGNATURE_BYTES }, () => 256 * random()),
    residual: new Uint8Array(0),
    kinds: new Uint8Array(0),
  };
  return { original, words: Int32Array.from([...all.filter((_, i) => i % 5 > 0), -3]) };
}

it("keeps a tag of its word and a rough place of each of the strongest points that are filed", () => {
  for (const count of [0, 1, 300, 600]) {
    const { original, words } = scattered(count);
    const { features, whole } = original;
    const part = RankingPart.read(encodeRankingPart(original, words))!;
    const filed = Array.from({ length: count }, (_, i) => i)
      .filter((i) => i % 5 > 0)
      .slice(0, MAX_RANKING_POINTS);
    expect([part.count, part.width, part.height]).toEqual([filed.length, 480, 320]);
    expect(part.whole).toEqual(whole);
    const tags = new Uint32Array(MAX_RANKING_POINTS);
    part.readTags(tags);
    const [x, y, size, angle] = Array.from({ length: 4 }, () => new Float32Array(1));
    const place = { x: x!, y: y!, size: size!, angle: angle! };
    const point = new Map(filed.map((i) => [rankingTag(wordOf(i, words)), i]));
    for (let k = 0; k < part.count; k += 1) {
      const i = point.get(tags[k]!)!;
      part.readPlace(k, place, 0);
      expect(Math.abs(place.x[0]! - features.x[i]!)).toBeLessThan(480 / 12);
      expect(Math.abs(place.y[0]! - features.y[i]!)).toBeLessThan(320 / 12);
      expect(Math.abs(Math.log2(place.size[0]! / features.size[i]!))).toBeLessThan(0.26);
      const turn = Math.abs(place.angle[0]! - features.angle[i]!);
      expect(Math.min(turn, 2 * Math.PI - turn)).toBeLessThan(Math.PI / 31);
    }
  }
});

/** The word of point `i`: four of five points have one. */
function wordOf(i: number, words: Int32Array): number {
  return words[i - Math.floor(i / 5) - 1]!;
}

it("is null for anything else, and reads nothing past its end", () => {
  const { original, words } = scattered(40);
  const part = encodeRankingPart(original, words);
  fc.assert(
    fc.property(fc.nat(part.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      expect(RankingPart.read(part.slice(0, at))).toBeNull();
      const read = RankingPart.read(part.map((byte, k) => (k === at ? byte ^ flip : byte)));
      if (read !== null) read.readTags(new Uint32Array(read.count));
    }),
  );
  expect(RankingPart.read(new Uint8Array([...part, 0]))).toBeNull();
});
