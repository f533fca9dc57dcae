/**
 * Votes of several queries of a look-up slot: each in a statement of its own, on connections of their own, against all in one statement.
 *
 *     node bench/scale/batch.ts --data DIR --workspace DIR [--originals 100000] [--round 262144] [--seed 1] [--rounds 5]
 *
 * `--workspace`: as for `run.ts`; the database of that size is filled if it is not there. Both ways take turns, batch by batch, and must
 * answer the same.
 */
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { sql } from "kysely";
import { type Database, openDatabase } from "../../packages/server/src/store/database.ts";
import { vote } from "../../packages/server/src/store/index/match-index.ts";
import { ROUND } from "../../packages/server/src/store/index/posting-lists.ts";
import { SubjectReader } from "../matching/registered/subjects.ts";
import { readDonors, splitPictures } from "./donors.ts";
import { Population } from "./population.ts";
import { spreadOf } from "./scale-result.ts";
import { Workspace } from "./workspace.ts";

const NOBODY: ReadonlySet<number> = new Set();
const BATCHES = [1, 2, 4, 8];
/** Connections for statements at once: what a slot's commit uses on two cores. */
const CONNECTIONS = 3;

type Words = readonly number[];
type Answer = readonly (readonly number[])[];

/** One statement a query. */
function apart(database: Database, queries: readonly Words[]): Promise<Answer> {
  return Promise.all(
    queries.map(async (words) => {
      const { rows } = await vote(words, NOBODY).execute(database);
      return rows.map((row) => row.imageNo);
    }),
  );
}

/** One statement for all. */
async function together(database: Database, queries: readonly Words[]): Promise<Answer> {
  const votes = queries.map(
    (words, k) => sql`select ${k}::int as query, image_no from (${vote(words, NOBODY)}) vote`,
  );
  const { rows } = await sql<{
    query: number;
    imageNo: number;
  }>`${sql.join(votes, sql` union all `)}`.execute(database);
  return queries.map((_, k) => rows.filter(({ query }) => query === k).map((row) => row.imageNo));
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const start = performance.now();
  const result = await work();
  return { result, milliseconds: performance.now() - start };
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      workspace: { type: "string" },
      originals: { type: "string", default: "100000" },
      round: { type: "string", default: String(ROUND) },
      seed: { type: "string", default: "1" },
      rounds: { type: "string", default: "5" },
    },
  });
  if (values.data === undefined || values.workspace === undefined) {
    refuseCommandLine("--data DIR and --workspace DIR are required");
  }
  const files = splitPictures(values.data);
  const seed = Number(values.seed);
  await using workspace = await Workspace.open(values.workspace);
  const donors = await readDonors(files.donors, seed, join(workspace.folder, "donors.bin"));
  const originals = Number(values.originals);
  await workspace.fill(originals, new Population(donors, seed), Number(values.round));
  const reader = new SubjectReader(null);
  const words: Words[] = [];
  for (const file of files.asking.slice(0, 24)) {
    words.push([...(await reader.read(file, "lookup")).queryWords]);
  }
  const database = openDatabase(workspace.database(originals), CONNECTIONS, () => {});
  stdout.write("queries    a statement each, ms a query (p50, p95, mean)    one statement    ratio of p50\n");
  try {
    await apart(database, words);
    for (const size of BATCHES) {
      const times: { readonly apart: number[]; readonly together: number[] } = { apart: [], together: [] };
      for (let round = 0; round < Number(values.rounds); round += 1) {
        for (let at = 0; at + size <= words.length; at += size) {
          const batch = words.slice(at, at + size);
          const each = await timed(() => apart(database, batch));
          const all = await timed(() => together(database, batch));
          if (JSON.stringify(each.result) !== JSON.stringify(all.result)) {
            throw new Error("The two ways answered differently.");
          }
          times.apart.push(each.milliseconds / size);
          times.together.push(all.milliseconds / size);
        }
      }
      const [one, other] = [spreadOf(times.apart), spreadOf(times.together)];
      const cells = [one, other].map(({ p50, p95, mean }) =>
        [p50, p95, mean].map((ms) => ms.toFixed(1)).join(", "),
      );
      stdout.write(
        `${String(size).padEnd(10)} ${cells.join("    ")}    ${(other.p50 / one.p50).toFixed(2)}\n`,
      );
    }
  } finally {
    await database.destroy();
  }
}

await main();
