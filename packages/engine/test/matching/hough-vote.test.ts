import { expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Features } from "../../src/features/features.ts";
import { HoughVote, type Placed } from "../../src/matching/rank/hough-vote.ts";
import { LIMITS } from "../../src/matching/limits.ts";
import { VARIANTS, type Variant, variantFeatures } from "../../src/matching/rank/variants.ts";

interface Pair {
  readonly original: number;
  readonly query: number;
  readonly variant: Variant;
}

function scattered(random: () => number, count: number): Features {
  const column = (least: number, most: number): Float32Array =>
    Float32Array.from({ length: count }, () => least + (most - least) * random());
  return {
    width: 480,
    height: 320,
    count,
    x: column(0, 479),
    y: column(0, 319),
    size: Float32Array.from({ length: count }, () => 2 ** (5 * random())),
    angle: column(0, 2 * Math.PI),
    response: column(0, 1),
    bits: new Uint32Array(4 * count),
  };
}

const twoFrom = (bin: number): number[] => [Math.floor(bin - 0.5), Math.floor(bin - 0.5) + 1];

/** The best place of each variant, by counting every place. */
function counted(pairs: readonly Pair[], variants: readonly Features[], original: Placed): number[] {
  const uses = (of: (pair: Pair) => number, which: number): number =>
    pairs.filter((pair) => of(pair) === which).length;
  const votes = new Map<string, number>();
  const best = VARIANTS.map(() => 0);
  const side = Math.max(original.width, original.height);
  for (const { original: i, query: j, variant } of pairs) {
    const query = variants[variant]!;
    const weight = 1 / (uses((pair) => pair.original, i) * uses((pair) => pair.query, j));
    const scale = query.size[j]! / original.size[i]!;
    const turn = query.angle[j]! - original.angle[i]!;
    const [dx, dy] = [
      ((original.width - 1) / 2 - original.x[i]!) * scale,
      ((original.height - 1) / 2 - original.y[i]!) * scale,
    ];
    const x = query.x[j]! + dx * Math.cos(turn) - dy * Math.sin(turn);
    const y = query.y[j]! + dx * Math.sin(turn) + dy * Math.cos(turn);
    for (const s of twoFrom(Math.log(scale) / Math.LN2)) {
      const cell = LIMITS.rank.positionShare * side * Math.exp((s + 0.5) * Math.LN2);
      for (const a of twoFrom((turn / (2 * Math.PI)) * 16)) {
        for (const xBin of twoFrom(x / cell)) {
          for (const yBin of twoFrom(y / cell)) {
            const key = [variant, s, a & 15, xBin, yBin].join(" ");
            votes.set(key, (votes.get(key) ?? 0) + weight);
            best[variant] = Math.max(best[variant]!, votes.get(key)!);
          }
        }
      }
    }
  }
  return best;
}

it("gives the votes for the best place of each variant to the last digit, as counting every place does", () => {
  const random = seededRandom(7);
  const vote = new HoughVote();
  for (const count of [0, 1, 2, 5, 30, 120, LIMITS.rank.pairs]) {
    const [own, asked] = [scattered(random, 80), scattered(random, 90)];
    const variants = VARIANTS.map((variant) => variantFeatures(asked, variant));
    const drawn = (most: number): number => Math.floor(most * random());
    const pairs = Array.from({ length: count }, () => ({
      original: drawn(80),
      query: drawn(90),
      variant: drawn(4) as Variant,
    }));
    const cast = (): void => {
      vote.clear();
      for (const { original, query, variant } of pairs) vote.add(original, query, variant, 1);
      expect(vote.room).toBe(LIMITS.rank.pairs - count);
      vote.share(80, 90);
    };
    const expected = counted(pairs, variants, own);
    cast();
    expect([...vote.scores(variants, own)]).toEqual(expected);
    cast();
    expect(vote.score(variants, own)).toBe(Math.max(...expected));
  }
});
