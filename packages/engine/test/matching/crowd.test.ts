import sharp, { type OverlayOptions, type Sharp } from "sharp";
import { expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { LIMITS } from "../../src/matching/limits.ts";
import { editPicture, examineQuery, matchedIds, PACKET_KEY, registerOriginal, scene } from "./pictures.ts";

const GLYPH = 8;

/** What is drawn as it is laid on another picture: pixels, so that nothing has to be decoded for every place. */
async function pixels(picture: Sharp): Promise<OverlayOptions> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { input: data, raw: { width, height, channels } };
}

/** A sheet of one glyph, again and again in rows. */
async function sheet(columns: number, rows: number, step: number): Promise<Buffer> {
  const random = seededRandom(5);
  const cells = Uint8Array.from({ length: GLYPH * GLYPH }, () => (random() < 0.5 ? 30 : 250));
  const glyph = await pixels(
    sharp(cells, { raw: { width: GLYPH, height: GLYPH, channels: 1 } }).resize(
      Math.round(0.7 * step),
      undefined,
      { kernel: "cubic" },
    ),
  );
  const background = {
    width: columns * step,
    height: rows * step,
    channels: 3,
    background: "#fafafa",
  } as const;
  const places = Array.from({ length: columns * rows }, (_, k) => ({
    ...glyph,
    left: Math.round(((k % columns) + 0.15) * step),
    top: Math.round((Math.floor(k / columns) + 0.15) * step),
  }));
  return sharp({ create: background }).composite(places).png().toBuffer();
}

it("signs that lie on a page in many ways leave one another, and a picture, what it takes to be named", async () => {
  const picture = await scene(41);
  const signs = await Promise.all(
    Array.from({ length: 10 }, async (_, k) =>
      registerOriginal(k + 1, new Uint8Array(await sheet(2 + (k % 4), 2 + Math.floor(k / 4), 67))),
    ),
  );
  const own = await registerOriginal(99, picture);
  const small = await pixels(sharp(picture).resize(330));
  const page = await editPicture(
    new Uint8Array(await sheet(20, 14, 50)),
    (whole) => whole.composite([{ ...small, left: 500, top: 300 }]),
    40,
  );
  const { query } = await examineQuery(page);
  expect(matchedIds(query, [own], PACKET_KEY)).toEqual([99]);
  const named = matchedIds(query, [...signs, own], PACKET_KEY);
  expect(named).toContain(99);
  expect(named.length).toBeGreaterThanOrEqual(LIMITS.pipeline.firstMatches);
});
