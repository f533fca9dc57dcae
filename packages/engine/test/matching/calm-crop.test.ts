import { describe, expect, test } from "vitest";
import sharp from "sharp";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Decision } from "../../src/matching/decide/decide.ts";
import { examineCandidates } from "../../src/matching/match-query.ts";
import { PACKET_KEY, editPicture, examineQuery, registerOriginal, scene } from "./pictures.ts";

const [WIDTH, HEIGHT] = [1200, 800];
const CALM = { left: 640, top: 200, width: 480, height: 400 };

/**
 * Soft spots of a few levels, so many of them, in a rectangle of that size: points lie on them, and no block shows
 * anything.
 */
function spots(seed: number, count: number, width: number, height: number): Promise<Buffer> {
  const random = seededRandom(seed);
  const data = new Float64Array(width * height).fill(128);
  for (let k = 0; k < count; k += 1) {
    const [x, y] = [width * random(), height * random()];
    const [wide, high] = [5 + 7 * random(), 5 + 7 * random()];
    const bold = (random() < 0.5 ? -1 : 1) * (4 + 3 * random());
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        const off = ((column - x) / wide) ** 2 + ((row - y) / high) ** 2;
        if (off < 16) data[row * width + column]! += bold * Math.exp(-off / 2);
      }
    }
  }
  const grey = Uint8Array.from(data, Math.round);
  return sharp(grey, { raw: { width, height, channels: 1 } })
    .toColourspace("srgb")
    .png()
    .toBuffer();
}

const input = await spots(1, 90, CALM.width, CALM.height);
/** A scene whose right part shows such spots, and a crop of these. */
const image = await editPicture(
  await scene(8401, WIDTH, HEIGHT),
  (each) => each.composite([{ input, left: CALM.left, top: CALM.top }]),
  95,
);
const crop = await editPicture(image, (each) => each.extract(CALM), 92);

/** What is made of a picture; whether any block of it was compared stands beside it. */
async function decided(registered: Uint8Array, asked: Uint8Array): Promise<readonly [Decision, boolean]> {
  const { query } = await examineQuery(asked);
  const [found] = examineCandidates(query, [await registerOriginal(1, registered)], PACKET_KEY);
  const { decision, evidence } = found!;
  return [decision, [evidence.coarse, evidence.fine].some((layer) => (layer?.all.used ?? 0) > 0)];
}

describe("a crop in which no block shows anything", () => {
  test("matches by its points, which all look as they did", async () => {
    expect(await decided(image, crop)).toEqual([{ isMatch: true, rule: "learned" }, false]);
  });

  test("is found by the whole picture where it was registered", async () => {
    expect(await decided(crop, image)).toEqual([{ isMatch: true, rule: "learned" }, false]);
  });

  test("does not match where it shows other things in half of it, whatever the odds", async () => {
    const others = await spots(3, 45, CALM.width / 2, CALM.height);
    const half = await editPicture(crop, (each) => each.composite([{ input: others, left: 0, top: 0 }]), 92);
    expect(await decided(image, half)).toEqual([{ isMatch: false, refusedBy: "not-borne-out" }, false]);
  });
});
