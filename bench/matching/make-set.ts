/**
 * Makes a match set that anyone can have: of the pictures in a folder, or of painted ones. `attack.ts` draws queries
 * from it.
 *
 *     node bench/matching/make-set.ts --out DIR [--photographs DIR] [--count 40] [--seed 1]
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import type { MatchSet } from "./registered/match-set.ts";

const [WIDTH, HEIGHT] = [960, 640];

export interface MadeSet {
  readonly out: string;
  /** A folder of JPEG, PNG or WebP files; null: painted. */
  readonly photographs: string | null;
  /** Pictures at most. */
  readonly count: number;
  readonly seed: number;
}

/** Writes the originals and `manifest.json`. @returns how many there are */
export async function makeSet({ out, photographs, count, seed }: MadeSet): Promise<number> {
  mkdirSync(out, { recursive: true });
  const files = photographs === null ? await paint(out, count, seed) : copy(photographs, out, count);
  const originals = files.map((file) => ({ id: file.replace(/\.\w+$/, ""), file, kind: "photo" }));
  const set: MatchSet = { originals, hardNegatives: [] };
  writeFileSync(join(out, "manifest.json"), JSON.stringify(set, undefined, 1));
  return originals.length;
}

function copy(photographs: string, out: string, count: number): string[] {
  const named = readdirSync(photographs).filter((name) => /\.(jpe?g|png|webp)$/i.test(name));
  const files = named.toSorted().slice(0, count);
  for (const file of files) copyFileSync(join(photographs, file), join(out, file));
  return files;
}

async function paint(out: string, count: number, seed: number): Promise<string[]> {
  const files: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const file = `painted-${seed + at}.jpg`;
    const picture = await paintedPicture(seed + at, WIDTH, HEIGHT);
    writeFileSync(join(out, file), picture);
    files.push(file);
  }
  return files;
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      out: { type: "string" },
      photographs: { type: "string" },
      count: { type: "string", default: "40" },
      seed: { type: "string", default: "1" },
    },
  });
  if (values.out === undefined) refuseCommandLine("--out DIR is required");
  const { out, photographs = null } = values;
  const made = await makeSet({ out, photographs, count: Number(values.count), seed: Number(values.seed) });
  process.stdout.write(`${made} originals\n`);
}
