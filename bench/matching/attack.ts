/**
 * Attacks the originals of a set: writes a folder of queries that `evaluate.ts` and `run.ts` take. The same seed draws
 * the same originals and the same attacks.
 *
 *     node bench/matching/attack.ts --data DIR --out DIR [--list usual|further] [--only NAME,FAMILY,...]
 *                                   [--per-attack 5] [--seed 1] [--part train|report] [--side 1600]
 *
 * `--part`: the attacks to learn from, or those held out for the report. `--side`: longest side of a picture before it
 * is attacked, pixels.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import sharp from "sharp";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { type Attack, type Other, type Pixels, pixelsOf } from "./attacks/attack.ts";
import { ATTACKS } from "./attacks/list.ts";
import { isOfPart, readPart } from "./designs/held-out.ts";
import { type AttackedQuery, type MatchSet, readMatchSet } from "./registered/match-set.ts";

const SIDE = 1600;

type Original = MatchSet["originals"][number];

export interface AttackRun {
  /** A folder with a match set's `manifest.json`. */
  readonly data: string;
  /** Where the queries go. */
  readonly out: string;
  readonly attacks: readonly Attack[];
  /** Originals drawn for each attack. */
  readonly perAttack: number;
  readonly seed: number;
  /** Longest side of a picture before it is attacked, pixels. */
  readonly side?: number;
}

function drawn<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item);
}

/** A number of its own for each attack on each original, so that a shorter list gives the same pictures. */
function seedOf(seed: number, ...names: readonly string[]): number {
  let state = seed | 0;
  for (const letter of names.join("/")) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193);
  return state;
}

function opened(data: string, { file }: Original, side: number): Promise<Pixels> {
  const upright = sharp(readFileSync(join(data, file))).autoOrient();
  return pixelsOf(upright.resize(side, side, { fit: "inside", withoutEnlargement: true }));
}

/** What an original's picture is saved as, by its first bytes. */
function extensionOf(bytes: Buffer): string {
  if (bytes.subarray(1, 4).toString("latin1") === "PNG") return "png";
  return bytes.subarray(8, 12).toString("latin1") === "WEBP" ? "webp" : "jpg";
}

/** Draws originals for each attack and writes what becomes of them, and `queries.json`. @returns how many there are */
export async function writeAttacks({
  data,
  out,
  attacks,
  perAttack,
  seed,
  side = SIDE,
}: AttackRun): Promise<number> {
  const { originals } = readMatchSet(data);
  const queries: AttackedQuery[] = [];
  mkdirSync(out, { recursive: true });
  for (const { name, family, make } of attacks) {
    for (const original of drawn(originals, perAttack, seededRandom(seedOf(seed, name)))) {
      const random = seededRandom(seedOf(seed, name, original.id));
      const others = (count: number): Promise<Other[]> =>
        Promise.all(
          drawn(
            originals.filter(({ id }) => id !== original.id),
            count,
            random,
          ).map(async (other) => ({ id: other.id, picture: await opened(data, other, side) })),
        );
      const { bytes, alsoShows } = await make(await opened(data, original, side), { random, others });
      const file = `${name.replaceAll("+", "_")}__${original.id}.${extensionOf(bytes)}`;
      writeFileSync(join(out, file), bytes);
      queries.push({ file, attack: name, family, truth: [original.id, ...alsoShows.map(({ id }) => id)] });
    }
  }
  writeFileSync(join(out, "queries.json"), `${JSON.stringify(queries, null, 1)}\n`);
  return queries.length;
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      out: { type: "string" },
      list: { type: "string", default: "usual" },
      only: { type: "string" },
      "per-attack": { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      part: { type: "string" },
      side: { type: "string", default: String(SIDE) },
    },
  });
  const { data, out, list } = values;
  if (data === undefined || out === undefined) refuseCommandLine("--data DIR and --out DIR are required");
  if (list !== "usual" && list !== "further") refuseCommandLine("--list is usual or further");
  const only = values.only?.split(",");
  const part = readPart(values.part);
  const attacks = ATTACKS[list].filter(
    ({ name, family }) =>
      isOfPart(name, part) && (only === undefined || only.includes(name) || only.includes(family)),
  );
  if (attacks.length === 0) throw new Error(`No attack or family is called ${values.only}.`);
  const perAttack = Number(values["per-attack"]);
  const [seed, side] = [Number(values.seed), Number(values.side)];
  const written = await writeAttacks({ data, out, attacks, perAttack, seed, side });
  process.stdout.write(`${written} queries of ${attacks.length} attacks in ${out}\n`);
}

if (import.meta.main) await main();
