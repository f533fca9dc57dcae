/**
 * Look-ups, registrations, disk and memory against the number of originals: fills databases with generated originals,
 * then measures the real service on each. Sizes take turns query by query, so that what else the machine does falls on
 * all of them.
 *
 *     node bench/scale/run.ts --data DIR [--sizes 1000,10000,100000,1000000] [--round 262144] [--seed 1] [--rounds 3]
 *                             [--workspace DIR]
 *
 * `--data`: a match set (a folder with `manifest.json`). With `--workspace` the databases stay there for the next run,
 * and the results are written there: `scale.json`, `scale.md`, `scale.svg`. A million originals take some 35 GB.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { ROUND } from "../../packages/server/src/store/index/posting-lists.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { SubjectReader } from "../matching/registered/subjects.ts";
import { readDonors, splitPictures } from "./donors.ts";
import { MeasuredDeployment, type Retrieval, type Timed } from "./measured-deployment.ts";
import { plotOf } from "./plot.ts";
import { Population } from "./population.ts";
import { type ScaleResult, type Spread, spreadOf } from "./scale-result.ts";
import { tableOf } from "./table.ts";
import { Workspace } from "./workspace.ts";

/** Stretches of a thousand originals that are searched for heavy words before anything is measured. */
const STRETCHES = 5;

export interface ScaleOptions {
  readonly data: string;
  readonly sizes: readonly number[];
  /** Originals whose postings are gathered in lists together, in databases yet to be filled. */
  readonly round: number;
  readonly seed: number;
  readonly rounds: number;
  readonly workspace: string;
}

/** Everything measured at one size so far. */
class Measurements {
  readonly deployment: MeasuredDeployment;
  readonly retrievals: Retrieval[] = [];
  readonly negative: Timed<boolean>[] = [];
  readonly positive: Timed<boolean>[] = [];
  readonly registrations: Timed<string>[] = [];

  constructor(deployment: MeasuredDeployment) {
    this.deployment = deployment;
  }

  async result(): Promise<ScaleResult> {
    const { deployment, retrievals, negative, positive, registrations } = this;
    const retrieved = (of: (retrieval: Retrieval) => number): Spread => spreadOf(retrievals.map(of));
    return {
      originals: deployment.originals,
      retrieval: retrieved(({ milliseconds }) => milliseconds),
      candidates: retrieved(({ candidates }) => candidates),
      keys: retrieved(({ keys }) => keys),
      touched: retrieved(({ touched }) => touched),
      unguarded: retrieved(({ unguarded }) => unguarded),
      pages: retrieved(({ pages }) => pages),
      bytesRead: retrieved(({ bytes }) => bytes),
      negative: { ...timesOf(negative), matched: negative.filter(({ answer }) => answer).length },
      positive: {
        ...timesOf(positive),
        asked: positive.length,
        found: positive.filter(({ answer }) => answer).length,
      },
      registration: timesOf(registrations),
      bytes: await deployment.bytesAnOriginal(),
      memory: deployment.memory(),
    };
  }
}

/** Fills what is not filled yet, measures, and gives one result a size. */
export async function measureScale(options: ScaleOptions): Promise<readonly ScaleResult[]> {
  const files = splitPictures(options.data);
  await using workspace = await Workspace.open(options.workspace);
  const donors = await readDonors(files.donors, options.seed, join(workspace.folder, "donors.bin"));
  const population = new Population(donors, options.seed);
  for (const size of options.sizes) await workspace.fill(size, population, options.round);
  await using started = new AsyncDisposableStack();
  const all: Measurements[] = [];
  for (const size of options.sizes) {
    const deployment = started.use(await MeasuredDeployment.start(workspace, size));
    await deployment.searchHeavyWords(STRETCHES);
    await deployment.readIntoMemory();
    all.push(new Measurements(deployment));
  }
  const known = files.asking.filter((_, n) => n % 2 === 1);
  const unknown = files.asking.filter((_, n) => n % 2 === 0);
  await measureNegative(all, unknown, options.rounds);
  await measurePositive(all, known);
  const results: ScaleResult[] = [];
  for (const measurements of all) results.push(await measurements.result());
  return results;
}

/** Pictures that nobody registered; the first round warms the caches. */
async function measureNegative(
  all: readonly Measurements[],
  files: readonly string[],
  rounds: number,
): Promise<void> {
  const reader = new SubjectReader(null);
  for (let round = 0; round <= rounds; round += 1) {
    for (const file of files) {
      const picture = new Uint8Array(readFileSync(file));
      const { queryWords } = await reader.read(file, "lookup");
      for (const { deployment, negative, retrievals } of all) {
        const { answer, ...times } = await deployment.lookUp(picture);
        const retrieval = await deployment.retrieve(queryWords);
        if (round === 0) continue;
        negative.push({ answer: answer.matched, ...times });
        retrievals.push(retrieval);
      }
    }
  }
}

/**
 * Pictures that are registered, then asked for with a crop of half their area. Each is looked up before, as those that
 * nobody registered are in their first round: where a session meets a page for the first time, mapping it costs more
 * than reading it.
 */
async function measurePositive(all: readonly Measurements[], files: readonly string[]): Promise<void> {
  for (const file of files) {
    const picture = new Uint8Array(readFileSync(file));
    const derived = await derivedPicture(picture);
    for (const { deployment } of all) await deployment.lookUp(picture);
    for (const { deployment, registrations, positive } of all) {
      const registered = await deployment.register(picture);
      const { answer, ...times } = await deployment.lookUp(derived);
      registrations.push(registered);
      positive.push({
        answer: answer.matchedOriginalImageHashes.includes(registered.answer),
        ...times,
      });
    }
  }
}

function timesOf(timed: readonly Timed<unknown>[]): { readonly wall: Spread; readonly processor: number } {
  return {
    wall: spreadOf(timed.map(({ wall }) => wall)),
    processor: timed.reduce((sum, { processor }) => sum + processor, 0) / timed.length,
  };
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      sizes: { type: "string", default: "1000,10000,100000,1000000" },
      round: { type: "string", default: String(ROUND) },
      seed: { type: "string", default: "1" },
      rounds: { type: "string", default: "3" },
      workspace: { type: "string" },
    },
  });
  if (values.data === undefined) refuseCommandLine("--data DIR is required");
  const workspace = values.workspace ?? (await mkdtemp(join(tmpdir(), "colophon-scale-")));
  try {
    const results = await measureScale({
      data: values.data,
      sizes: values.sizes.split(",").map(Number),
      round: Number(values.round),
      seed: Number(values.seed),
      rounds: Number(values.rounds),
      workspace,
    });
    stdout.write(tableOf(results));
    if (values.workspace === undefined) return;
    await writeFile(join(workspace, "scale.json"), `${JSON.stringify(results, null, 1)}\n`);
    await writeFile(join(workspace, "scale.md"), tableOf(results));
    await writeFile(join(workspace, "scale.svg"), plotOf(results));
  } finally {
    if (values.workspace === undefined) await rm(workspace, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
