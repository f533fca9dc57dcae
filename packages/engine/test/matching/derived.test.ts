import type { OverlayOptions, Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { examineCandidates } from "../../src/matching/match-query.ts";
import type { Candidate } from "../../src/matching/rank/rank-candidates.ts";
import {
  bendPicture,
  editPicture,
  examineQuery,
  PACKET_KEY,
  registerOriginal,
  scene,
  matchedIds,
} from "./pictures.ts";

const WIDTH = 512;
const HEIGHT = 360;
const SEEDS = [11, 12, 13, 14];

let originals: (Candidate & { readonly words: Int32Array })[];

beforeAll(async () => {
  originals = await Promise.all(SEEDS.map(async (seed) => registerOriginal(seed, await scene(seed))));
});

const plate = (
  left: number,
  top: number,
  width: number,
  height: number,
  background: string,
): OverlayOptions => ({ input: { create: { width, height, channels: 3, background } }, left, top });

/** Lays a sign over a picture, by default over half of it. */
const underSign = (picture: Sharp, top = 120, width = 430, height = 214): Sharp =>
  picture.composite([
    plate(10, top, width, height, "#c81428"),
    plate(150, top + 20, 150, 110, "#fff0c8"),
    plate(60, top + height - 54, 310, 34, "#ffffff"),
  ]);

/** The candidates that retrieval by words gives, then matching. */
async function lookUp(image: Uint8Array): Promise<number[]> {
  const { query, words } = await examineQuery(image);
  const known = new Set(words);
  const candidates = originals.filter(
    ({ words: filed }) => filed.filter((word) => known.has(word)).length >= 3,
  );
  return matchedIds(query, candidates, PACKET_KEY);
}

const crop = (
  share: number,
  x: number,
  y: number,
): { left: number; top: number; width: number; height: number } => {
  const width = Math.round(WIDTH * Math.sqrt(share));
  const height = Math.round(HEIGHT * Math.sqrt(share));
  return { left: Math.round(x * (WIDTH - width)), top: Math.round(y * (HEIGHT - height)), width, height };
};

describe("a derived picture names its original", () => {
  test.each([
    ["coded again at quality 20", (image: Uint8Array) => editPicture(image, (picture) => picture, 20)],
    [
      "shrunk to a quarter",
      (image: Uint8Array) => editPicture(image, (picture) => picture.resize(WIDTH / 4)),
    ],
    [
      "stretched",
      (image: Uint8Array) => editPicture(image, (picture) => picture.resize(WIDTH, 260, { fit: "fill" })),
    ],
    [
      "half of it",
      (image: Uint8Array) => editPicture(image, (picture) => picture.extract(crop(0.5, 0.2, 0.9))),
    ],
    [
      "a quarter of it",
      (image: Uint8Array) => editPicture(image, (picture) => picture.extract(crop(0.25, 0.6, 0.4)), 50),
    ],
    ["turned a quarter", (image: Uint8Array) => editPicture(image, (picture) => picture.rotate(90))],
    ["upside down", (image: Uint8Array) => editPicture(image, (picture) => picture.rotate(180))],
    ["turned by seven degrees", (image: Uint8Array) => editPicture(image, (picture) => picture.rotate(7))],
    ["mirrored", (image: Uint8Array) => editPicture(image, (picture) => picture.flop())],
    [
      "mirrored, inverted, half of it",
      (image: Uint8Array) =>
        editPicture(image, (picture) =>
          picture
            .extract(crop(0.5, 0.5, 0.5))
            .flop()
            .negate({ alpha: false }),
        ),
    ],
    ["blurred", (image: Uint8Array) => editPicture(image, (picture) => picture.blur(1.5))],
    [
      "darkened grey",
      (image: Uint8Array) => editPicture(image, (picture) => picture.greyscale().gamma(2.2).linear(0.7)),
    ],
    [
      "bordered",
      (image: Uint8Array) =>
        editPicture(image, (picture) =>
          picture.extend({ top: 60, bottom: 60, left: 90, right: 90, background: "white" }),
        ),
    ],
    ["bent outwards by a lens", (image: Uint8Array) => bendPicture(image, 0.08)],
    ["bent inwards by a lens", (image: Uint8Array) => bendPicture(image, -0.08)],
    [
      "mirrored and bent",
      async (image: Uint8Array) => bendPicture(await editPicture(image, (picture) => picture.flop()), 0.06),
    ],
    [
      "pixelated",
      (image: Uint8Array) =>
        editPicture(image, (picture) => picture.resize(WIDTH / 4)).then((small) =>
          editPicture(small, (picture) => picture.resize(WIDTH, HEIGHT, { kernel: "nearest" })),
        ),
    ],
    ["half hidden under a sign", (image: Uint8Array) => editPicture(image, underSign)],
  ])("%s", async (_edit, edit) => {
    expect(await lookUp(await edit(await scene(11)))).toEqual([11]);
  });

  test("a collage names each of its parts", async () => {
    const tiles = await Promise.all(
      SEEDS.slice(0, 3).map(async (seed) =>
        editPicture(await scene(seed), (picture) => picture.resize(360, 252), 95),
      ),
    );
    const page = await editPicture(await scene(99, 800, 600), (picture) =>
      picture.blur(12).composite(
        tiles.map((input, k) => ({
          input: Buffer.from(input),
          left: 20 + (k % 2) * 390,
          top: 20 + Math.floor(k / 2) * 280,
        })),
      ),
    );
    expect((await lookUp(page)).toSorted((a, b) => a - b)).toEqual(SEEDS.slice(0, 3));
  });
});

test("a sign over most of it does not lead the alignment astray", async () => {
  for (const [seed, width, height] of [
    [14, 440, 240],
    [17, 470, 260],
  ] as const) {
    const image = await scene(seed);
    const signed = await editPicture(image, (picture) => underSign(picture, 80, width, height));
    const { query } = await examineQuery(signed);
    const [finding] = examineCandidates(query, [await registerOriginal(seed, image)], PACKET_KEY);
    const { clear, good } = finding!.evidence.coarse!.all;
    expect(clear).toBeGreaterThan(0.5 * good);
  }
});
test("a sign over four tenths of it leaves the original to be found", async () => {
  for (const seed of [14, 17]) {
    const image = await scene(seed);
    const { query } = await examineQuery(
      await editPicture(image, (picture) => underSign(picture, 80, 430, 180)),
    );
    expect(matchedIds(query, [await registerOriginal(seed, image)], PACKET_KEY)).toEqual([seed]);
  }
});
test("a twentieth of a large picture finds it by words alone, wherever it was cut", async () => {
  const [width, height] = [1500, 1000];
  const image = await scene(15, width, height);
  const large = await registerOriginal(15, image);
  const filed = new Set(large.words);
  const part = { width: Math.round(width * Math.sqrt(0.05)), height: Math.round(height * Math.sqrt(0.05)) };
  for (const [x, y] of [
    [0.1, 0.1],
    [0.5, 0.5],
    [0.3, 0.9],
    [0.9, 0.9],
  ] as const) {
    const left = Math.round(x * (width - part.width));
    const top = Math.round(y * (height - part.height));
    const { query, words } = await examineQuery(
      await editPicture(image, (picture) => picture.extract({ left, top, ...part }), 50),
    );
    expect(words.filter((word) => filed.has(word)).length).toBeGreaterThan(5);
    expect(matchedIds(query, [large, ...originals], PACKET_KEY)).toEqual([15]);
  }
});

describe("a different picture names none", () => {
  test.each([21, 22, 23, 24])("scene %i", async (seed) => {
    const image = await scene(seed);
    expect(await lookUp(image)).toEqual([]);
    const { query } = await examineQuery(image);
    expect(matchedIds(query, originals, PACKET_KEY)).toEqual([]);
  });
});

test("a picture under the same sign as another names only itself", async () => {
  const signed = await Promise.all([31, 32].map(async (seed) => editPicture(await scene(seed), underSign)));
  const others = await Promise.all(signed.map((image, k) => registerOriginal(31 + k, image)));
  for (const [k, image] of signed.entries()) {
    expect(matchedIds((await examineQuery(image)).query, others, PACKET_KEY)).toEqual([31 + k]);
  }
});

test("the answer does not depend on the order of the candidates", async () => {
  const { query } = await examineQuery(
    await editPicture(await scene(12), (picture) => picture.extract(crop(0.5, 0, 0))),
  );
  expect(matchedIds(query, originals, PACKET_KEY)).toEqual([12]);
  expect(matchedIds(query, originals.toReversed(), PACKET_KEY)).toEqual([12]);
});

test("without the packet key nothing is confirmed", async () => {
  const { query } = await examineQuery(await scene(11));
  expect(matchedIds(query, originals, PACKET_KEY)).toEqual([11]);
  expect(matchedIds(query, originals, new Uint8Array(32))).toEqual([]);
});
