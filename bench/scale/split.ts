/**
 * Splits an index over two database servers by a foreign partition of the postings, as docs/operations.md tells an operator to, and compares
 * what is retrieved with the index unsplit.
 *
 *     node bench/scale/split.ts --data DIR [--originals 100000] [--seed 1] [--rounds 3] [--workspace DIR]
 *
 * Prints whether all answers are the same, the times, and how the database runs the statement.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { type CompiledQuery, Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { EmbeddedConnection } from "../../packages/server/src/store/embedded-postgres.ts";
import { retrieveCandidates } from "../../packages/server/src/store/match-index.ts";
import type { Tables } from "../../packages/server/src/store/tables.ts";
import { SubjectReader } from "../matching/subjects.ts";
import { readDonors, splitPictures } from "./donors.ts";
import { Population } from "./population.ts";
import { type Spread, spreadOf } from "./scale-result.ts";
import { Workspace } from "./workspace.ts";

const NOBODY: ReadonlySet<number> = new Set();
/** The words of a query, in a plan. */
const WORDS = /'\{-?\d+(,-?\d+)+\}'/g;
const PARTITION = "posting_0";
const PARTITION_END = 1_000_000;

/** What the two indexes answered. Times in milliseconds. */
export interface SplitReport {
  readonly queries: number;
  /** Queries that retrieved the same candidates in the same order with the same packets. */
  readonly same: number;
  readonly candidates: Spread;
  readonly whole: Spread;
  readonly split: Spread;
  /** How the split database runs the statement of a look-up, a line each. */
  readonly plan: readonly string[];
}

export interface SplitOptions {
  readonly data: string;
  readonly originals: number;
  readonly seed: number;
  readonly rounds: number;
  readonly workspace: string;
}

/** One database asked as the service asks it, with the last statement kept. */
class Asked implements AsyncDisposable {
  readonly #kysely: Kysely<Tables>;
  #last: CompiledQuery | null = null;

  constructor(address: EmbeddedConnection) {
    this.#kysely = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new Pool({ ...address, max: 1 }) }),
      log: ({ query }) => {
        this.#last = query;
      },
    });
  }

  /** The candidates of one query, a text for each, and the time it took. */
  async retrieve(keys: Int32Array): Promise<{ readonly candidates: string[]; readonly ms: number }> {
    const start = performance.now();
    const found = await retrieveCandidates(this.#kysely, keys, NOBODY);
    const ms = performance.now() - start;
    return { candidates: found.map(({ imageNo, sealed }) => `${imageNo} ${sealed.toString("base64")}`), ms };
  }

  /** How the last retrieval's statement runs. */
  async plan(): Promise<readonly string[]> {
    const { sql, parameters } = this.#last!;
    const { rows } = await this.#kysely.executeQuery<{ "QUERY PLAN": string }>({
      ...this.#last!,
      sql: `explain (verbose, costs off) ${sql}`,
      parameters,
    });
    return rows.map((row) => row["QUERY PLAN"].replaceAll(WORDS, "'{...}'"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kysely.destroy();
  }
}

/** Fills an index, splits a copy of it, and asks both the same. */
export async function compareSplit(options: SplitOptions): Promise<SplitReport> {
  const files = splitPictures(options.data);
  await using primary = await Workspace.open(options.workspace);
  await using remote = await Workspace.open(join(options.workspace, "remote"));
  const donors = await readDonors(files.donors, options.seed, join(options.workspace, "donors.bin"));
  await primary.fill(options.originals, new Population(donors, options.seed));
  const name = `split_${options.originals}`;
  const split = await primary.copy(options.originals, name);
  const old = await remote.create(name);
  await splitPostings(split, old, Math.floor(options.originals / 2) + 1);
  await using whole = new Asked(primary.database(options.originals));
  await using parts = new Asked(split);
  return await ask(whole, parts, files.asking, options.rounds);
}

async function ask(
  whole: Asked,
  parts: Asked,
  files: readonly string[],
  rounds: number,
): Promise<SplitReport> {
  const reader = new SubjectReader(null);
  const [wholeMs, splitMs, counts]: [number[], number[], number[]] = [[], [], []];
  let same = 0;
  for (const file of files) {
    const { queryWords } = await reader.read(file, "lookup");
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
    plan: await parts.plan(),
  };
}

/** Moves the postings of originals below `boundary` to the database at `old`: the steps of docs/operations.md, for a part of a partition. */
async function splitPostings(
  primary: EmbeddedConnection,
  old: EmbeddedConnection,
  boundary: number,
): Promise<void> {
  const [near, far] = [new Client(primary), new Client(old)];
  await near.connect();
  await far.connect();
  try {
    await far.query("create table posting_old (word int not null, image_no int not null)");
    await pipeline(
      near.query(copyTo(`copy (select word, image_no from posting where image_no < ${boundary}) to stdout`)),
      far.query(copyFrom("copy posting_old (word, image_no) from stdin")),
    );
    await far.query("create index on posting_old (word, image_no)");
    await far.query("vacuum analyze posting_old");
    await near.query(foreignServer(old));
    await near.query(`
      alter table posting detach partition ${PARTITION};
      create table posting_new as select word, image_no from ${PARTITION} where image_no >= ${boundary};
      drop table ${PARTITION};
      alter table posting_new alter word set not null, alter image_no set not null;
      create index on posting_new (word, image_no);
      alter table posting attach partition posting_new for values from (${boundary}) to (${PARTITION_END});
      create foreign table posting_old partition of posting for values from (0) to (${boundary})
        server old_postings options (table_name 'posting_old')`);
    await near.query("vacuum analyze posting_new");
    await near.query("analyze posting_old");
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
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      originals: { type: "string", default: "100000" },
      seed: { type: "string", default: "1" },
      rounds: { type: "string", default: "3" },
      workspace: { type: "string" },
    },
  });
  if (values.data === undefined) throw new Error("--data DIR is required");
  const workspace = values.workspace ?? (await mkdtemp(join(tmpdir(), "colophon-split-")));
  try {
    const { plan, ...figures } = await compareSplit({
      data: values.data,
      originals: Number(values.originals),
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
