import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { comparisonReport } from "../../../../bench/matching/comparison-report.ts";
import { countFalseMatches } from "../../../../bench/matching/false-matches.ts";
import { writeAttacks } from "../../../../bench/matching/attack.ts";
import { ATTACKS as GENERATED } from "../../../../bench/matching/attacks/list.ts";
import { makeSet } from "../../../../bench/matching/make-set.ts";
import { readMatchSet, readQueries } from "../../../../bench/matching/registered/match-set.ts";
import { compareOverHttp } from "../../../../bench/matching/run.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";

const WIDTH = 480;
const HEIGHT = 320;
const SEEDS = [41, 42];

const ATTACKS = [
  { attack: "jpeg-q30", family: "reencode", make: (image: Sharp) => image.jpeg({ quality: 30 }) },
  { attack: "mirror", family: "dihedral", make: (image: Sharp) => image.flop().jpeg() },
  {
    attack: "crop-25",
    family: "crop",
    make: (image: Sharp) => image.extract({ left: 200, top: 40, width: 240, height: 160 }).jpeg(),
  },
] as const;

/** A match set of painted pictures with its queries, as the benchmark reads them. */
async function writeSet(folder: string): Promise<void> {
  await mkdir(join(folder, "queries"));
  const queries: object[] = [];
  for (const seed of SEEDS) {
    const picture = await paintedPicture(seed, WIDTH, HEIGHT);
    await writeFile(join(folder, `${seed}.jpg`), picture);
    for (const { attack, family, make } of ATTACKS) {
      const file = `${attack}-${seed}.jpg`;
      await writeFile(join(folder, "queries", file), await make(sharp(picture)).toBuffer());
      queries.push({ file, attack, family, truth: [`p${seed}`] });
    }
  }
  await writeFile(join(folder, "queries/queries.json"), JSON.stringify(queries));
  const originals = SEEDS.map((seed) => ({ id: `p${seed}`, file: `${seed}.jpg`, kind: "photo" }));
  const pairs = [{ a: "41.jpg", b: "42.jpg", category: "viewpoint" }];
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ originals, hardNegatives: [{ pairs }] }));
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "colophon-matching-set-"));
  await writeSet(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const limit = Number.POSITIVE_INFINITY;
const stopped = new AbortController().signal;

it("finds attacked pictures over HTTP, beside global hashes that miss the crops", async () => {
  const compared = await compareOverHttp({
    data: folder,
    queries: join(folder, "queries"),
    limit,
    stopped,
    hard: true,
  });
  expect(compared.unregistered).toEqual([]);
  expect(compared.attacked.map(({ matched }) => matched)).toEqual(
    compared.attacked.map(({ truth }) => truth),
  );
  expect(compared.hard.map(({ file, matched }) => ({ file, matched }))).toEqual([
    { file: "42.jpg of 41.jpg", matched: [] },
    { file: "41.jpg of 42.jpg", matched: [] },
  ]);
  for (const { attack, truth, pdq, perceptual } of compared.attacked) {
    const isCrop = attack === "crop-25";
    expect((pdq[truth[0] ?? ""] ?? 0) > 31, `PDQ on ${attack}`).toBe(isCrop);
    expect((perceptual[truth[0] ?? ""] ?? 0) > 10, `pHash on ${attack}`).toBe(isCrop);
  }
  const report = comparisonReport(compared);
  expect(report).toContain("| crop >= 25 % | 2 | 1.000 / 1.000 | 0.000 / 0.000 |");
  expect(report).toContain("| unrelated originals | 0 | 0 |");
}, 600_000);

it("matches nothing that is only made of other pictures' descriptors, drawn again, or of a design", async () => {
  const photographs = join(folder, "photographs");
  await mkdir(photographs);
  for (const seed of [51, 52, 53, 54]) {
    const picture = await paintedPicture(seed, WIDTH, HEIGHT);
    await writeFile(join(photographs, `${seed}.jpg`), picture);
  }
  const report = await countFalseMatches({
    data: folder,
    queries: join(folder, "queries"),
    pairs: null,
    generated: 200,
    rendered: 6,
    drawn: 6,
    photographs,
    seed: 3,
    limit,
    stopped,
    cache: null,
    out: null,
  });
  const { queries, originals, retrieved, found, accepted } = report;
  expect({ queries, retrieved, found }).toEqual({ queries: 6, retrieved: 6, found: 6 });
  expect(originals).toEqual({ real: 2, rendered: 6, drawn: 6, generated: 200 });
  expect(accepted.filter(({ relation }) => relation === "unrelated")).toEqual([]);
  // Two painted pictures, of which tiles, halves and veils show parts; the one rendered picture that is painted shows
  // none.
  expect(report.unrelatedPairs).toBeGreaterThanOrEqual(6 * 207);
}, 600_000);

/** Writes further attacks on the set and reads them as queries: the files by their names. */
async function writeFurther(name: string): Promise<Map<string, Buffer>> {
  const out = join(folder, name);
  const written = await writeAttacks({
    data: folder,
    out,
    attacks: GENERATED.further,
    perAttack: 1,
    seed: 3,
  });
  const queries = readQueries(out);
  expect(queries).toHaveLength(written);
  return new Map(queries.map(({ file }) => [file, readFileSync(join(out, file))]));
}

it("writes further attacks that are queries of the set, the same for the same seed", async () => {
  const first = await writeFurther("further");
  expect(first.size).toBeGreaterThan(20);
  for (const file of first.values()) expect(await sharp(file).metadata()).toMatchObject({ format: "jpeg" });
  expect(await writeFurther("again")).toEqual(first);
});

it("makes sets of a folder's pictures and of painted ones", async () => {
  const [mine, painted] = [join(folder, "mine"), join(folder, "painted")];
  expect(await makeSet({ out: mine, photographs: folder, count: 10, seed: 1 })).toBe(2);
  expect(readMatchSet(mine).originals.map(({ id }) => id)).toEqual(["41", "42"]);
  expect(await makeSet({ out: painted, photographs: null, count: 1, seed: 7 })).toBe(1);
  const [original] = readMatchSet(painted).originals;
  const bytes = readFileSync(join(painted, original?.file ?? ""));
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg" });
});
