import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Pair } from "../../bench/matching/designs/pairs.ts";
import { type MatchSet, readMatchSet, readQueries } from "../../bench/matching/registered/match-set.ts";
import { Registry } from "../../bench/matching/registered/registry.ts";
import { SubjectReader } from "../../bench/matching/registered/subjects.ts";

/** A folder with a match set's manifest, and folders of attacks on its originals. */
export interface Attacked {
  readonly data: string;
  readonly queries: readonly string[];
}

/** What fewer points placed is a match only where blocks bear it out: the hypotheses decide about the rest. */
const MIN_INLIERS = 8;
/** Pairs of which one is in the other, or a variant of it: no strangers. */
const KINDRED = /^(derived|same-work)/;

/** Whether two originals have nothing to do with each other, or only a part in common. */
function strangersOf({ related = [] }: MatchSet): (a: string, b: string) => boolean {
  const kindred = new Set(
    related
      .filter(({ relation }) => KINDRED.test(relation))
      .flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]),
  );
  return (a, b) => a !== b && !kindred.has(`${a} ${b}`);
}

/**
 * Looks attacked pictures up among the originals of all sets together, and writes `pairs.json` of those that were
 * placed on an original of another picture: by chance, or by an element that both show, as lettering or a button.
 *
 * @returns how many pairs the folder holds
 */
export async function drawStrangers(
  sets: readonly Attacked[],
  out: string,
  cache: string | null,
): Promise<number> {
  const reader = new SubjectReader(cache);
  const registry = new Registry();
  const files = new Map<string, string>();
  for (const { data } of sets) {
    for (const { id, file } of readMatchSet(data).originals) {
      files.set(id, join(data, file));
      registry.add(id, await reader.readOriginal(join(data, file)));
    }
  }
  const pairs: Pair[] = [];
  for (const { data, queries } of sets) {
    const areStrangers = strangersOf(readMatchSet(data));
    for (const folder of queries) {
      for (const { file, attack, truth } of readQueries(folder)) {
        const { findings } = registry.lookUp(await reader.read(join(folder, file), "lookup"));
        const placed = findings.filter(({ inliers }) => inliers >= MIN_INLIERS).map(({ name }) => name);
        for (const name of new Set(placed)) {
          if (!truth.every((own) => areStrangers(own, name))) continue;
          pairs.push({
            registered: relative(out, files.get(name)!),
            asked: relative(out, join(folder, file)),
            design: name,
            family: "stranger",
            draw: 0,
            relation: "other",
            edit: attack,
            plain: false,
            shared: 0,
            seen: 1,
            filled: 1,
          });
        }
      }
    }
  }
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "pairs.json"), `${JSON.stringify(pairs, null, 1)}\n`);
  return pairs.length;
}
