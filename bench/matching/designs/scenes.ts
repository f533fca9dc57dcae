/**
 * Edits the queries of a match set's hard pairs, other photographs of one scene above all, so that they go through what
 * true queries go through.
 *
 *     node bench/matching/designs/scenes.ts --data DIR --out DIR [--edits 1] [--seed 1] [--only CATEGORY]...
 *
 * Writes the pictures and `pairs.json`, which `trace.ts` takes. `--data`: as for `evaluate.ts`; `--edits`: how many of
 * each pair, in each order.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { pick } from "@colophon/testing/chance.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import sharp from "sharp";
import { readMatchSet } from "../registered/match-set.ts";
import { EDITS } from "./edits.ts";
import type { Pair } from "./pairs.ts";

/** What is drawn of scenes, and where to. */
export interface SceneRun {
  /** A folder with a match set's `manifest.json`. */
  readonly data: string;
  readonly out: string;
  /** Edits of each pair, in each order. */
  readonly edits: number;
  readonly seed: number;
  /** Categories; all of them when empty. */
  readonly only: readonly string[];
}

/** Edits the queries of a set's hard pairs into a folder. @returns how many pairs there are */
export async function drawScenes({ data, out, edits, seed, only }: SceneRun): Promise<number> {
  const random = seededRandom(seed);
  const pairs: Pair[] = [];
  mkdirSync(out, { recursive: true });
  const upright = async (file: string): Promise<Buffer> =>
    sharp(readFileSync(join(data, file)))
      .autoOrient()
      .toBuffer();
  for (const [scene, { pairs: hard }] of readMatchSet(data).hardNegatives.entries()) {
    for (const [k, { a, b, category }] of hard.entries()) {
      for (const [registered, asked] of [
        [a, b],
        [b, a],
      ] as const) {
        if (only.length > 0 && !only.includes(category)) continue;
        const stem = `${scene}-${k}-${registered === a ? "ab" : "ba"}`;
        writeFileSync(join(out, `${stem}.img`), await upright(registered));
        for (let each = 0; each < edits; each += 1) {
          const edit = pick(random, EDITS);
          const name = `${stem}-${each}.img`;
          writeFileSync(join(out, name), await edit.apply(await upright(asked), random));
          pairs.push({
            registered: `${stem}.img`,
            asked: name,
            design: category,
            family: "scene",
            draw: scene,
            relation: "other",
            edit: edit.name,
            plain: false,
            shared: 0,
            seen: 1,
            filled: 1,
          });
        }
      }
    }
  }
  writeFileSync(join(out, "pairs.json"), `${JSON.stringify(pairs, null, 1)}\n`);
  return pairs.length;
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      out: { type: "string" },
      edits: { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  const { data, out, only } = values;
  if (data === undefined || out === undefined) refuseCommandLine("--data DIR and --out DIR are required");
  const [edits, seed] = [Number(values.edits), Number(values.seed)];
  const count = await drawScenes({ data, out, edits, seed, only });
  process.stdout.write(`${count} pairs in ${out}\n`);
}

if (import.meta.main) await main();
