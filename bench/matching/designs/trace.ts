/**
 * Compares pairs with the engine's own examination and comparison, and keeps what was found of each place by place, so that decisions can be tried
 * and trained without comparing again.
 *
 *     node bench/matching/designs/trace.ts --out DIR [--pairs DIR]... [--data DIR [--queries DIR]... [--hard]] [--cache DIR] [--shard I/N] [--key 7]
 *
 * `--pairs`: folders that `draw.ts` wrote. `--data`, `--queries`, `--hard` as for `evaluate.ts`; a query is compared with its true originals only.
 * `--key`: the byte that fills the key which originals are registered under; each key needs a cache of its own.
 * What is in `--out` already is not compared again: empty it after any change to a comparison.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { serialize } from "node:v8";
import { examineCandidates } from "@colophon/engine/lab";
import { directedPairs, readMatchSet, readQueries } from "../registered/match-set.ts";
import { PACKET_KEY, SubjectReader } from "../registered/subjects.ts";
import { readPairs } from "./pairs.ts";
import { type Compared, type Trace, traceName, traceOf } from "./traces.ts";

/** The pairs of a folder that `draw.ts` wrote. */
export function drawnPairs(folder: string): Compared[] {
  return readPairs(folder).map(({ registered, asked: query, family, design, draw, relation, edit }) => ({
    registered: join(folder, registered),
    asked: join(folder, query),
    group: family,
    name: design,
    draw,
    relation,
    edit,
  }));
}

/** The pairs of folders of drawn pairs, of attacked pictures with their originals, and of other photographs of a scene. */
export function* pairsOf(values: {
  readonly pairs: readonly string[];
  readonly data?: string | undefined;
  readonly queries: readonly string[];
  readonly hard: boolean;
}): Generator<Compared> {
  for (const folder of values.pairs) yield* drawnPairs(folder);
  if (values.data === undefined) return;
  const set = readMatchSet(values.data);
  const originals = new Map(set.originals.map((original) => [original.id, original]));
  for (const folder of values.queries) {
    for (const { file, attack, truth } of readQueries(folder)) {
      for (const id of truth) {
        const original = originals.get(id)!;
        yield {
          registered: join(values.data, original.file),
          asked: join(folder, file),
          group: "attack",
          name: original.kind,
          draw: 0,
          relation: "itself",
          edit: attack,
        };
      }
    }
  }
  if (!values.hard) return;
  for (const { registered, asked: query, category, scene } of directedPairs(set)) {
    yield {
      registered: join(values.data, registered),
      asked: join(values.data, query),
      group: "hard",
      name: category,
      draw: scene,
      relation: "other",
      edit: "as it is",
    };
  }
}

/**
 * Compares pairs and keeps a trace of each in a folder, but of those that have one there. In an order of no meaning: what was compared when the command is
 * stopped is a sample of all.
 *
 * @returns how many were compared
 */
export async function tracePairs({
  compared,
  out,
  cache,
  shard: [part, parts] = [0, 1],
  key = PACKET_KEY,
}: {
  readonly compared: readonly Compared[];
  readonly out: string;
  readonly cache: string | null;
  readonly shard?: readonly [part: number, parts: number];
  readonly key?: Uint8Array;
}): Promise<number> {
  mkdirSync(out, { recursive: true });
  const reader = new SubjectReader(cache, key);
  const named = compared.map((pair) => ({ pair, name: traceName(pair) }));
  let count = 0;
  for (const [k, { pair, name }] of named.toSorted((a, b) => (a.name < b.name ? -1 : 1)).entries()) {
    const file = join(out, name);
    if (k % parts !== part || existsSync(file)) continue;
    const { original, words: filed } = await reader.readOriginal(pair.registered);
    const { query, queryWords } = await reader.read(pair.asked, "lookup");
    const words = new Set(filed);
    const trace: Trace = {
      compared: pair,
      shared: [...new Set(queryWords)].filter((word) => words.has(word)).length,
      findings: examineCandidates(query, [{ id: 0, original }], key).map(traceOf),
    };
    writeFileSync(`${file}.${process.pid}`, serialize(trace));
    renameSync(`${file}.${process.pid}`, file);
    count += 1;
  }
  return count;
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      out: { type: "string" },
      pairs: { type: "string", multiple: true, default: [] },
      data: { type: "string" },
      queries: { type: "string", multiple: true, default: [] },
      hard: { type: "boolean", default: false },
      cache: { type: "string" },
      shard: { type: "string", default: "0/1" },
      key: { type: "string" },
    },
  });
  if (values.out === undefined) refuseCommandLine("--out DIR is required");
  const count = await tracePairs({
    compared: [...pairsOf(values)],
    out: values.out,
    cache: values.cache ?? null,
    shard: values.shard.split("/").map(Number) as [number, number],
    key: values.key === undefined ? PACKET_KEY : new Uint8Array(32).fill(Number(values.key)),
  });
  process.stdout.write(`${count} pairs compared, traces in ${values.out}\n`);
}

if (import.meta.main) await main();
