/**
 * Splits an index over two database servers, the lists of postings on the second one, as `colophon index split` does;
 * compares what is retrieved with the index unsplit, and takes an original out of the second one.
 *
 *     node bench/scale/split.ts --data DIR [--originals 100000] [--round 50000] [--seed 1] [--rounds 3]
 *                               [--workspace DIR]
 *
 * Prints whether all answers are the same, the times, and how the database runs the statement.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { sql } from "kysely";
import { Client } from "pg";
import type { EmbeddedConnection } from "../../packages/server/src/store/embedded/embedded-postgres.ts";
import { type Database, openDatabase, writing } from "../../packages/server/src/store/database.ts";
import { deleteFeatures, retrieveCandidates } from "../../packages/server/src/store/index/match-index.ts";
import { postingsOf } from "../../packages/server/src/store/index/postings.ts";
import { removeElsewhere } from "../../packages/server/src/store/index/posting-removals.ts";
import { runSplit } from "../../packages/server/src/split/run-split.ts";
import { SubjectReader } from "../matching/registered/subjects.ts";
import { readDonors, splitPictures } from "./donors.ts";
import { Population } from "./population.ts";
import { type Spread, spreadOf } from "./scale-result.ts";
import { Workspace } from "./workspace.ts";

const NOBODY: ReadonlySet<number> = new Set();
/** The words of a query, in a plan. */
const WORDS = /'\{-?\d+(,-?\d+)+\}'/g;

/** What the two indexes answered. Times in milliseconds. */
export interface SplitReport {
  readonly queries: number;
  /** Queries that retrieved the same candidates in the same order with the same packets. */
  readonly same: number;
  readonly candidates: Spread;
  readonly whole: Spread;
  readonly split: Spread;
  /** Postings of an original on the second server, before it is withdrawn through the first one and after. */
  readonly withdrawn: readonly [number, number];
  /** How the split database runs the statement of a look-up, a line each. */
  readonly plan: readonly string[];
}

export interface SplitOptions {
  readonly data: string;
  readonly originals: number;
  /** Originals whose postings are gathered in lists together. */
  readonly round: number;
  readonly seed: number;
  readonly rounds: number;
  readonly workspace: string;
}

/** One database asked as the service asks it. */
class Asked implements AsyncDisposable {
  readonly #database: Database;

  constructor(address: EmbeddedConnection) {
    this.#database = openDatabase(address, 2, () => {});
  }

  /** The candidates of one query, a text for each, and the time it took. */
  async retrieve(keys: Int32Array): Promise<{ readonly candidates: string[]; readonly ms: number }> {
    const start = performance.now();
    const found = await retrieveCandidates(this.#database, keys, NOBODY);
    const ms = performance.now() - start;
    return { candidates: found.map(({ imageNo, part }) => `${imageNo} ${part?.toString("base64")}`), ms };
  }

  /** Withdraws an original as a take-down does, and the sweep after it. @returns its postings before and after */
  async withdraw(imageNo: number): Promise<readonly [number, number]> {
    const postings = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`select count(*)::int from posting
        where image_no = ${imageNo}`.execute(this.#database);
      return rows[0]?.count ?? 0;
    };
    const before = await postings();
    await writing(this.#database, (write) => deleteFeatures(write, [imageNo]));
    await removeElsewhere(this.#database);
    return [before, await postings()];
  }

  /** How the statement of a retrieval runs. */
  async plan(keys: Int32Array): Promise<readonly string[]> {
    const { rows } = await sql<{
      "QUERY PLAN": string;
    }>`explain (verbose, costs off) ${postingsOf(keys)}`.execute(this.#database);
    return rows.map((row) => row["QUERY PLAN"].replaceAll(WORDS, "'{...}'"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database.destroy();
  }
}

/** Fills an index, splits a copy of it, and asks both the same. */
export async function compareSplit(options: SplitOptions): Promise<SplitReport> {
  const files = splitPictures(options.data);
  await using primary = await Workspace.open(options.workspace);
  await using remote = await Workspace.open(join(options.workspace, "remote"));
  const donors = await readDonors(files.donors, options.seed, join(options.workspace, "donors.bin"));
  await primary.fill(options.originals, new Population(donors, options.seed), options.round);
  const name = `split_${options.originals}`;
  const split = await primary.copy(options.originals, name);
  const old = await remote.create(name);
  const boundary = await splitIndex(split, old);
  await using whole = new Asked(primary.database(options.originals));
  await using parts = new Asked(split);
  const answers = await ask(whole, parts, files.asking, options.rounds);
  return { ...answers, withdrawn: await parts.withdraw(boundary - 1) };
}

async function ask(
  whole: Asked,
  parts: Asked,
  files: readonly string[],
  rounds: number,
): Promise<Omit<SplitReport, "withdrawn">> {
  const reader = new SubjectReader(null);
  const [wholeMs, splitMs, counts]: [number[], number[], number[]] = [[], [], []];
  let same = 0;
  let words: Int32Array = new Int32Array();
  for (const file of files) {
    const { queryWords } = await reader.read(file, "lookup");
    words = queryWords;
    for (let round = 0; round <= rounds; round += 1) {
      const expected = await whole.retrieve(queryWords);
      const got = await parts.retrieve(queryWords);
      // The first round warms the caches, and compares.
      if (round === 0) {
        if (got.candidates.join() === expected.candidates.join()) same += 1;
        continue;
      }
      wholeMs.push(expected.ms);
      splitMs.push(got.ms);
      counts.push(got.candidates.length);
    }
  }
  return {
    queries: files.length,
    same,
    candidates: spreadOf(counts),
    whole: spreadOf(wholeMs),
    split: spreadOf(splitMs),
    plan: await parts.plan(words),
  };
}

/** Splits the index of the database at `whole` as an operator does. @returns the end of the numbers that have moved */
async function splitIndex(whole: EmbeddedConnection, other: EmbeddedConnection): Promise<number> {
  const environment = { COLOPHON_DATABASE_URL: urlOf(whole) };
  const { signal } = new AbortController();
  const code = await runSplit(environment, { servers: [urlOf(other)], signal }, process.stderr);
  if (code !== 0) throw new Error("The index was not split.");
  const client = new Client(whole);
  await client.connect();
  const { rows } = await client.query<{ end: number }>('select max(ends_at) as "end" from index_part');
  await client.end();
  return rows[0]?.end ?? 0;
}

function urlOf({ host, port, user, database }: EmbeddedConnection): string {
  return `postgres://${user}@localhost/${database}?${new URLSearchParams({ host, port: String(port) }).toString()}`;
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      originals: { type: "string", default: "100000" },
      round: { type: "string", default: "50000" },
      seed: { type: "string", default: "1" },
      rounds: { type: "string", default: "3" },
      workspace: { type: "string" },
    },
  });
  if (values.data === undefined) refuseCommandLine("--data DIR is required");
  const workspace = values.workspace ?? (await mkdtemp(join(tmpdir(), "colophon-split-")));
  try {
    const { plan, ...figures } = await compareSplit({
      data: values.data,
      originals: Number(values.originals),
      round: Number(values.round),
      seed: Number(values.seed),
      rounds: Number(values.rounds),
      workspace,
    });
    stdout.write(`${JSON.stringify(figures, null, 1)}\n${plan.join("\n")}\n`);
  } finally {
    if (values.workspace === undefined) await rm(workspace, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
