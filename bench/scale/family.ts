/**
 * One family of originals made of one template, as a form or a meme registered many times, and what look-ups of further
 * members touch with the guard against heavy words and without it.
 *
 *     node bench/scale/family.ts --data DIR [--members 20000] [--others 20000] [--seed 1] [--workspace DIR]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { sql } from "kysely";
import { type Database, openDatabase } from "../../packages/server/src/store/database.ts";
import { lightWords } from "./light-words.ts";
import { searchHeavyWords } from "../../packages/server/src/store/index/heavy-words.ts";
import { retrieveCandidates } from "../../packages/server/src/store/index/match-index.ts";
import { ROUND } from "../../packages/server/src/store/index/posting-lists.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { readDonors, splitPictures } from "./donors.ts";
import { type GeneratedOriginal, type OriginalSource, Population } from "./population.ts";
import { type Spread, spreadOf } from "./scale-result.ts";
import { Workspace } from "./workspace.ts";

const NOBODY: ReadonlySet<number> = new Set();
/** Share of a member's points that are the template's. */
const TEMPLATE_SHARE = 0.5;
/** Share of the words that a query has in common with the original it derives from. */
const KEPT = 0.4;
const QUERIES = 40;

/** What look-ups of derived members did. Times in milliseconds. */
export interface FamilyReport {
  readonly heavyWords: number;
  readonly searchMs: number;
  readonly guarded: FamilyLookups;
  readonly unguarded: FamilyLookups;
}

export interface FamilyLookups {
  readonly touched: Spread;
  readonly retrieval: Spread;
  /** Queries whose original is among the candidates. */
  readonly retrieved: number;
  readonly asked: number;
}

/** Originals of which the first so many share a template, the rest nothing. */
class Family implements OriginalSource {
  readonly #population: Population;
  readonly #members: number;
  readonly #template: GeneratedOriginal;

  constructor(population: Population, members: number) {
    this.#population = population;
    this.#members = members;
    this.#template = population.original(0);
  }

  original(n: number): GeneratedOriginal {
    const own = this.#population.original(n);
    if (n > this.#members) return own;
    const shared = Math.floor(TEMPLATE_SHARE * this.#template.words.length);
    const kept = own.words.subarray(0, Math.floor((1 - TEMPLATE_SHARE) * own.words.length));
    return {
      ...own,
      words: Int32Array.from(new Set([...this.#template.words.subarray(0, shared), ...kept])),
    };
  }
}

/**
 * Fills an index with a family and others, and looks further members up, before its heavy words are found and after.
 */
export async function measureFamily(options: {
  readonly data: string;
  readonly members: number;
  readonly others: number;
  readonly seed: number;
  readonly workspace: string;
}): Promise<FamilyReport> {
  const { members, others, seed } = options;
  await using workspace = await Workspace.open(options.workspace);
  const donors = await readDonors(
    splitPictures(options.data).donors,
    seed,
    join(workspace.folder, "donors.bin"),
  );
  const family = new Family(new Population(donors, seed), members);
  await workspace.fill(members + others, family, ROUND);
  const database = openDatabase(workspace.database(members + others), 1, () => {});
  try {
    const random = seededRandom(seed);
    const asked = Array.from({ length: QUERIES }, () => 1 + Math.floor(random() * members));
    const queries = asked.map((n) => ({ n, keys: derived(family.original(n).words, random) }));
    await lookUp(database, queries);
    const unguarded = await lookUp(database, queries);
    const start = performance.now();
    for (let from = 0; from < members + others; from += 1_000) await searchHeavyWords(database);
    const searchMs = performance.now() - start;
    const { rows } = await sql<{ words: number }>`select count(*) as words from heavy_word`.execute(database);
    return {
      heavyWords: rows[0]?.words ?? 0,
      searchMs,
      guarded: await lookUp(database, queries),
      unguarded,
    };
  } finally {
    await database.destroy();
  }
}

/** Some of the words, as a re-encoded crop still has them. */
function derived(words: Int32Array, random: Random): Int32Array {
  return words.filter(() => random() < KEPT);
}

async function lookUp(
  database: Database,
  queries: readonly { readonly n: number; readonly keys: Int32Array }[],
): Promise<FamilyLookups> {
  const [touched, retrieval]: [number[], number[]] = [[], []];
  let retrieved = 0;
  for (const { n, keys } of queries) {
    const start = performance.now();
    const candidates = await retrieveCandidates(database, keys, NOBODY);
    retrieval.push(performance.now() - start);
    if (candidates.some(({ imageNo }) => imageNo === n)) retrieved += 1;
    const words = await lightWords(database, keys);
    const { rows } = await sql<{ postings: number }>`select count(*) as postings from posting
      where word = any(${words}::int[])`.execute(database);
    touched.push(rows[0]?.postings ?? 0);
  }
  return {
    touched: spreadOf(touched),
    retrieval: spreadOf(retrieval),
    retrieved,
    asked: queries.length,
  };
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      members: { type: "string", default: "20000" },
      others: { type: "string", default: "20000" },
      seed: { type: "string", default: "1" },
      workspace: { type: "string" },
    },
  });
  if (values.data === undefined) refuseCommandLine("--data DIR is required");
  const workspace = values.workspace ?? (await mkdtemp(join(tmpdir(), "colophon-family-")));
  try {
    const report = await measureFamily({
      data: values.data,
      members: Number(values.members),
      others: Number(values.others),
      seed: Number(values.seed),
      workspace,
    });
    stdout.write(`${JSON.stringify(report, null, 1)}\n`);
  } finally {
    if (values.workspace === undefined) await rm(workspace, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
