/**
 * Where the time of a look-up and of a registration goes, stage by stage: each stage is an exported function of the
 * engine, timed by itself in this process. Pictures of a match set ask, one after the other, among all its others.
 *
 *     node bench/profile.ts --data DIR [--limit N] [--cache DIR]
 *
 * `--data`: a folder with `manifest.json`. `--limit`: how many pictures ask, spread over the set (12). `--cache`: keeps
 * the examinations of the originals for the next run (see `matching/registered/subjects.ts`). Milliseconds of processor
 * time of the whole process, so that decoding in another thread counts. Shares are of the sum over all pictures.
 * Retrieval, HTTP and the database are not in it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import {
  blake3,
  type Candidate,
  COMPARISON_SIDE,
  cosineTerms,
  decodeCost,
  decodeImage,
  discardRaster,
  encodeOriginal,
  examineCandidates,
  extractQuery,
  hashPixels,
  isWorthPlacing,
  jpegQuantisation,
  LIMITS,
  loadVocabulary,
  lumaOf,
  mainPoints,
  mainRaster,
  type NearestWords,
  openVocabulary,
  placeCandidate,
  type Query,
  queryWords,
  rankCandidates,
  readQueryState,
  type Vocabulary,
  wholeKeysAsked,
  wholeQueryWords,
  wordsOfFiled,
  writeQueryState,
} from "@colophon/engine/lab";
import { readMatchSet } from "./matching/registered/match-set.ts";
import { spread } from "./matching/spread.ts";
import { PACKET_KEY, SubjectReader } from "./matching/registered/subjects.ts";

const DECODE = {
  acceptedTypes: ["image/jpeg", "image/png", "image/webp"],
  maxImagePixels: 200_000_000,
};

/** Processor milliseconds of this process so far, all threads. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What one picture took, stage by stage in the order of its life. */
class Stages {
  readonly milliseconds = new Map<string, number>();
  #mark = spent();

  /** Books the time since the last stage. */
  end(stage: string): void {
    const now = spent();
    this.milliseconds.set(stage, (this.milliseconds.get(stage) ?? 0) + now - this.#mark);
    this.#mark = now;
  }

  /** Takes off a stage the time of those that it went through once more. */
  deduct(stage: string, from: readonly string[]): void {
    const again = sum(from.map((name) => this.milliseconds.get(name) ?? 0));
    this.milliseconds.set(stage, Math.max(0, (this.milliseconds.get(stage) ?? 0) - again));
  }
}

/** Points end where their words begin, which is how the rasters of a picture are told apart. */
class TimedVocabulary implements Vocabulary {
  readonly #vocabulary = openVocabulary(loadVocabulary());
  readonly isStopWord = this.#vocabulary.isStopWord;
  stages = new Stages();
  rasters: string[] = [];

