/**
 * What examining costs, as ratios within one run, one thread, CPU time:
 * finding and describing points against OpenCV's SIFT (Debian's python3-opencv, when it is there) on the same rasters
 * with the same number of points, and the whole examination against bare decoding and SHA-256 of the same file.
 *
 *     node bench/extraction.bench.ts [--data DIR] [--limit N] [--rounds N] [--python /usr/bin/python3]
 *
 * Without --data the pictures are painted from seeds.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import {
  decodeImage,
  examineImage,
  type ImageExaminer,
  extractFeatures,
  type Features,
  fittedSize,
  loadVocabulary,
  type Luma,
  lumaOf,
  referenceSift,
  restrictDecoders,
  shrinkLuma,
  openVocabulary,
} from "@colophon/engine/lab";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { measureOpenCv, type Point } from "./opencv-sift.ts";

const { values } = readCommandLine({
  options: {
    data: { type: "string" },
    limit: { type: "string", default: "8" },
    rounds: { type: "string", default: "6" },
    python: { type: "string", default: "/usr/bin/python3" },
  },
});
const [limit, rounds] = [Number(values.limit), Number(values.rounds)];
const acceptedTypes = ["image/jpeg", "image/png", "image/webp"];
const decode = { acceptedTypes, maxImagePixels: 200_000_000 };

async function files(): Promise<Uint8Array[]> {
  if (values.data !== undefined) {
    const folder = values.data;
    const names = readdirSync(folder).filter((name) => /\.(jpe?g|png|webp)$/.test(name));
    const step = Math.max(1, Math.floor(names.length / limit));
    return names
      .filter((_, i) => i % step === 0)
      .slice(0, limit)
      .map((name) => readFileSync(join(folder, name)));
  }
  const painted = [];
  for (let seed = 1; seed <= limit; seed += 1) {
    painted.push(await paintedPicture(seed, 1600, 1067));
  }
  return painted;
}

/** CPU milliseconds of the fastest of `rounds` runs; the first run of a kernel also compiles it. */
async function cost(run: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    if (round > 0) best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** Share of OpenCV's points that ours repeat to 0.1 pixels, 5 % of size and `most` radians. */
function agreement(features: Features, points: readonly Point[], most: number): number {
  const repeated = points.filter(([x, y, size, angle]) => {
    for (let i = 0; i < features.count; i += 1) {
      if (Math.abs(features.x[i]! - x) > 0.1 || Math.abs(features.y[i]! - y) > 0.1) continue;
      const turn = Math.abs(features.angle[i]! - angle);
      const sameSize = Math.abs(features.size[i]! / size - 1) < 0.05;
      if (sameSize && Math.min(turn, 2 * Math.PI - turn) <= most) return true;
    }
    return false;
  });
  return repeated.length / points.length;
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const print = (line: string): void => void stdout.write(`${line}\n`);

async function comparePoints(name: string, rasters: readonly Luma[], points: number): Promise<void> {
  const yardstick = measureOpenCv(rasters, { points, rounds, python: values.python });
  const options = { limit: points, thinBursts: false };
  const ours = [];
  const found = [];
  for (const raster of rasters) {
    ours.push(await cost(() => extractFeatures(raster, options)));
    found.push(extractFeatures(raster, options).features.count);
  }
  const plain = await cost(() => extractFeatures(rasters[0]!, options, referenceSift));
  print(
    `${name}: ${mean(ours).toFixed(1)} ms, ${mean(found).toFixed(0)} points; reference ${(plain / ours[0]!).toFixed(1)} x`,
  );
  if (yardstick === null) return print("  OpenCV is not there to compare with");
  const theirs = yardstick.map(({ milliseconds }) => milliseconds);
  print(
    `  OpenCV ${mean(theirs).toFixed(1)} ms, ${mean(yardstick.map((one) => one.points.length)).toFixed(0)} points; ` +
      `ours / OpenCV = ${(mean(ours) / mean(theirs)).toFixed(2)}`,
  );
  const all = rasters.map((raster) => extractFeatures(raster, { limit: 100_000, thinBursts: false }));
  const shared = (most: number): string => {
    const shares = all.map(({ features }, i) => agreement(features, yardstick[i]!.points, most));
    return `${(100 * mean(shares)).toFixed(1)} %`;
  };
  print(
    `  ${shared(Math.PI)} of OpenCV's points are among ours, ${shared(0.1)} with their angle to 0.1 radians`,
  );
}

async function main(): Promise<void> {
  restrictDecoders(acceptedTypes);
  const examiner: ImageExaminer = {
    decode,
    vocabulary: openVocabulary(loadVocabulary()),
    packetKey: new Uint8Array(32),
  };
  const images = await files();
  const lumas = [];
  for (const image of images) lumas.push(lumaOf(await decodeImage(image, decode), 1600));
  for (const [name, side, points] of [
    ["original, 480 px, 600 points", 480, 600],
    ["query, 640 px, 3,000 points", 640, 3000],
  ] as const) {
    const rasters = lumas.map((luma) => {
      const { width, height } = fittedSize(luma.width, luma.height, side);
      return shrinkLuma(luma, width, height);
    });
    await comparePoints(name, rasters, points);
  }
  const bare = [];
  const lookups = [];
  const registrations = [];
  for (const image of images) {
    bare.push(
      await cost(async () => {
        createHash("sha256").update(image).digest();
        (await decodeImage(image, decode)).data.fill(0);
      }),
    );
    lookups.push(await cost(() => examineImage(image, "lookup", examiner)));
    registrations.push(await cost(() => examineImage(image, "registration", examiner)));
  }
  print(`decode and SHA-256 alone: ${mean(bare).toFixed(1)} ms`);
  print(
    `examine for a look-up: ${mean(lookups).toFixed(1)} ms, ${(mean(lookups) / mean(bare)).toFixed(1)} x`,
  );
  print(
    `examine for a registration: ${mean(registrations).toFixed(1)} ms, ${(mean(registrations) / mean(bare)).toFixed(1)} x`,
  );
}

await main();
