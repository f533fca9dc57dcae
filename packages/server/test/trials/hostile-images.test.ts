import { seededRandom } from "@colophon/testing/pictures.ts";
import sharp from "sharp";
import { expect, it } from "vitest";
import { runHostileImages } from "../../../../trials/hostile/images.ts";
import { everyCoding } from "../../../../trials/hostile/image-mutations/codings.ts";
import { hostileImage } from "../../../../trials/hostile/image-mutations/mutate-image.ts";

it("answers mutated images of every coding as the contract lists, and lives", async () => {
  const report = await runHostileImages({ images: 40, seed: 5, clients: 3 });
  expect(report.breaches).toEqual([]);
}, 600_000);

it("mutates images so that most get past a decoder's first look", async () => {
  const sound = await everyCoding(1);
  const random = seededRandom(1);
  const images = Array.from({ length: 200 }, () => hostileImage(random, sound));
  let headers = 0;
  for (const { bytes } of images) {
    headers += await sharp(bytes)
      .metadata()
      .then(() => 1)
      .catch(() => 0);
  }
  expect(headers).toBeGreaterThan(images.length / 2);
});
