/**
 * Compares pairs with the engine's own examination and comparison, and keeps what was found of each place by place, so
 * that decisions can be tried and trained without comparing again.
 *
 *     node bench/matching/designs/trace.ts --out DIR [--pairs DIR]... [--data DIR [--queries DIR]... [--hard]]
 *                                          [--cache DIR] [--shard I/N] [--key 7]... [--swapped]
 *
 * `--pairs`: folders that `draw.ts` wrote. `--data`, `--queries`, `--hard` as for `evaluate.ts`; a query is compared
 * with its true originals only. `--key`: the bytes that fill the keys which originals are registered under; the traces
 * of each are in the folder of `--out` that its number names. `--swapped`: what is asked with is registered, and what
 * is registered asked with; `report.ts --again` tells how many are decided otherwise. What is in `--out` already is not
 * compared again: empty it after any change to a comparison.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { serialize } from "node:v8";
import { examineCandidates } from "@colophon/engine/lab";
import { directedPairs, readMatchSet, readQueries } from "../registered/match-set.ts";
import { PACKET_KEY, SubjectReader } from "../registered/subjects.ts";
import { readPairs } from "./pairs.ts";
import { type Compared, type Trace, swapped, traceName, traceOf } from "./traces.ts";

/** The pairs of a folder that `draw.ts` wrote. */
export function drawnPairs(folder: string): Compared[] {
  return readPairs(folder).map((pair) => ({
    registered: join(folder, pair.registered),
    asked: join(folder, pair.asked),
    group: pair.family,
    name: pair.design,
    draw: pair.draw,
    relation: pair.relation,
    edit: pair.edit,
    shared: pair.shared,
    seen: pair.seen,
    filled: pair.filled,
    isSwapped: false,
  }));
}

/**
 * The pairs of folders of drawn pairs, of attacked pictures with their originals, and of other photographs of a scene.
 */
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
          shared: 0,
          seen: 1,
          filled: 1,
          isSwapped: false,
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
      shared: 0,
      seen: 1,
      filled: 1,
      isSwapped: false,
    };
  }
}

/**
 * Compares pairs and keeps a trace of each in a folder, but of those that have one there. In an order of no meaning:
 * what was compared when the command is stopped is a sample of all.
 *
 * @returns how many were compared
 */
export async function tracePairs({
  compared,
  out,
  cache,
  shard: [part, parts] = [0, 1],
  keys = [PACKET_KEY[0]!],
}: {
  readonly compared: readonly Compared[];
  readonly out: string;
  readonly cache: string | null;
  readonly shard?: readonly [part: number, parts: number];
  readonly keys?: readonly number[];
}): Promise<number> {
  for (const key of keys) mkdirSync(join(out, `${key}`), { recursive: true });
  const reader = new SubjectReader(cache);
  const named = compared.map((pair) => ({ pair, name: traceName(pair) }));
  let count = 0;
  for (const [at, { pair, name }] of named.toSorted((a, b) => (a.name < b.name ? -1 : 1)).entries()) {
    const missing = keys.filter((key) => !existsSync(join(out, `${key}`, name)));
    if (at % parts !== part || missing.length === 0) continue;
    const { original, words: filed } = await reader.readOriginal(pair.registered);
    const { query, queryWords } = await reader.read(pair.asked, "lookup");
    const words = new Set(filed);
    const shared = [...new Set(queryWords)].filter((word) => words.has(word)).length;
    const packetKeys = missing.map((key) => new Uint8Array(32).fill(key));
    const originals = await reader.rekeyed(pair.registered, original, packetKeys);
    for (const [k, key] of missing.entries()) {
      const candidate = { id: 0, original: originals[k]! };
      const findings = examineCandidates(query, [candidate], packetKeys[k]!, undefined, true).map(traceOf);
      const trace: Trace = { compared: pair, key, shared, findings };
      const file = join(out, `${key}`, name);
      writeFileSync(`${file}.${process.pid}`, serialize(trace));
      renameSync(`${file}.${process.pid}`, file);
    }
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
      key: { type: "string", multiple: true, default: [`${PACKET_KEY[0]}`] },
      swapped: { type: "boolean", default: false },
    },
  });
  if (values.out === undefined) refuseCommandLine("--out DIR is required");
  const drawn = [...pairsOf(values)];
  const count = await tracePairs({
    compared: values.swapped ? drawn.map(swapped) : drawn,
    out: values.out,
    cache: values.cache ?? null,
    shard: values.shard.split("/").map(Number) as [number, number],
    keys: values.key.map(Number),
  });
  process.stdout.write(`${count} pairs compared, traces in ${values.out}\n`);
}

if (import.meta.main) await main();
