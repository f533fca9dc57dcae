import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Two originals that are allowed to match though neither is an attack on the other. */
export interface RelatedPair {
  readonly a: string;
  readonly b: string;
  readonly relation: string;
}

/** Two pictures that must not match: files, and why they are alike. */
export interface HardPair {
  readonly a: string;
  readonly b: string;
  readonly category: string;
}

/** A folder's `manifest.json`. Files are named relative to the folder. */
export interface MatchSet {
  readonly originals: readonly { readonly id: string; readonly file: string; readonly kind: string }[];
  readonly hardNegatives: readonly { readonly pairs: readonly HardPair[] }[];
  readonly related?: readonly RelatedPair[];
}

/** One line of a folder's `queries.json`: an attacked picture and the originals it derives from. */
export interface AttackedQuery {
  readonly file: string;
  readonly attack: string;
  readonly family: string;
  readonly truth: readonly string[];
}

export function readMatchSet(folder: string): MatchSet {
  return JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as MatchSet;
}

export function readQueries(folder: string): readonly AttackedQuery[] {
  return JSON.parse(readFileSync(join(folder, "queries.json"), "utf8")) as AttackedQuery[];
}

/** Every hard pair in both orders: register the one, ask with the other. `scene`: the number of its group. */
export function directedPairs({
  hardNegatives,
}: MatchSet): { registered: string; asked: string; category: string; scene: number }[] {
  return hardNegatives
    .flatMap(({ pairs }, scene) => pairs.map((pair) => ({ ...pair, scene })))
    .flatMap(({ a, b, category, scene }) => [
      { registered: a, asked: b, category, scene },
      { registered: b, asked: a, category, scene },
    ]);
}
