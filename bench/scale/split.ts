/**
 * Splits an index over two database servers, the lists of postings on the second one, as docs/operations.md tells an operator to; compares
 * what is retrieved with the index unsplit, and takes an original out of the second one.
 *
 *     node bench/scale/split.ts --data DIR [--originals 100000] [--round 50000] [--seed 1] [--rounds 3] [--workspace DIR]
 *
 * Prints whether all answers are the same, the times, and how the database runs the statement.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { pipeline } from "node:stream/promises";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { sql } from "kysely";
import { Client } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { EmbeddedConnection } from "../../packages/server/src/store/embedded/embedded-postgres.ts";
import { type Database, openDatabase, writing } from "../../packages/server/src/store/database.ts";
import {
  deleteFeatures,
  retrieveCandidates,
  vote,
} from "../../packages/server/src/store/index/match-index.ts";
import { SubjectReader } from "../matching/subjects.ts";
import { readDonors, splitPictures } from "./donors.ts";
import { Population } from "./population.ts";
import { type Spread, spreadOf } from "./scale-result.ts";
import { Workspace } from "./workspace.ts";

const NOBODY: ReadonlySet<number> = new Set();
/** The words of a query, in a plan. */
const WORDS = /'\{-?\d+(,-?\d+)+\}'/g;

/** What another server needs for lists of postings. */
const LISTS_ELSEWHERE = `
  create table posting_list (word int not null, image_nos int[] not null);
  create view own_posting as
    select word, image_no from posting_list cross join lateral unnest(image_nos) as listed (image_no);
  create function remove_posting() returns trigger language plpgsql set search_path from current as $$
  begin
    update posting_list set image_nos = array_remove(image_nos, old.image_no)
      where word = old.word and old.image_no = any(image_nos);
    return old;
  end
  $$;
  create trigger remove_posting instead of delete on own_posting
    for each row execute function remove_posting()`;

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

  /** Withdraws an original as a take-down does. @returns its postings before and after */
  async withdraw(imageNo: number): Promise<readonly [number, number]> {
    const postings = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`select count(*)::int from posting
        where image_no = ${imageNo}`.execute(this.#database);
      return rows[0]?.count ?? 0;
    };
    const before = await postings();
    await writing(this.#database, (write) => deleteFeatures(write, imageNo));
    return [before, await postings()];
  }

  /** How the statement of a retrieval runs. */
  async plan(keys: Int32Array): Promise<readonly string[]> {
    const { rows } = await sql<{
      "QUERY PLAN": string;
    }>`explain (verbose, costs off) ${vote([...keys], NOBODY)}`.execute(this.#database);
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
  const boundary = await splitPostings(split, old);
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

/** Moves all lists of postings from `primary` to the database at `old`: the steps of docs/operations.md. @returns the end of their numbers */
async function splitPostings(primary: EmbeddedConnection, old: EmbeddedConnection): Promise<number> {
  const [near, far] = [new Client(primary), new Client(old)];
  await near.connect();
  await far.connect();
  try {
    const { rows } = await near.query<{ begins_at: number }>("select begins_at from posting_round");
    const end = rows[0]?.begins_at ?? 0;
    if (end === 0) throw new Error("No posting of this index is in a list: it holds less than one round.");
    await far.query(LISTS_ELSEWHERE);
    await pipeline(
      near.query(copyTo("copy posting_list to stdout")),
      far.query(copyFrom("copy posting_list from stdin")),
    );
    await far.query("create index on posting_list (word)");
    await far.query("vacuum analyze posting_list");
    await near.query(foreignServer(old));
    await near.query(`
      truncate posting_list;
      create foreign table remote_posting_0 partition of remote_posting for values from (0) to (${end})
        server old_postings options (table_name 'own_posting')`);
    return end;
  } finally {
    await near.end();
    await far.end();
  }
}

function foreignServer({ host, port, user, database }: EmbeddedConnection): string {
  return `
    create extension postgres_fdw;
    create server old_postings foreign data wrapper postgres_fdw options (
      host '${host}', port '${port}', dbname '${database}', async_capable 'true', fetch_size '10000');
    create user mapping for current_user server old_postings options (user '${user}');
    do $$ begin execute format('alter database %I set enable_partitionwise_aggregate = on', current_database()); end $$`;
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
