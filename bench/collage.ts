/**
 * What a look-up of a collage of registered pictures costs in the engine, as a ratio to a look-up of a collage that
 * matches nothing, laid out alike, and how many of its parts it names.
 *
 *     node bench/collage.ts [--data DIR] [--parts 1,4,8,9,16,20] [--repeat 3] [--seed 1] [--cache DIR]
 *
 * `--data`: a folder with `manifest.json`, whose photographs are taken; without it pictures are painted. `--cache`:
 * keeps the examinations of originals for the next run (see `matching/registered/subjects.ts`). Processor time of this
 * process: decoding to answer, without retrieval.
 */
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import sharp from "sharp";
import { type Candidate, matchQuery } from "@colophon/engine/lab";
import { paintedPicture, type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { readFileSync } from "node:fs";
import { readMatchSet } from "./matching/registered/match-set.ts";
import { PACKET_KEY, SubjectReader } from "./matching/registered/subjects.ts";

/** A part of a collage, pixels. */
const TILE = { width: 400, height: 300 } as const;
/** The painted pictures, where no photographs are given. */
const PAINTED = { width: 1_200, height: 900 } as const;

async function photographs(folder: string | undefined, count: number, seed: number): Promise<Uint8Array[]> {
  if (folder === undefined) {
    const { width, height } = PAINTED;
    const painted = Array.from({ length: count }, (_, k) => paintedPicture(seed * 1_000 + k, width, height));
    return Promise.all(painted);
  }
  const random = seededRandom(seed);
  const files = readMatchSet(folder).originals.filter(({ kind }) => kind === "photo");
  return shuffled(files, random)
    .slice(0, count)
    .map(({ file }) => new Uint8Array(readFileSync(join(folder, file))));
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

/** The pictures in rows of equal tiles, JPEG quality 85. */
async function collage(pictures: readonly Uint8Array[]): Promise<Uint8Array> {
  const columns = Math.ceil(Math.sqrt(pictures.length));
  const rows = Math.ceil(pictures.length / columns);
  const tiles = pictures.map(async (picture, k) => ({
    input: await sharp(picture).autoOrient().resize(TILE.width, TILE.height).png().toBuffer(),
    left: (k % columns) * TILE.width,
    top: Math.floor(k / columns) * TILE.height,
  }));
  const ground = {
    width: columns * TILE.width,
    height: rows * TILE.height,
    channels: 3,
    background: "#ffffff",
  } as const;
  return new Uint8Array(
    await sharp({ create: ground })
      .composite(await Promise.all(tiles))
      .jpeg({ quality: 85 })
      .toBuffer(),
  );
}

function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Median processor milliseconds of examining the picture and of matching it, and the ids it matches. */
async function cost(
  picture: Uint8Array,
  candidates: readonly Candidate[],
  repeat: number,
): Promise<{ examine: number; match: number; found: readonly number[] }> {
  const times: { examine: number; match: number }[] = [];
  let found: readonly number[] = [];
  for (let round = 0; round < repeat; round += 1) {
    const reader = new SubjectReader(null);
    const from = spent();
    const { query } = await reader.examine(picture, "lookup");
    const examined = spent();
    found = matchQuery(query, candidates, PACKET_KEY).map(({ id }) => id);
    times.push({ examine: examined - from, match: spent() - examined });
  }
  const middle = (of: "examine" | "match"): number =>
    times.map((time) => time[of]).toSorted((a, b) => a - b)[times.length >> 1]!;
  return { examine: middle("examine"), match: middle("match"), found };
}

const ms = ({ examine, match }: { examine: number; match: number }): string =>
  `${examine.toFixed(0)} + ${match.toFixed(0)}`;

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      parts: { type: "string", default: "1,4,8,9,16,20" },
      repeat: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
      cache: { type: "string" },
    },
  });
  const parts = values.parts.split(",").map(Number);
  const most = Math.max(...parts);
  const pictures = await photographs(values.data, 2 * most + 40, Number(values.seed));
  const registered = pictures.slice(0, most + 40);
  const others = pictures.slice(most + 40);
  const reader = new SubjectReader(values.cache ?? null);
  const candidates: Candidate[] = [];
  for (const [id, picture] of registered.entries()) {
    const { original } = await reader.examine(picture, "registration");
    if (original !== null) candidates.push({ id, original });
  }
  const repeat = Number(values.repeat);
  await cost(await collage(others.slice(0, 2)), candidates, 2);
  await cost(await collage(registered.slice(0, 2)), candidates, 2);
  stdout.write("| parts | plain: examine + match, ms | registered: examine + match, ms | ratio | named |\n");
  stdout.write("|---|---|---|---|---|\n");
  for (const count of parts) {
    const plain = await cost(await collage(others.slice(0, count)), candidates, repeat);
    const full = await cost(await collage(registered.slice(0, count)), candidates, repeat);
    const ratio = (full.examine + full.match) / (plain.examine + plain.match);
    const named = full.found.filter((id) => id < count).length;
    stdout.write(`| ${count} | ${ms(plain)} | ${ms(full)} | ${ratio.toFixed(2)} | ${named} of ${count} |\n`);
  }
}

await main();
