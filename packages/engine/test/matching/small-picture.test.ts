import sharp from "sharp";
import { encodePicture, seededRandom } from "@colophon/testing/pictures.ts";
import { expect, it } from "vitest";
import { examineQuery, matchedIds, PACKET_KEY, registerOriginal, scene } from "./pictures.ts";

const WIDTH = 1440;
const HEIGHT = 900;

/** A white page full of lettering: some forty glyphs, again and again in rows. */
function lettering(): Promise<Uint8Array> {
  const random = seededRandom(3);
  const cells = Array.from({ length: 15 }, (_, k) => k);
  const glyphs = Array.from({ length: 40 }, () => cells.filter(() => random() < 0.6));
  const page = new Uint8Array(3 * WIDTH * HEIGHT).fill(250);
  for (let top = 20; top + 25 < HEIGHT; top += 70) {
    for (let left = 20; left + 15 < WIDTH; left += 20) {
      if (random() < 0.4) continue;
      const glyph = glyphs[Math.floor(random() * glyphs.length)]!;
      for (const k of glyph) {
        for (let y = 0; y < 5; y += 1) {
          const at = (top + 5 * Math.floor(k / 3) + y) * WIDTH + left + 5 * (k % 3);
          page.fill(20, 3 * at, 3 * (at + 5));
        }
      }
    }
  }
  return encodePicture(page, WIDTH, HEIGHT);
}

it("a portrait is found in small on a page full of lettering", async () => {
  const portrait = await scene(52, 720, 1080);
  const original = await registerOriginal(1, portrait);
  const input = await sharp(portrait).resize(undefined, 180).toBuffer();
  const page = sharp(await lettering()).composite([{ input, left: 700, top: 400 }]);
  const { query, words } = await examineQuery(new Uint8Array(await page.jpeg({ quality: 80 }).toBuffer()));
  const filed = new Set(original.words);
  expect(words.filter((word) => filed.has(word)).length).toBeGreaterThanOrEqual(2);
  expect(matchedIds(query, [original], PACKET_KEY)).toEqual([1]);
});
