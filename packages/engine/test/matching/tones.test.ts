import { describe, expect, test } from "vitest";
import sharp, { type Sharp } from "sharp";
import { withoutTones } from "../../src/matching/compare/parts.ts";
import { Signs } from "../../src/matching/decide/sign-list.ts";
import { addTones } from "../../src/matching/decide/tones-told.ts";
import { examineCandidates } from "../../src/matching/match-query.ts";
import { PACKET_KEY, editPicture, examineQuery, registerOriginal, scene } from "./pictures.ts";

const [WIDTH, HEIGHT] = [512, 360];
const image = await scene(8301, WIDTH, HEIGHT);
const registered = await registerOriginal(1, image);
const other = await scene(8302, WIDTH, HEIGHT);

/** What a closer look tells of the tones of a picture asked with, by name. */
async function toldOf(picture: Uint8Array): Promise<(name: string) => number> {
  const { query } = await examineQuery(picture);
  const found = examineCandidates(query, [registered], PACKET_KEY, undefined, true)[0]!;
  const signs = new Signs();
  addTones(signs.under("tones"), found.parts.tones);
  return (name) => signs.values[signs.names.indexOf(`tones.${name}`)]!;
}

/** The middle of the picture, six tenths of either side. */
const MIDDLE = { left: 102, top: 72, width: 308, height: 216 };

/** Upright lines over the middle, black and white in turn, with twice as much left open between them. */
const ruled = (): Promise<Buffer> => {
  const { width, height } = MIDDLE;
  const pixels = new Uint8Array(4 * width * height);
  for (let k = 0; k < width * height; k += 1) {
    const x = k % width;
    if (x % 6 < 2) pixels.set(x % 12 < 6 ? [0, 0, 0, 255] : [255, 255, 255, 255], 4 * k);
  }
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
};

describe("how light and dark lie where the original is", () => {
  test.each([
    ["smaller", (picture: Sharp) => picture.resize(380)],
    ["mirrored", (picture: Sharp) => picture.flop()],
    ["turned", (picture: Sharp) => picture.rotate(90)],
    ["with light and dark exchanged", (picture: Sharp) => picture.negate({ alpha: false })],
  ])("is the same in the same picture %s", async (_, edit) => {
    const told = await toldOf(await editPicture(image, edit));
    expect(told("covered")).toBeGreaterThan(245);
    for (const band of ["all", "low", "middle", "high"]) expect(told(band)).toBeGreaterThan(240);
  });

  test("is kept for training alone, and zeroed elsewhere", async () => {
    const { left, top } = MIDDLE;
    const input = await ruled();
    const spoilt = await editPicture(image, (picture) => picture.composite([{ input, left, top }]));
    const { query } = await examineQuery(spoilt);
    const [forgotten, kept] = [false, true].map(
      (isKept) => examineCandidates(query, [registered], PACKET_KEY, undefined, isKept)[0]!.parts,
    );
    expect(forgotten!.describedAgain).not.toBeNull();
    expect(forgotten!.tones).toBeNull();
    const { all, open, differing } = kept!.tones!;
    for (const terms of [all, open, differing]) expect(terms.some((term) => term !== 0)).toBe(true);
    expect(withoutTones(kept!).tones).toBeNull();
    for (const terms of [all, open, differing]) expect(terms.every((term) => term === 0)).toBe(true);
  });

  test("is compared as far as a crop reaches", async () => {
    const crop = await editPicture(image, (picture) =>
      picture.extract({ left: 0, top: 0, width: WIDTH / 2, height: HEIGHT }),
    );
    const told = await toldOf(crop);
    expect(told("covered")).toBeGreaterThan(120);
    expect(told("covered")).toBeLessThan(135);
  });

  test("is told of what lines spoil, and not of what is exchanged", async () => {
    const { left, top } = MIDDLE;
    const patch = await sharp(other).extract(MIDDLE).toBuffer();
    const laidOver = (input: Buffer): Promise<Uint8Array> =>
      editPicture(image, (picture) => picture.composite([{ input, left, top }]));
    const spoilt = await toldOf(await laidOver(await ruled()));
    const exchanged = await toldOf(await laidOver(patch));
    for (const part of ["open", "differing"]) {
      for (const sign of ["turned", "explained", "fine", "odds"]) {
        expect([part, sign, spoilt(`${part}.${sign}`) - exchanged(`${part}.${sign}`)]).toEqual([
          part,
          sign,
          expect.toSatisfy((more: number) => more > 20),
        ]);
      }
      expect(spoilt(`${part}.size`)).toBeGreaterThan(60);
      expect(exchanged(`${part}.size`)).toBeGreaterThan(60);
    }
  });
});
