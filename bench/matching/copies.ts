/**
 * Shows that looking a plain copy up at a glance answers as the full way does: every query that would be settled
 * without points is also looked up with them, and the names compared.
 *
 *     node bench/matching/copies.ts --data DIR --queries DIR [--registered DIR] [--limit N] [--cache DIR]
 *
 * `--data`: a folder with `manifest.json`, whose pictures are registered. `--queries`: attacked pictures with
 * `queries.json` (see `attack.ts`). `--registered`: such a folder, too, of which every picture is registered as well,
 * after the originals, and asked with, saved again: collages of registered pictures are originals then. Retrieval is
 * the look-up's, on an index in memory. Exits with 1 when any answer differs; a true original that the full way misses
 * is counted apart.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import sharp from "sharp";
import {
  COMPARISON_SIDE,
  cosineTerms,
  decodeImage,
  filedBeside,
  lumaOf,
  matchPlainCopy,
  matchQuery,
  standsApart,
  type StoredOriginal,
  wholeKeysAsked,
} from "@colophon/engine/lab";
import { type AttackedQuery, readMatchSet, readQueries } from "./registered/match-set.ts";
import { PostingIndex } from "./registered/posting-index.ts";
import { spread } from "./spread.ts";
import { PACKET_KEY, type Subject, SubjectReader } from "./registered/subjects.ts";

const DECODE = { acceptedTypes: ["image/jpeg", "image/png", "image/webp"], maxImagePixels: 200_000_000 };

/** Other originals that the service ranks by a copied one's points. */
const NEAREST = 48;

/** Registered originals, looked up either way. */
export class TwoWays {
  readonly #index = new PostingIndex();
  readonly #originals: { readonly original: StoredOriginal; readonly words: Int32Array }[] = [];

  /** @returns its number */
  add(original: StoredOriginal, words: Int32Array): number {
    this.#index.add(this.#originals.length, words);
    return this.#originals.push({ original, words }) - 1;
  }

  /** Adds an original as a registration does: beside those that it shows. @returns its number */
  register({ query, queryWords, original, originalWords }: Subject): number {
    if (original === null) throw new TypeError("Not examined for a registration.");
    const like = this.inFull({ query, queryWords });
    const beside = like.flatMap((id) => [...this.#originals[id]!.words]);
    return this.add(original, filedBeside(originalWords, like.length > 0, beside));
  }

  /** The numbers of the originals that the full way names, ascending. */
  inFull({ query, queryWords }: Pick<Subject, "query" | "queryWords">): number[] {
    const candidates = this.#index.candidates(queryWords).map((id) => ({ id, ...this.#originals[id]! }));
    return matchQuery(query, candidates, PACKET_KEY)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b);
  }

  /** The number of the one original that a glance names; null where it settles nothing. */
  atAGlance(luma: Subject["query"]["luma"]): number | null {
    const found = this.#index.shared(wholeKeysAsked(cosineTerms(luma), PACKET_KEY));
    const [id] = found.keys();
    if (id === undefined || found.size > 1) return null;
    const { original, words } = this.#originals[id]!;
    if (matchPlainCopy(luma, { id, original }, PACKET_KEY) === null) return null;
    const own = words.filter((word) => word >= 0);
    const near = this.#index.candidates(own, new Set([id])).slice(0, NEAREST);
    return standsApart(
      original,
      near.map((other) => this.#originals[other]!.original),
    )
      ? id
      : null;
  }
}

/**
 * How many queries of a family were asked, how many a glance settled, and which of these the full way misses, or
 * answers otherwise.
 */
interface Tally {
  asked: number;
  settled: number;
  readonly missed: string[];
  readonly otherwise: string[];
}

interface Asked {
  readonly family: string;
  readonly name: string;
  readonly truth: readonly number[];
}

class Report {
  readonly #families = new Map<string, Tally>();

  /** `truth`: what the query derives from; a true original that the full way misses alone is not another answer. */
  add({ family, name, truth }: Asked, glanced: number | null, full: () => readonly number[]): void {
    const tally = this.#families.get(family) ?? { asked: 0, settled: 0, missed: [], otherwise: [] };
    this.#families.set(family, tally);
    tally.asked += 1;
    if (glanced === null) return;
    tally.settled += 1;
    const named = full();
    if (named.length === 1 && named[0] === glanced) return;
    const line = `${name}: at a glance ${glanced}, in full ${named.join(", ") || "none"}`;
    (named.length === 0 && truth.includes(glanced) ? tally.missed : tally.otherwise).push(line);
  }

  print(): void {
    stdout.write("| family | asked | settled at a glance | missed in full | otherwise in full |\n");
    stdout.write("|---|---|---|---|---|\n");
    for (const [family, { asked, settled, missed, otherwise }] of this.#families) {
      stdout.write(`| ${family} | ${asked} | ${settled} | ${missed.length} | ${otherwise.length} |\n`);
    }
    for (const { missed, otherwise } of this.#families.values()) {
      for (const line of [...missed, ...otherwise]) stdout.write(`${line}\n`);
    }
  }

  otherwise(): string[] {
    return [...this.#families.values()].flatMap(({ otherwise }) => otherwise);
  }
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      queries: { type: "string" },
      registered: { type: "string" },
      limit: { type: "string" },
      cache: { type: "string" },
    },
  });
  const { data, queries, registered } = values;
  if (data === undefined || (queries === undefined && registered === undefined)) {
    refuseCommandLine("--data DIR and --queries DIR or --registered DIR are required");
  }
  const reader = new SubjectReader(values.cache ?? null);
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
  const chosen = (folder: string): AttackedQuery[] => spread(readQueries(folder), limit);
  const registry = new TwoWays();
  const numbers = new Map<string, number>();
  for (const { id, file } of readMatchSet(data).originals) {
    const { original, words } = await reader.readOriginal(join(data, file));
    numbers.set(id, registry.add(original, words));
  }
  const report = new Report();
  const ask = async (asked: Asked, image: Uint8Array): Promise<void> => {
    const glanced = registry.atAGlance(lumaOf(await decodeImage(image, DECODE), COMPARISON_SIDE));
    const subject = glanced === null ? null : await reader.examine(image, "lookup");
    report.add(asked, glanced, () => registry.inFull(subject!));
  };
  for (const { file: name, family, truth } of queries === undefined ? [] : chosen(queries)) {
    const asked = { family, name, truth: truth.map((id) => numbers.get(id)!) };
    await ask(asked, new Uint8Array(readFileSync(join(queries!, name))));
  }
  for (const { file: name, family } of registered === undefined ? [] : chosen(registered)) {
    const image = new Uint8Array(readFileSync(join(registered!, name)));
    const number = registry.register(await reader.examine(image, "registration"));
    const saved = await sharp(image).jpeg({ quality: 75 }).toBuffer();
    await ask({ family: `registered: ${family}`, name, truth: [number] }, new Uint8Array(saved));
  }
  report.print();
  if (report.otherwise().length > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
