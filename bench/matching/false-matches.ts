/**
 * Counts false matches among very many originals: attacked queries against the originals of a match set, pictures rendered from them,
 * and originals generated from their descriptors. Retrieval, ranking and decision are those of a look-up, in this process.
 *
 *     node bench/matching/false-matches.ts --data DIR --queries DIR [--generated 120000] [--rendered 3000] [--seed 1]
 *                                          [--limit N] [--cache DIR] [--out DIR]
 *
 * `--out` keeps `accepted.jsonl`, one line for each pair that was matched though the query does not derive from the original, and both
 * pictures of it side by side. `--cache` keeps what is read of pictures and descriptors: empty it after a change to extraction. SIGINT
 * ends the run with what was asked so far.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { deserialize, serialize } from "node:v8";
import {
  COMPARISON_SIDE,
  decodePacket,
  loadVocabulary,
  lumaOf,
  makeOriginal,
  matchQuery,
  type Rgb,
  type StoredOriginal,
  openVocabulary,
} from "@colophon/engine/lab";
import { readDonors, splitPictures } from "../scale/donors.ts";
import { Population } from "../scale/population.ts";
import { type AttackedQuery, type MatchSet, readMatchSet, readQueries } from "./registered/match-set.ts";
import { PostingIndex } from "./registered/posting-index.ts";
import { type Rendered, render, type Source } from "./rendered-distractors.ts";
import { PACKET_KEY, SubjectReader } from "./registered/subjects.ts";
import { readRgb, writeSideBySide } from "./compared/side-by-side.ts";
import { spread } from "./spread.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** Longest side at which originals are cut up, pixels. */
const SOURCE_SIDE = 800;

/** What an accepted pair is. */
type Relation = "true" | "related" | "shares parts" | "unrelated";

interface Filed {
  readonly name: string;
  /** Originals of which it shows something, an original itself among them. */
  readonly sources: readonly string[];
  readonly stored: () => StoredOriginal;
  readonly picture: (() => Promise<Rgb>) | null;
}

/** A pair that was matched, and what its pictures have to do with each other by construction. */
export interface Accepted {
  readonly query: string;
  readonly attack: string;
  readonly truth: readonly string[];
  readonly original: string;
  readonly sources: readonly string[];
  readonly relation: Exclude<Relation, "true">;
}

export interface FalseMatchReport {
  readonly queries: number;
  readonly originals: { readonly real: number; readonly rendered: number; readonly generated: number };
  /** Pairs of a query and an original that have nothing to do with each other. */
  readonly unrelatedPairs: number;
  /** Queries of which a true original was among the candidates, and was matched. */
  readonly retrieved: number;
  readonly found: number;
  readonly accepted: readonly Accepted[];
  /** Processor time of retrieval and matching of all queries, milliseconds. */
  readonly processorMs: number;
}

export interface FalseMatchOptions {
  readonly data: string;
  readonly queries: string;
  readonly generated: number;
  readonly rendered: number;
  readonly seed: number;
  readonly limit: number;
  readonly stopped: AbortSignal;
  readonly cache: string | null;
  readonly out: string | null;
}

/** Everything that a query is compared with. */
class Registry {
  readonly #index = new PostingIndex();
  readonly #filed: Filed[] = [];
  readonly #showing: (readonly string[])[] = [];

  add(filed: Filed, words: Int32Array): void {
    this.#index.add(this.#filed.length, words);
    this.#filed.push(filed);
    if (filed.sources.length > 0) this.#showing.push(filed.sources);
  }

