import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  lumaOf,
  NEAREST_WORDS,
  openVocabulary,
  referenceNearestWords,
  VOCABULARY_OFFSETS,
} from "@colophon/engine/lab";
import { paintedPicture, paintPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { kMeans } from "../tools/train/k-means.ts";
import { picturePoints } from "../bench/matching/true-pairs.ts";
import { trainVocabulary } from "../tools/train-vocabulary.ts";

const [WIDTH, HEIGHT] = [240, 160];
const DESCRIPTOR = 128;
/** A training takes some five seconds of processor time. */
const PATIENCE_MS = 600_000;

let pictures: string;
let trained: Uint8Array;

function train(): Promise<Uint8Array> {
  return trainVocabulary({ pictures, version: 7, seed: 1, report: () => undefined });
}

beforeAll(async () => {
  pictures = await mkdtemp(join(tmpdir(), "colophon-train-"));
  for (let seed = 1; seed <= 4; seed += 1) {
    const picture = await paintedPicture(seed, WIDTH, HEIGHT);
    await writeFile(join(pictures, `${seed}.jpg`), picture);
  }
  await writeFile(join(pictures, "notes.txt"), "not a picture");
  trained = await train();
}, PATIENCE_MS);
afterAll(() => rm(pictures, { recursive: true, force: true }));

describe("training a vocabulary", () => {
  it(
    "gives the same bytes for the same pictures and seed",
    async () => {
      expect(Buffer.compare(await train(), trained)).toBe(0);
    },
    PATIENCE_MS,
  );

  it("leaves to the seed where codebooks begin", () => {
    const points = Float32Array.from({ length: 4000 }, (_, k) => Math.sin(k * k));
    const [one, again, other] = [1, 1, 2].map((seed) => kMeans(points, 4, 20, seededRandom(seed)));
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it("writes the version and an ascending stop list", () => {
    const view = new DataView(trained.buffer);
    expect(view.getUint16(VOCABULARY_OFFSETS.version, true)).toBe(7);
    const stopWords = new Uint32Array(trained.buffer, VOCABULARY_OFFSETS.stopWords);
    expect(stopWords.length).toBeGreaterThan(0);
    expect(stopWords.every((word, k) => k === 0 || word > stopWords[k - 1]!)).toBe(true);
  });

  it("learns words that a picture and its edited copies share", async () => {
    const shared = new SharedArrayBuffer(trained.length);
    new Uint8Array(shared).set(trained);
    const vocabulary = openVocabulary(shared, referenceNearestWords);
    const unseen = lumaOf({ width: WIDTH, height: HEIGHT, data: paintPicture(99, WIDTH, HEIGHT) }, 1600);
    const { pairs } = await picturePoints(unseen, seededRandom(1));
    const nearest = vocabulary.nearestWords(pairs);
    const count = pairs.length / (2 * DESCRIPTOR);
    const word = (row: number): number => nearest[row * NEAREST_WORDS]!;
    let [same, chance] = [0, 0];
    for (let k = 0; k < count; k += 1) {
      if (word(2 * k) === word(2 * k + 1)) same += 1;
      if (word(2 * k) === word((2 * k + 3) % (2 * count))) chance += 1;
    }
    expect(count).toBeGreaterThan(100);
    expect(same / count).toBeGreaterThan(0.1);
    expect(chance / count).toBeLessThan(0.01);
  });

  it("says when there are too few pictures", async () => {
    const empty = await mkdtemp(join(tmpdir(), "colophon-train-"));
    const training = { pictures: empty, version: 7, seed: 1, report: () => undefined };
    await expect(trainVocabulary(training)).rejects.toThrow("There are too few pictures to learn from.");
    await rm(empty, { recursive: true });
  });
});
