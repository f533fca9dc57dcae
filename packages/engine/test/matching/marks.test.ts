import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Candidate } from "../../src/matching/rank/rank-candidates.ts";
import { isSign } from "../../src/packet/original.ts";
import { examineQuery, matchedIds, PACKET_KEY, registerOriginal, scene } from "./pictures.ts";

const SIDE = 300;
type Colour = readonly [number, number, number];
const WHITE: Colour = [255, 255, 255];
const YELLOW: Colour = [255, 217, 59];
const BROWN: Colour = [201, 141, 0];
const BLACK: Colour = [20, 20, 20];

/**
 * A face of few points on a white square: a disc, two eyes, and a mouth that hangs so many pixels below its corners.
 */
function face(hang: number): Promise<Uint8Array> {
  const colourAt = (x: number, y: number): Colour => {
    const away = Math.hypot(x - 150, y - 150);
    if (away > 138) return WHITE;
    if (away > 132) return BROWN;
    if (((Math.abs(x - 150) - 45) / 16) ** 2 + ((y - 115) / 26) ** 2 < 1) return BLACK;
    const across = (x - 150) / 70;
    const isMouth = Math.abs(across) < 1 && Math.abs(y - 180 - hang * (1 - across * across)) < 7;
    return isMouth ? BLACK : YELLOW;
  };
  const pixels = Uint8Array.from(
    Array.from({ length: SIDE * SIDE }, (_, k) => colourAt(k % SIDE, Math.floor(k / SIDE))).flat(),
  );
  return png(pixels, SIDE, SIDE);
}

/** A bar, 22 times as wide as high, with one row of marks of these widths. */
function bar(widths: readonly number[]): Promise<Uint8Array> {
  const [width, height] = [968, 44];
  const pixels = new Uint8Array(3 * width * height).fill(250);
  for (const [k, wide] of widths.entries()) {
    for (let y = 12; y < 32; y += 1) {
      for (let x = 0; x < wide; x += 1) {
        // Bevelled, each in its own way.
        if (x + (y - 12) < 6 + (k % 3) * 4 || x - (y - 12) > wide - 8) continue;
        pixels.fill(20, 3 * (y * width + 30 + 60 * k + x), 3 * (y * width + 31 + 60 * k + x));
      }
    }
  }
  return png(pixels, width, height);
}

/** A code of black lines on white, with a row of small glyphs below them. */
function code(seed: number): Promise<Uint8Array> {
  const [width, height] = [360, 180];
  const random = seededRandom(seed);
  const pixels = new Uint8Array(3 * width * height).fill(255);
  const ink = (left: number, top: number, wide: number, high: number): void => {
    for (let y = top; y < top + high; y += 1) {
      pixels.fill(0, 3 * (y * width + left), 3 * (y * width + left + wide));
    }
  };
  for (let x = 20; x < width - 24; x += 3 + Math.floor(6 * random())) {
    const wide = 2 + Math.floor(4 * random());
    ink(x, 14, wide, 122);
    x += wide;
  }
  for (let x = 30; x < width - 40; x += 26) {
    for (let k = 0; k < 15; k += 1) {
      if (random() < 0.5) ink(x + 4 * (k % 3), 144 + 4 * Math.floor(k / 3), 4, 4);
    }
  }
  return png(pixels, width, height);
}

const RED: Colour = [179, 0, 27];

/** A flag: six stripes, and in its corner rows of five stars. */
function flag(rows: number): Promise<Uint8Array> {
  const [width, height] = [400, 260];
  const isStar = (x: number, y: number): boolean => {
    const [dx, dy] = [((x - 3) % 34) - 17, (y % (130 / rows)) - 65 / rows];
    const turn = (5 * Math.atan2(dx, -dy)) / (2 * Math.PI);
    return Math.hypot(dx, dy) < 11 - 14 * Math.abs(turn - Math.round(turn));
  };
  const colourAt = (x: number, y: number): Colour => {
    if (x < 180 && y < 130) return x >= 3 && x < 173 && isStar(x, y) ? WHITE : BLACK;
    return y % 40 >= 20 ? RED : WHITE;
  };
  const pixels = Array.from({ length: width * height }, (_, k) => colourAt(k % width, Math.floor(k / width)));
  return png(Uint8Array.from(pixels.flat()), width, height);
}

async function png(pixels: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  return new Uint8Array(
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  );
}

/** A painted scene, 1,000 x 680, that carries a mark so wide at a place. */
async function carrying(mark: Uint8Array, wide: number, left: number, top: number): Promise<Uint8Array> {
  const input = await sharp(mark).resize(wide).png().toBuffer();
  const picture = sharp(await scene(31, 1000, 680)).composite([{ input, left, top }]);
  return new Uint8Array(await picture.jpeg({ quality: 85 }).toBuffer());
}

async function matched(image: Uint8Array, candidates: readonly Candidate[]): Promise<number[]> {
  const { query } = await examineQuery(image);
  return matchedIds(query, candidates, PACKET_KEY);
}

describe("a mark on a photograph", () => {
  let faces: Candidate[];
  let bars: Candidate[];

  beforeAll(async () => {
    faces = [await registerOriginal(1, await face(20)), await registerOriginal(2, await face(36))];
    const widths = [20, 34, 26, 44, 22, 38, 30, 46, 24, 36, 28, 42, 32, 40];
    bars = [
      await registerOriginal(3, await bar(widths)),
      await registerOriginal(4, await bar(widths.toReversed())),
    ];
  });

  it("has few points, and those of small rasters beside them", () => {
    for (const { original } of [...faces, ...bars]) expect(isSign(original)).toBe(true);
  });

  it.each([
    [20, 1],
    [36, 2],
  ])("with few points is named at 3 %, and not another that differs in its mouth (%i)", async (hang, id) => {
    expect(await matched(await carrying(await face(hang), 143, 840, 520), faces)).toEqual([id]);
  });

  it("whose lines and glyphs are too small for the whole picture's raster shares words with it, and is named", async () => {
    const original = await registerOriginal(5, await code(7));
    const image = await carrying(await code(7), 200, 780, 20);
    const { query, words } = await examineQuery(image);
    const filed = new Set(original.words);
    expect(words.filter((word) => filed.has(word)).length).toBeGreaterThanOrEqual(10);
    expect(matchedIds(query, [original, await registerOriginal(6, await code(8))], PACKET_KEY)).toEqual([5]);
  });

  it("that is no higher than a line is named at its edge, and not another with other marks", async () => {
    const widths = [20, 34, 26, 44, 22, 38, 30, 46, 24, 36, 28, 42, 32, 40];
    expect(await matched(await carrying(await bar(widths), 1000, 0, 0), bars)).toEqual([3]);
  });

  it.each([
    [3, 220, 15],
    [5, 200, 15],
    [5, 300, 470],
  ])(
    "that fits a period further, too, is named where all of it agrees (%i rows of stars)",
    async (rows, wide, top) => {
      const original = await registerOriginal(7, await flag(rows));
      expect(await matched(await carrying(await flag(rows), wide, 15, top), [original])).toEqual([7]);
    },
  );
});