  /** What is among the candidates of a query, and what of it is matched. */
  lookUp(
    query: Parameters<typeof matchQuery>[0],
    words: Int32Array,
  ): { candidates: Filed[]; matched: Filed[] } {
    const ids = [...this.#index.candidates(words).keys()];
    const candidates = ids.map((id) => ({ id, original: this.#filed[id]!.stored() }));
    const matched = matchQuery(query, candidates, PACKET_KEY);
    const of = (id: number): Filed => this.#filed[id]!;
    return { candidates: ids.map(of), matched: matched.map(({ id }) => of(id)) };
  }

  /** How many show nothing of any of these originals. */
  countUnrelated(names: readonly string[]): number {
    return (
      this.#filed.length -
      this.#showing.filter((sources) => sources.some((each) => names.includes(each))).length
    );
  }
}

async function addReal(
  registry: Registry,
  set: MatchSet,
  data: string,
  reader: SubjectReader,
): Promise<void> {
  for (const { id, file } of set.originals) {
    const { original, originalWords } = await reader.read(join(data, file), "registration");
    if (original === null) throw new Error(`${file} was not examined for registration.`);
    const picture = (): Promise<Rgb> => readRgb(readFileSync(join(data, file)), SOURCE_SIDE);
    registry.add({ name: id, sources: [id], stored: () => original, picture }, originalWords);
  }
}

/** What registering a rendered picture would file, and what it was made of. */
interface RenderedPacket extends Pick<Rendered, "kind" | "sources"> {
  readonly packet: Uint8Array;
  readonly words: Int32Array;
}

async function addRendered(
  registry: Registry,
  set: MatchSet,
  { data, rendered, seed, cache }: FalseMatchOptions,
): Promise<void> {
  const sources: Source[] = [];
  for (const { id, file } of set.originals) {
    sources.push({ name: id, rgb: await readRgb(readFileSync(join(data, file)), SOURCE_SIDE) });
  }
  const examiner = { vocabulary: openVocabulary(loadVocabulary()), packetKey: PACKET_KEY };
  const kept = cache === null ? null : join(cache, `rendered-${seed}`);
  const packets: RenderedPacket[] =
    kept !== null && existsSync(kept) ? (deserialize(readFileSync(kept)) as RenderedPacket[]) : [];
  while (packets.length < rendered) {
    const { kind, sources: shown, rgb } = render(packets.length, seed, sources);
    const packetId = new Uint8Array(16);
    new DataView(packetId.buffer).setUint32(0, packets.length);
    const { packet, words } = makeOriginal(lumaOf(rgb, COMPARISON_SIDE), packetId, examiner);
    packets.push({ kind, sources: shown, packet, words });
    if (packets.length % 100 > 0 && packets.length < rendered) continue;
    process.stderr.write(`${packets.length} rendered\n`);
    if (kept !== null) writeFileSync(kept, serialize(packets));
  }
  for (const [n, { kind, sources: shown, packet, words }] of packets.slice(0, rendered).entries()) {
    const stored = (): StoredOriginal => decodePacket(packet);
    const picture = (): Promise<Rgb> => Promise.resolve(render(n, seed, sources).rgb);
    registry.add({ name: `${kind} ${n}`, sources: shown, stored, picture }, words);
  }
}

async function addGenerated(
  registry: Registry,
  { data, generated, seed, cache }: FalseMatchOptions,
): Promise<void> {
  if (generated === 0) return;
  const { donors } = splitPictures(data);
  const kept = cache === null ? null : join(cache, `donors-${seed}`);
  const population = new Population(await readDonors(donors, seed, kept), seed);
  for (let n = 0; n < generated; n += 1) {
    const stored = (): StoredOriginal => population.original(n).original;
    registry.add(
      { name: `generated ${n}`, sources: [], stored, picture: null },
      population.original(n).words,
    );
  }
  process.stderr.write(`${generated} generated\n`);
}

/** What a matched original has to do with a query. */
function relationOf(query: AttackedQuery, { name, sources }: Filed, { related = [] }: MatchSet): Relation {
  if (query.truth.includes(name)) return "true";
  if (sources.some((source) => query.truth.includes(source))) return "shares parts";
  const isRelated = related.some(
    ({ a, b }) => (name === a && query.truth.includes(b)) || (name === b && query.truth.includes(a)),
  );
  return isRelated ? "related" : "unrelated";
}

/** Keeps each wrongly accepted pair, and shows it. */
class AcceptedPairs {
  readonly pairs: Accepted[] = [];
  readonly #folder: string | null;

  constructor(folder: string | null) {
    this.#folder = folder;
    if (folder === null) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "accepted.jsonl"), "");
  }

  async add(pair: Accepted, query: Uint8Array, original: Filed): Promise<void> {
    this.pairs.push(pair);
    if (this.#folder === null) return;
    appendFileSync(join(this.#folder, "accepted.jsonl"), `${JSON.stringify(pair)}\n`);
    const shown = [await readRgb(query, SOURCE_SIDE)];
    if (original.picture !== null) shown.push(await original.picture());
    await writeSideBySide(shown, join(this.#folder, `pair-${this.pairs.length}.png`));
  }
}

/** Runs the count; see the head of this file. */
export async function countFalseMatches(options: FalseMatchOptions): Promise<FalseMatchReport> {
  const set = readMatchSet(options.data);
  const reader = new SubjectReader(options.cache);
  const registry = new Registry();
  await addReal(registry, set, options.data, reader);
  await addRendered(registry, set, options);
  await addGenerated(registry, options);
  const accepted = new AcceptedPairs(options.out);
  const seen = { queries: 0, retrieved: 0, found: 0, unrelatedPairs: 0, processorMs: 0 };
  for (const query of spread(readQueries(options.queries), options.limit)) {
    if (options.stopped.aborted) break;
    const file = join(options.queries, query.file);
    const subject = await reader.read(file, "lookup");
    const began = process.cpuUsage();
    const { candidates, matched } = registry.lookUp(subject.query, subject.queryWords);
    const { user, system } = process.cpuUsage(began);
    const relation = (original: Filed): Relation => relationOf(query, original, set);
    for (const original of matched) {
      const found = relation(original);
      if (found === "true") continue;
      const { name, sources } = original;
      const { attack, truth } = query;
      const pair = { query: query.file, attack, truth, original: name, sources, relation: found };
      await accepted.add(pair, readFileSync(file), original);
    }
    seen.queries += 1;
    seen.processorMs += (user + system) / 1_000;
    seen.unrelatedPairs += registry.countUnrelated(query.truth);
    if (candidates.some((each) => relation(each) === "true")) seen.retrieved += 1;
    if (matched.some((each) => relation(each) === "true")) seen.found += 1;
    if (seen.queries % 50 === 0) {
      process.stderr.write(`${seen.queries} queries, ${accepted.pairs.length} pairs to look at\n`);
    }
  }
  const { rendered, generated } = options;
  const originals = { real: set.originals.length, rendered, generated };
  return { originals, ...seen, accepted: accepted.pairs };
}

function* lines(report: FalseMatchReport): Generator<string> {
  const { queries, originals, unrelatedPairs, retrieved, found, accepted, processorMs } = report;
  const { real, rendered, generated } = originals;
  yield `${queries} queries against ${real} originals, ${rendered} rendered and ${generated} generated ones`;
  yield `${unrelatedPairs.toExponential(2)} unrelated pairs`;
  yield `a true original among the 500 candidates: ${retrieved}, matched: ${found}`;
  yield `${(processorMs / queries).toFixed(0)} ms of processor time a query, extraction apart`;
  for (const relation of ["unrelated", "related", "shares parts"] as const) {
    const pairs = accepted.filter((pair) => pair.relation === relation);
    yield `matched, ${relation}: ${pairs.length}`;
    for (const { attack, truth, original, sources } of pairs) {
      yield `  ${attack} of ${truth.join("+")} matched ${original}${sources.length > 0 ? ` (of ${sources.join("+")})` : ""}`;
    }
  }
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      queries: { type: "string" },
      generated: { type: "string", default: "120000" },
      rendered: { type: "string", default: "3000" },
      seed: { type: "string", default: "1" },
      limit: { type: "string" },
      cache: { type: "string" },
      out: { type: "string" },
    },
  });
  const { data, queries, cache, out } = values;
  if (data === undefined || queries === undefined) {
    refuseCommandLine("--data DIR and --queries DIR are required");
  }
  const report = await countFalseMatches({
    data,
    queries,
    generated: Number(values.generated),
    rendered: Number(values.rendered),
    seed: Number(values.seed),
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit),
    stopped: untilInterrupted(),
    cache: cache ?? null,
    out: out ?? null,
  });
  process.stdout.write(`${[...lines(report)].join("\n")}\n`);
}

if (import.meta.main) await main();