  readonly nearestWords: NearestWords = (descriptors) => {
    this.stages.end(`points, ${this.rasters.shift() ?? "further raster"}`);
    const words = this.#vocabulary.nearestWords(descriptors);
    this.stages.end("words of points");
    return words;
  };
}

interface Asked {
  readonly query: Query;
  readonly register: () => void;
}

async function examine(
  image: Uint8Array,
  isFiled: boolean,
  vocabulary: TimedVocabulary,
  stages: Stages,
): Promise<Asked> {
  vocabulary.stages = stages;
  decodeCost(image, DECODE);
  const picture = await decodeImage(image, DECODE);
  stages.end("decode");
  hashPixels(picture);
  const contentHash = blake3(image);
  stages.end("hashes");
  const luma = lumaOf(picture, COMPARISON_SIDE);
  discardRaster(picture);
  stages.end("luma");
  wholeKeysAsked(cosineTerms(luma), PACKET_KEY);
  stages.end("whole keys");
  const raster = mainRaster(luma);
  const { asked, filed } = mainPoints(raster, isFiled);
  vocabulary.rasters = ["main raster", "crop raster 1", "crop raster 2", "crop raster 3", "sign 1", "sign 2"];
  const { features, nearest, probes } = extractQuery(luma, raster, asked, vocabulary);
  stages.end("keys and query state");
  const terms = cosineTerms(luma);
  const whole = wholeQueryWords(terms);
  stages.end("signs of the whole");
  queryWords(nearest, vocabulary, LIMITS.retrieval.words - whole.length);
  const quantisation = jpegQuantisation(image);
  const query = readQueryState(writeQueryState({ features, probes, luma, terms, quantisation }));
  stages.end("keys and query state");
  return {
    query,
    register: () => {
      if (filed === null) return;
      vocabulary.rasters = ["filed"];
      const words = {
        nearest: wordsOfFiled(filed, nearest.main, vocabulary),
        small: { words: nearest.small, placing: [] },
      };
      encodeOriginal({ luma, terms }, { features: filed.features, ...words }, contentHash.slice(0, 16), {
        vocabulary,
        packetKey: PACKET_KEY,
      });
      stages.end("packet and signature");
    },
  };
}

function match(query: Query, candidates: readonly Candidate[], stages: Stages): void {
  const { index, ranked } = rankCandidates(query, candidates);
  stages.end("ranking");
  for (const [at, candidate] of ranked.entries()) {
    if (isWorthPlacing(at, candidate)) placeCandidate(index, candidate, at === 0);
  }
  stages.end("placement");
  examineCandidates(query, candidates, PACKET_KEY);
  stages.end("comparison");
  stages.deduct("comparison", ["ranking", "placement"]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A table of medians and shares; a stage that some pictures lack counts as nothing for them. */
function print(title: string, pictures: readonly Stages[]): void {
  const names = new Set(pictures.flatMap(({ milliseconds }) => [...milliseconds.keys()]));
  const of = (name: string): number[] => pictures.map(({ milliseconds }) => milliseconds.get(name) ?? 0);
  const totals = pictures.map(({ milliseconds }) => sum([...milliseconds.values()]));
  const line = (name: string, values: readonly number[]): string =>
    `| ${name} | ${median(values).toFixed(1)} | ${((100 * sum(values)) / sum(totals)).toFixed(1)} % |\n`;
  stdout.write(`| ${title} | median, ms | share |\n|---|---|---|\n`);
  for (const name of names) stdout.write(line(name, of(name)));
  stdout.write(`${line("all", totals)}\n`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      limit: { type: "string", default: "12" },
      cache: { type: "string" },
    },
  });
  if (values.data === undefined) refuseCommandLine("--data DIR is required");
  const folder = values.data;
  const files = readMatchSet(folder).originals.map(({ file }) => join(folder, file));
  const reader = new SubjectReader(values.cache ?? null);
  const vocabulary = new TimedVocabulary();
  const originals: (Candidate & { readonly file: string })[] = [];
  for (const [id, file] of files.entries()) {
    const { original } = await reader.read(file, "registration");
    if (original !== null) originals.push({ id, original, file });
  }
  const run = async (file: string, registering: boolean): Promise<Stages> => {
    const image = new Uint8Array(readFileSync(file));
    const stages = new Stages();
    const asked = await examine(image, registering, vocabulary, stages);
    match(
      asked.query,
      originals.filter((original) => original.file !== file),
      stages,
    );
    asked.register();
    return stages;
  };
  const asking = spread(files, Number(values.limit));
  // The first pass compiles what the second one measures.
  for (const file of asking.slice(0, 3)) await run(file, true);
  const [lookups, registrations]: [Stages[], Stages[]] = [[], []];
  for (const file of asking) {
    lookups.push(await run(file, false));
    registrations.push(await run(file, true));
  }
  print(`look-up, ${asking.length} pictures among ${originals.length - 1}`, lookups);
  print("registration", registrations);
}

await main();
