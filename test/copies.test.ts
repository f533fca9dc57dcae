import sharp from "sharp";
import { expect, it } from "vitest";
import { COMPARISON_SIDE, decodeImage, lumaOf } from "@colophon/engine/lab";
import { paintedPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { pixelsOf } from "../bench/matching/attacks/attack.ts";
import { CUTTING } from "../bench/matching/attacks/cutting.ts";
import { SAVING } from "../bench/matching/attacks/saving.ts";
import { TwoWays } from "../bench/matching/copies.ts";
import { SubjectReader } from "../bench/matching/registered/subjects.ts";

const [WIDTH, HEIGHT] = [512, 360];
const DECODE = { acceptedTypes: ["image/jpeg", "image/png", "image/webp"], maxImagePixels: 10_000_000 };

const reader = new SubjectReader(null);
const registry = new TwoWays();
const scenes = await Promise.all([21, 22, 23, 24].map((seed) => paintedPicture(seed, WIDTH, HEIGHT)));

async function bothWays(
  image: Uint8Array,
): Promise<{ glanced: number | null; inFull: readonly number[] | null }> {
  const glanced = registry.atAGlance(lumaOf(await decodeImage(image, DECODE), COMPARISON_SIDE));
  return {
    glanced,
    inFull: glanced === null ? null : registry.inFull(await reader.examine(image, "lookup")),
  };
}

const noOthers = async (): Promise<[]> => [];

const savedAgain = async (image: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await sharp(image).jpeg({ quality: 70 }).toBuffer());

/** Two scenes in one picture. */
const sheet = new Uint8Array(
  await sharp({ create: { width: 2 * WIDTH, height: HEIGHT, channels: 3, background: "#fff" } })
    .composite([
      { input: Buffer.from(scenes[0]!), left: 0, top: 0 },
      { input: Buffer.from(scenes[1]!), left: WIDTH, top: 0 },
    ])
    .jpeg()
    .toBuffer(),
);
const part = new Uint8Array(
  await sharp(scenes[2]).extract({ left: 100, top: 60, width: 380, height: 280 }).jpeg().toBuffer(),
);
for (const image of [...scenes, sheet, part]) registry.register(await reader.examine(image, "registration"));

it("settles a copy at a glance only where the full way names no other original", async () => {
  const answers = [];
  for (const image of [...scenes, sheet, part]) answers.push(await bothWays(await savedAgain(image)));
  expect(answers.map(({ glanced }) => glanced)).toEqual([null, null, null, 3, null, null]);
  expect(answers[3]!.inFull).toEqual([3]);
  expect(registry.inFull(await reader.examine(await savedAgain(sheet), "lookup"))).toEqual([0, 1, 4]);
});

// All attacks on photographs: bench/matching/copies.ts.
it("answers as the full way does however a picture was saved or cut", async () => {
  const picture = await pixelsOf(sharp(scenes[3]));
  const settled: string[] = [];
  const attacks = [...SAVING, ...CUTTING].filter((_, at) => at % 2 === 0);
  for (const [at, { name, make }] of attacks.entries()) {
    const { bytes } = await make(picture, { random: seededRandom(at), others: noOthers });
    const { glanced, inFull } = await bothWays(new Uint8Array(bytes));
    if (glanced === null) continue;
    settled.push(name);
    expect({ name, inFull }).toEqual({ name, inFull: [glanced] });
  }
  expect(settled).toEqual(expect.arrayContaining(["jpeg-q75", "webp-q80", "resize-75"]));
  expect(settled).not.toContain("crop-50");
});
