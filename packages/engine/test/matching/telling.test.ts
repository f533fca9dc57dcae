import sharp from "sharp";
import { expect, test } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { LayerParts } from "../../src/matching/compare/parts.ts";
import { isResolved, leastEnergy, resolvedFine, spuriousEnergy } from "../../src/matching/compare/telling.ts";
import { GOOD } from "../../src/matching/decide/levels.ts";
import { LIMITS } from "../../src/matching/limits.ts";
import { examineCandidates } from "../../src/matching/match-query.ts";
import { PACKET_KEY, editPicture, examineQuery, registerOriginal, scene } from "./pictures.ts";

/** The fine layer of a picture's comparison with itself after an edit. */
async function fineLayer(edited: (image: Uint8Array) => Promise<Uint8Array>): Promise<LayerParts> {
  const image = await scene(31, 640, 480);
  const { query } = await examineQuery(await edited(image));
  const [finding] = examineCandidates(query, [await registerOriginal(1, image)], PACKET_KEY);
  return finding!.parts.fine!;
}

/** Of the blocks with an energy from one on up to another, how many there are and which share agrees. */
function agreeing({ blocks }: LayerParts, from: number, to: number): { count: number; share: number } {
  const asked = Array.from(blocks.energy.keys()).filter(
    (k) => blocks.energy[k]! >= from && blocks.energy[k]! < to,
  );
  const good = asked.filter((k) => blocks.inPlace[k]! > GOOD);
  return { count: asked.length, share: good.length / asked.length };
}

/** As a camera's sensor adds it in little light. */
async function noisy(image: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  const random = seededRandom(5);
  const grain = (): number => 40 * (random() + random() + random() + random() - 2);
  const grained = Buffer.from(data.map((value) => Math.max(0, Math.min(255, Math.round(value + grain())))));
  return new Uint8Array(await sharp(grained, { raw: info }).jpeg({ quality: 92 }).toBuffer());
}

test.each([
  ["coarsely coded", (image: Uint8Array) => editPicture(image, (picture) => picture, 5)],
  ["noisy", noisy],
])("of a %s picture the blocks that are asked agree, those below by chance", async (_, edited) => {
  const fine = await fineLayer(edited);
  const least = leastEnergy(fine);
  const asked = agreeing(fine, least, Number.POSITIVE_INFINITY);
  const drowned = agreeing(fine, LIMITS.compare.energy, least);
  expect(asked.count).toBeGreaterThan(100);
  expect(asked.share).toBeGreaterThan(0.9);
  expect(drowned.count).toBeGreaterThan(20);
  expect(drowned.share).toBeLessThan(0.7);
});

test("a clean picture is asked down to the least energy", async () => {
  const fine = await fineLayer((image) => editPicture(image, (picture) => picture, 92));
  expect(leastEnergy(fine)).toBe(LIMITS.compare.energy);
});

test("coding and noise weigh less where a cell is the mean of more pixels", () => {
  const grain = { quantisation: 67, noise: 12 };
  expect(spuriousEnergy(grain, 0.75)).toBeGreaterThan(4 * spuriousEnergy(grain, 0.25));
  expect(spuriousEnergy({ quantisation: 0, noise: 0 }, 1)).toBe(0);
});

test("a layer that a small or blurred query does not resolve is not looked at beside a coarser one", async () => {
  const [whole, small, blurred] = await Promise.all([
    fineLayer(async (image) => image),
    fineLayer((image) => editPicture(image, (picture) => picture.resize(150))),
    fineLayer((image) => editPicture(image, (picture) => picture.blur(4))),
  ]);
  expect([whole, small, blurred].map(isResolved)).toEqual([true, false, false]);
  expect(resolvedFine({ coarse: whole, fine: small })).toBeNull();
  expect(resolvedFine({ coarse: null, fine: small })).toBe(small);
  expect(resolvedFine({ coarse: small, fine: whole })).toBe(whole);
});
