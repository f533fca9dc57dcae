/**
 * Whether look-ups that read the packets of a shortlist alone answer as those do that read all of them. Every query
 * meets what the look-up's retrieval names among the originals of the set and a crowd. Members of the crowd have the
 * layout of one original of the set and the points of four others, so that they agree in words and in no placement.
 *
 *     node bench/matching/shortlist.ts --data DIR --queries DIR [--cache DIR] [--limit N] [--crowd 6000] [--seed 1]
 */
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import {
  BITS_STRIDE,
  type Candidate,
  encodeRankingPart,
  matchQuery,
  type Query,
  RankingPart,
  shortlist,
  type StoredOriginal,
  wordTag,
} from "@colophon/engine/lab";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { readMatchSet, readQueries } from "./registered/match-set.ts";
import { PostingIndex } from "./registered/posting-index.ts";
import { type Filed, PACKET_KEY, SubjectReader } from "./registered/subjects.ts";

const DONORS = 4;

/** An original as retrieval, ranking and matching see it. */
interface Registered extends Filed {
  readonly part: RankingPart;
  /** The originals of the set whose points it has. */
  readonly donors: readonly number[];
}

function registered(filed: Filed, donors: readonly number[]): Registered {
  const part = RankingPart.read(encodeRankingPart(filed.original, filed.words));
  if (part === null) throw new Error("A ranking part cannot be read.");
  return { ...filed, part, donors };
}

/** The layout of one original with the points of others. */
function mixed(set: readonly Registered[], random: Random): Registered {
  const drawn = (): number => Math.floor(random() * set.length);
  const layout = set[drawn()]!.original;
  const donors = Array.from({ length: DONORS }, drawn);
  const { count } = layout.features;
  const bits = new Uint32Array(BITS_STRIDE * count);
  const wordTags = new Uint16Array(count);
  for (let i = 0; i < count; i += 1) {
    const { features, wordTags: tags } = set[donors[Math.floor(random() * DONORS)]!]!.original;
    const point = Math.floor(random() * features.count);
    bits.set(features.bits.subarray(BITS_STRIDE * point, BITS_STRIDE * (point + 1)), BITS_STRIDE * i);
    wordTags[i] = tags[point] ?? 0;
  }
  const tags = new Set(wordTags);
  const words = donors.flatMap((n) =>
    [...set[n]!.words].filter((word) => word >= 0 && tags.has(wordTag(word))),
  );
  const features = { ...layout.features, bits };
  const original: StoredOriginal = { ...layout, features, placing: features, wordTags };
  return registered({ original, words: Int32Array.from(new Set(words)) }, donors);
}

interface Seconds {
  whole: number;
  short: number;
}

/** What both ways answer, best first. */
function answers(
  query: Query,
  candidates: readonly { readonly id: number; readonly registered: Registered }[],
  seconds: Seconds,
): { readonly whole: string; readonly short: string } {
  const all: Candidate[] = candidates.map(({ id, registered: { original } }) => ({ id, original }));
  const began = process.cpuUsage();
  const whole = matchQuery(query, all, PACKET_KEY);
  const between = process.cpuUsage(began);
  const kept = new Set(
    shortlist(
      query,
      candidates.map(({ id, registered: { part } }) => ({ id, part })),
    ),
  );
  const short = matchQuery(
    query,
    all.filter(({ id }) => kept.has(id)),
    PACKET_KEY,
  );
  seconds.whole += between.user / 1e6;
  seconds.short += (process.cpuUsage(began).user - between.user) / 1e6;
  return { whole: JSON.stringify(whole), short: JSON.stringify(short) };
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      queries: { type: "string" },
      cache: { type: "string" },
      limit: { type: "string" },
      crowd: { type: "string", default: "6000" },
      seed: { type: "string", default: "1" },
    },
  });
  const { data, queries } = values;
  if (data === undefined || queries === undefined) {
    refuseCommandLine("--data DIR and --queries DIR are required");
  }
  const reader = new SubjectReader(values.cache ?? null);
  const { originals } = readMatchSet(data);
  const set: Registered[] = [];
  for (const [n, { file }] of originals.entries()) {
    set.push(registered(await reader.readOriginal(join(data, file)), [n]));
  }
  const random = seededRandom(Number(values.seed));
  const crowd = Array.from({ length: Number(values.crowd) }, () => mixed(set, random));
  const index = new PostingIndex();
  const all = [...set, ...crowd];
  for (const [id, { words }] of all.entries()) index.add(id, words);
  const numbers = new Map(originals.map(({ id }, n) => [id, n]));
  const seconds = { whole: 0, short: 0 };
  let [asked, differing, matched] = [0, 0, 0];
  for (const { file, attack, truth } of readQueries(queries).slice(0, Number(values.limit ?? Infinity))) {
    const { query, queryWords } = await reader.read(join(queries, file), "lookup");
    const own = truth.map((id) => numbers.get(id)!);
    const showing = all.flatMap(({ donors }, id) =>
      id >= set.length && donors.some((donor) => own.includes(donor)) ? [id] : [],
    );
    const candidates = index
      .candidates(queryWords, new Set(showing))
      .map((id) => ({ id, registered: all[id]! }));
    const { whole, short } = answers(query, candidates, seconds);
    asked += 1;
    if (whole !== "[]") matched += 1;
    if (whole === short) continue;
    differing += 1;
    stdout.write(`${attack} ${file}: ${whole.slice(0, 60)} | ${short.slice(0, 60)}\n`);
  }
  stdout.write(`${asked} queries, ${matched} matched, ${differing} answered differently\n`);
  stdout.write(
    `matching, processor seconds: ${seconds.whole.toFixed(1)} of all, ${seconds.short.toFixed(1)} of a shortlist\n`,
  );
}

await main();
