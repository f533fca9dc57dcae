/**
 * Counts false matches among very many originals: attacked queries against the originals of a match set, pictures
 * rendered from them, and originals generated from their descriptors. Retrieval, ranking and decision are those of a
 * look-up, in this process.
 *
 *     node bench/matching/false-matches.ts --data DIR [--queries DIR] [--generated 120000] [--rendered 3000] [--seed 1]
 *                                          [--drawn 0 --photographs DIR] [--pairs DIR] [--limit N] [--cache DIR]
 *                                          [--out DIR]
 *
 * `--drawn`: so many pages, framed and overlaid photographs of `designs/`, and parts of photographs, with photographs
 * of the folder. `--pairs`: a folder that `designs/draw.ts` wrote, of whose asked pictures none derives from any
 * original: draw it with another seed and other photographs. `--out` keeps `accepted.jsonl`, one line for each pair
 * that was matched though the query does not derive from the original, and both pictures of it side by side. `--cache`
 * keeps what is read of pictures and descriptors: empty it after a change to extraction. SIGINT ends the run with what
 * was asked so far.
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
  type Rgb,
  type StoredOriginal,
  openVocabulary,
} from "@colophon/engine/lab";
import { readDonors, splitPictures } from "../scale/donors.ts";
import { Population } from "../scale/population.ts";
import {
  type Accepted,
  type FalseMatchReport,
  falseMatchLines,
  type Relation,
} from "./false-match-report.ts";
import { type Filed, ManyOriginals } from "./registered/many-originals.ts";
import { type AttackedQuery, type MatchSet, readMatchSet, readQueries } from "./registered/match-set.ts";
import { type Rendered, render, type Source } from "./rendered-distractors.ts";
import { PACKET_KEY, SubjectReader } from "./registered/subjects.ts";
import { readRgb, writeSideBySide } from "./compared/side-by-side.ts";
import { DistractorDrawer, drawnPackets } from "./drawn-distractors.ts";
import { drawnPairs } from "./designs/trace.ts";
import { spread } from "./spread.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** Longest side at which originals are cut up, pixels. */
const SOURCE_SIDE = 800;

export interface FalseMatchOptions {
  readonly data: string;
  /** Folders of attacked originals, and of pictures that derive from none; null without. */
  readonly queries: string | null;
  readonly pairs: string | null;
  readonly generated: number;
  readonly rendered: number;
  readonly drawn: number;
  /** Photographs that are drawn with; null when none are. */
  readonly photographs: string | null;
  readonly seed: number;
  readonly limit: number;
  readonly stopped: AbortSignal;
  readonly cache: string | null;
  readonly out: string | null;
}

async function addReal(
  registry: ManyOriginals,
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
  registry: ManyOriginals,
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

async function addDrawn(
  registry: ManyOriginals,
  { drawn, photographs, seed, cache }: FalseMatchOptions,
): Promise<void> {
  if (drawn === 0 || photographs === null) return;
  const drawer = await DistractorDrawer.open(photographs, seed);
  for await (const { packet, words, name, sources, n } of drawnPackets(drawer, drawn, cache)) {
    const stored = (): StoredOriginal => decodePacket(packet);
    registry.add({ name, sources, stored, picture: async () => (await drawer.draw(n)).rgb }, words);
  }
}

async function addGenerated(
  registry: ManyOriginals,
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

interface Asked {
  readonly query: AttackedQuery;
  readonly file: string;
}

/** What is asked: attacked originals, and pictures of other draws of designs. */
function asked({ queries, pairs }: FalseMatchOptions): Asked[] {
  const attacked =
    queries === null ? [] : readQueries(queries).map((query) => ({ query, file: join(queries, query.file) }));
  const drawn =
    pairs === null ? [] : [...new Map(drawnPairs(pairs).map((pair) => [pair.asked, pair])).values()];
  return [
    ...attacked,
    ...drawn.map(({ asked: file, name, edit, group }) => ({
      query: { file, attack: `${name}, ${edit}`, family: group, truth: [] },
      file,
    })),
  ];
}

/** Runs the count; see the head of this file. */
export async function countFalseMatches(options: FalseMatchOptions): Promise<FalseMatchReport> {
  const set = readMatchSet(options.data);
  const reader = new SubjectReader(options.cache);
  const registry = new ManyOriginals();
  await addReal(registry, set, options.data, reader);
  await addRendered(registry, set, options);
  await addDrawn(registry, options);
  await addGenerated(registry, options);
  const accepted = new AcceptedPairs(options.out);
  const seen = { queries: 0, retrieved: 0, found: 0, unrelatedPairs: 0, processorMs: 0 };
  for (const { query, file } of spread(asked(options), options.limit)) {
    if (options.stopped.aborted) break;
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
  const { rendered, drawn, generated } = options;
  const originals = { real: set.originals.length, rendered, drawn, generated };
  return { originals, ...seen, accepted: accepted.pairs };
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      queries: { type: "string" },
      pairs: { type: "string" },
      drawn: { type: "string", default: "0" },
      photographs: { type: "string" },
      generated: { type: "string", default: "120000" },
      rendered: { type: "string", default: "3000" },
      seed: { type: "string", default: "1" },
      limit: { type: "string" },
      cache: { type: "string" },
      out: { type: "string" },
    },
  });
  const { data, queries, cache, out } = values;
  if (data === undefined) refuseCommandLine("--data DIR is required");
  if (queries === undefined && values.pairs === undefined) {
    refuseCommandLine("--queries DIR, --pairs DIR or both are required");
  }
  const report = await countFalseMatches({
    data,
    queries: queries ?? null,
    pairs: values.pairs ?? null,
    drawn: Number(values.drawn),
    photographs: values.photographs ?? null,
    generated: Number(values.generated),
    rendered: Number(values.rendered),
    seed: Number(values.seed),
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit),
    stopped: untilInterrupted(),
    cache: cache ?? null,
    out: out ?? null,
  });
  process.stdout.write(`${[...falseMatchLines(report)].join("\n")}\n`);
}

if (import.meta.main) await main();
