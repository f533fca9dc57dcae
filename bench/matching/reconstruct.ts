/**
 * Tries to get a viewable picture out of registration packets, without machine learning beyond a dictionary of patches.
 *
 *     node bench/matching/reconstruct.ts --data DIR --out DIR [--victims NAME,NAME...] [--limit N] [--points N]
 *                                        [--bits N] [--keyless] [--cache DIR]
 *
 * `--data`: a folder of pictures, or one with a `manifest.json` (originals with id and file, related pairs). The
 * attacker knows every picture but the victims and what is related to them; `--limit`: at most so many. `--points`,
 * `--bits`: as if packets kept no more points, or bits a point. `--keyless`: only the attacks that need no packet key.
 * For each victim a line is printed for each attack, and a PNG written, four in a row: the picture, its band at 192
 * cells, then the results in the order of the lines.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { BITS_STRIDE, type Features, type Plane } from "@colophon/engine/lab";
import { Attacker, attempts, type Subject } from "./reconstruction/attacks.ts";
import { Judge } from "./reconstruction/judge.ts";
import { writeSheet } from "./reconstruction/sheet.ts";
import { SubjectReader } from "./registered/subjects.ts";

interface Picture {
  readonly name: string;
  readonly file: string;
  /** Names of pictures that show some of the same. */
  readonly related: ReadonlySet<string>;
}

interface Manifest {
  readonly originals: readonly { readonly id: string; readonly file: string }[];
  readonly related: readonly { readonly a: string; readonly b: string }[];
}

function listPictures(data: string): Picture[] {
  if (!existsSync(join(data, "manifest.json"))) {
    const files = readdirSync(data).filter((name) => /\.(jpe?g|png|webp)$/i.test(name));
    return files.map((file) => ({ name: parse(file).name, file: join(data, file), related: new Set() }));
  }
  const { originals, related } = JSON.parse(readFileSync(join(data, "manifest.json"), "utf8")) as Manifest;
  return originals.map(({ id, file }) => ({
    name: id,
    file: join(data, file),
    related: new Set(related.flatMap(({ a, b }) => (a === id ? [b] : b === id ? [a] : []))),
  }));
}

/** What is left of a packet's points if it kept no more than `points` of them and `bits` bits of each. */
function weaken(features: Features, points: number, bits: number): Features {
  const step = (32 * BITS_STRIDE) / bits;
  let mask = 0;
  for (let bit = 0; bit < 32; bit += step) mask |= 1 << bit;
  return {
    ...features,
    count: Math.min(points, features.count),
    bits: features.bits.slice(0, points * BITS_STRIDE).map((word) => word & mask),
  };
}

export interface Reconstruction {
  readonly data: string;
  readonly out: string;
  /** Names; empty for the first three pictures. */
  readonly victims: readonly string[];
  /** Most pictures that the attacker learns from. */
  readonly limit: number;
  readonly points: number;
  readonly bits: number;
  readonly keyless: boolean;
  readonly cache?: string | undefined;
  /** Called with each line of the report. */
  readonly print: (line: string) => void;
}

/** Attacks the packets of the victims: a line for each attempt, a sheet of pictures for each victim. */
export async function reconstruct(options: Reconstruction): Promise<void> {
  const { data, out, points, bits, keyless, print } = options;
  mkdirSync(out, { recursive: true });
  const pictures = listPictures(data);
  const isVictim = ({ name }: Picture, k: number): boolean =>
    options.victims.length > 0 ? options.victims.includes(name) : k < 3;
  const victims = pictures.filter(isVictim);
  const apart = new Set(victims.flatMap(({ name, related }) => [name, ...related]));
  const reader = new SubjectReader(options.cache ?? null);
  const read = async ({ file }: Picture): Promise<Subject> => {
    const { original, query } = await reader.read(file, "registration");
    if (original === null) throw new Error(`${file} was not examined for registration.`);
    return { original, features: weaken(original.features, points, bits), luma: query.luma };
  };
  const attacker = new Attacker();
  for (const picture of pictures.filter(({ name }) => !apart.has(name)).slice(0, options.limit)) {
    attacker.learn(await read(picture));
  }
  print("correlation (largest with another picture): luma, band at 192 cells, band at 384 cells");
  for (const victim of victims) {
    const subject = await read(victim);
    print(`${victim.name}: ${subject.features.count} points`);
    const judge = new Judge(subject.luma, attacker.strangers);
    const sheet: Plane[] = [...judge.truth];
    for (const attempt of attempts(attacker, subject, keyless)) {
      print(judge.line(attempt));
      sheet.push(attempt.picture);
    }
    await writeSheet(join(out, `${victim.name}.png`), sheet);
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      out: { type: "string" },
      victims: { type: "string", default: "" },
      limit: { type: "string", default: "120" },
      points: { type: "string", default: "600" },
      bits: { type: "string", default: "128" },
      keyless: { type: "boolean", default: false },
      cache: { type: "string" },
    },
  });
  const { data, out, keyless, cache } = values;
  if (data === undefined || out === undefined) refuseCommandLine("--data DIR and --out DIR are required");
  const victims = values.victims.split(",").filter((name) => name !== "");
  const [limit, points, bits] = [Number(values.limit), Number(values.points), Number(values.bits)];
  if (![16, 32, 64, 128].includes(bits)) refuseCommandLine("--bits is 16, 32, 64 or 128");
  await reconstruct({ data, out, victims, limit, points, bits, keyless, cache, print: printLine });
}

if (import.meta.main) await main();
