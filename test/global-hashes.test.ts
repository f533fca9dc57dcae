import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type GlobalHash, hashDistance } from "../bench/matching/hashes/cosine-hash.ts";
import { distances, hashPicture, within } from "../bench/matching/hashes/global-hashes.ts";
import { pdqHash, pdqHex } from "../bench/matching/hashes/pdq.ts";
import { perceptualHash } from "../bench/matching/hashes/perceptual-hash.ts";
import { readLuma } from "../bench/matching/read-luma.ts";
import type { Luma } from "@colophon/engine/lab";
import { paintPicture } from "@colophon/testing/pictures.ts";

const WIDTH = 600;
const HEIGHT = 400;

type Change = (image: Sharp) => Sharp;

/** A painted picture as the hashes see it, changed on the way. */
async function picture(seed: number, change: Change = (image) => image): Promise<Luma> {
  const painted = sharp(paintPicture(seed, WIDTH, HEIGHT), {
    raw: { width: WIDTH, height: HEIGHT, channels: 3 },
  });
  return readLuma(await change(painted).png().toBuffer());
}

const TURNS: readonly [string, Change][] = [
  ["a quarter turn", (image) => image.rotate(90)],
  ["half a turn", (image) => image.rotate(180)],
  ["three quarters", (image) => image.rotate(270)],
  ["mirrored", (image) => image.flop()],
  ["upside down", (image) => image.flip()],
];

describe.each<[string, (luma: Luma) => GlobalHash, number]>([
  ["PDQ", pdqHash, 31],
  ["pHash", perceptualHash, 10],
])("%s", (_, hash, most) => {
  let original: GlobalHash;
  beforeAll(async () => {
    original = hash(await picture(1));
  });

  it.each(TURNS)("knows the picture after %s", async (_turn, change) => {
    expect(hashDistance(hash(await picture(1, change)), original)).toBeLessThanOrEqual(most / 2);
  });

  it("knows the picture at half its size, and no other picture", async () => {
    const half = hash(await picture(1, (image) => image.resize(WIDTH / 2)));
    expect(hashDistance(half, original)).toBeLessThanOrEqual(most / 2);
    expect(hashDistance(hash(await picture(2)), original)).toBeGreaterThan(most);
  });

  it("sets half its bits", () => {
    for (const turn of original.turns) {
      const ones = [...turn].map((word) => word.toString(2).replaceAll("0", "").length);
      expect(ones.reduce((sum, count) => sum + count, 0)).toBe(16 * turn.length);
    }
  });
});

/** Waves of known frequencies, with which sampling and filtering cannot interfere. */
const waves = (width: number, height: number): Luma => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
    return 128 + 60 * Math.cos(3 * Math.PI * x) * Math.cos(2 * Math.PI * y) + 40 * Math.cos(5 * Math.PI * y);
  }),
});

describe("PDQ", () => {
  it("puts a wave of frequencies u and v at bit 16 (v - 1) + u - 1", () => {
    const [upright] = pdqHash(waves(640, 512)).turns;
    const set = (bit: number): boolean => (((upright?.[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
    expect(set(16 * (2 - 1) + 3 - 1)).toBe(true);
    expect(pdqHex(upright ?? new Uint32Array())).toMatch(/^[0-9a-f]{64}$/);
  });

  it("finds no structure in an even picture, and matches it with nothing", async () => {
    const even = { width: 64, height: 64, data: new Uint8Array(64 * 64).fill(90) };
    expect(pdqHash(even)).toMatchObject({ quality: 0, usable: false });
    expect(pdqHash(await picture(1))).toMatchObject({ quality: 100, usable: true });
    const originals = new Map([
      ["even", hashPicture(even)],
      ["painted", hashPicture(await picture(1))],
    ]);
    expect(within(distances(hashPicture(even), originals, "pdq"), 256)).toEqual([]);
    expect(within(distances(hashPicture(await picture(1)), originals, "pdq"), 256)).toEqual(["painted"]);
  });
});
