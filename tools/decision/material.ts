/**
 * Draws and compares what the decision is learned from, every seed and number of it: designs, attacks on originals, and other photographs of a scene.
 *
 *     node tools/decision/material.ts --photographs DIR --data DIR --work DIR [--on] [--shard I/N]
 *
 * `--photographs`: JPEGs that designs are filled with. `--data`: as for `bench/matching/evaluate.ts`. What lies in `--work` already is neither drawn nor
 * compared again. `--on`: what the trees in use go on from; a folder of its own. `--shard`: a part of the comparisons, once all is drawn. Lettering is drawn with the machine's fonts: other fonts give other pictures.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { type AttackRun, writeAttacks } from "../../bench/matching/attack.ts";
import { COVERING } from "../../bench/matching/attacks/covering.ts";
import { ATTACKS } from "../../bench/matching/attacks/list.ts";
import { DESIGNS } from "../../bench/matching/designs/catalogue.ts";
import type { Design } from "../../bench/matching/designs/design.ts";
import { type Drawing, drawPairs } from "../../bench/matching/designs/draw.ts";
import { ANNOTATED } from "../../bench/matching/designs/edits.ts";
import { AROUND_LARGE } from "../../bench/matching/designs/composed/around.ts";
import { COMPOSED_PAGES } from "../../bench/matching/designs/composed/pages.ts";
import { isHeldOut } from "../../bench/matching/designs/held-out.ts";
import { GROUNDED } from "../../bench/matching/designs/printed/grounded.ts";
import { MAPS } from "../../bench/matching/designs/printed/maps.ts";
import { POSITIONS } from "../../bench/matching/designs/printed/positions.ts";
import { TIMES } from "../../bench/matching/designs/printed/times.ts";
import { WAYS } from "../../bench/matching/designs/printed/ways.ts";
import { type SceneRun, drawScenes } from "../../bench/matching/designs/scenes.ts";
import { SHARED } from "../../bench/matching/designs/shared.ts";
import { MOUNTED } from "../../bench/matching/designs/templates/mounted.ts";
import { PRINTS } from "../../bench/matching/designs/templates/prints.ts";
import { TEXTURED } from "../../bench/matching/designs/templates/textures.ts";
import { TILINGS } from "../../bench/matching/designs/tilings.ts";
import { pairsOf, tracePairs } from "../../bench/matching/designs/trace.ts";
import { VEILS } from "../../bench/matching/designs/veils.ts";

/** Where pictures are read from and written to. */
interface Places {
  readonly photographs: string;
  readonly data: string;
  readonly work: string;
}

const names = (designs: readonly Design[]): string[] => designs.map(({ name }) => name);
/** Kinds of which much is common, or something lies all over: most is left to learn of them. */
const RICH = [VEILS, TILINGS, PRINTS, MOUNTED, TEXTURED, WAYS, TIMES, MAPS, POSITIONS, GROUNDED].flat();
const PRINTED = DESIGNS.filter(({ family }) => family === "printed");

/** Draws of the designs to learn from; each begins where the one before it ended, so that no two give files of one name. */
const DRAWS = {
  designs: { draws: 2, first: 0, seed: 6111, only: [] as string[], edit: null },
  rich: { draws: 1, first: 2, seed: 6113, only: names(RICH), edit: null },
  annotated: { draws: 1, first: 3, seed: 6114, only: names(PRINTED), edit: ANNOTATED.name },
} as const;

const QUERIES = {
  usual: { attacks: ATTACKS.usual, perAttack: 8, seed: 6101 },
  further: { attacks: ATTACKS.further, perAttack: 4, seed: 6102 },
  covered: { attacks: COVERING, perAttack: 40, seed: 6104 },
  small: { attacks: ATTACKS.usual, perAttack: 2, seed: 6103, side: 360 },
} as const;

/** Forms of which most is common, and the others. */
const RICH_FORMS = names([WAYS, TIMES, MAPS, POSITIONS, GROUNDED].flat());
const OTHER_FORMS = names(PRINTED).filter((name) => !RICH_FORMS.includes(name));
const AROUND = names(AROUND_LARGE);
const PICTURES = names(DESIGNS.filter(({ family }) => family !== "printed")).filter(
  (name) => !isHeldOut(name) && !AROUND.includes(name),
);
/** Pictures of which much is common, or something lies all over. */
const RICH_PICTURES = names([VEILS, TILINGS, PRINTS, MOUNTED, TEXTURED, SHARED, COMPOSED_PAGES].flat());

/** What the trees in use go on from (`train-decision.ts --on`). Even draws take photographs with much plain ground. */
const FURTHER_DRAWS = {
  rich: { draws: 2, first: 0, seed: 62301, only: RICH_FORMS, edit: null },
  annotated: { draws: 1, first: 5, seed: 62302, only: RICH_FORMS, edit: ANNOTATED.name },
  forms: { draws: 1, first: 1, seed: 62307, only: OTHER_FORMS, edit: null },
  families0: { draws: 1, first: 0, seed: 62305, only: PICTURES.filter((_, at) => at % 2 === 0), edit: null },
  families1: { draws: 1, first: 1, seed: 62305, only: PICTURES.filter((_, at) => at % 2 === 1), edit: null },
  common: { draws: 1, first: 3, seed: 62308, only: RICH_PICTURES, edit: null },
  around: { draws: 2, first: 4, seed: 6115, only: AROUND, edit: null },
} as const;

const FURTHER_QUERIES = {
  usual: { attacks: ATTACKS.usual, perAttack: 6, seed: 62306 },
  further: { attacks: ATTACKS.further, perAttack: 3, seed: 62309 },
  covered: { attacks: COVERING.filter(({ name }) => !isHeldOut(name)), perAttack: 30, seed: 62303 },
  small: { attacks: ATTACKS.usual, perAttack: 2, seed: 62310, side: 360 },
} as const;

/** The byte that fills the key which originals are registered under. */
const KEY = 7;

const SCENES = { edits: 2, seed: 6112, only: [] } as const;

/** Everything that one round is learned from, by the folder that it is drawn into. */
interface Material {
  readonly draws: Readonly<Record<string, Omit<Drawing, "photographs" | "out" | "part">>>;
  readonly queries: Readonly<Record<string, Omit<AttackRun, "data" | "out">>>;
  readonly scenes: Omit<SceneRun, "data" | "out"> | null;
}

const ROUNDS = {
  whole: { draws: DRAWS, queries: QUERIES, scenes: SCENES },
  further: { draws: FURTHER_DRAWS, queries: FURTHER_QUERIES, scenes: null },
} as const satisfies Record<string, Material>;

/** The whole of what is learned, or what goes on from it. */
export type RoundName = keyof typeof ROUNDS;

async function drawMaterial(
  { draws, queries, scenes }: Material,
  { photographs, data, work }: Places,
): Promise<void> {
  for (const [name, draw] of Object.entries(draws)) {
    const out = join(work, name);
    if (existsSync(join(out, "pairs.json"))) continue;
    await drawPairs({ ...draw, photographs: [photographs], out, part: "train" });
  }
  for (const [name, run] of Object.entries(queries)) {
    const out = join(work, name);
    if (!existsSync(join(out, "queries.json"))) await writeAttacks({ ...run, data, out });
  }
  const out = join(work, "scenes");
  if (scenes !== null && !existsSync(join(out, "pairs.json"))) await drawScenes({ ...scenes, data, out });
}

/** Draws and compares what is not there yet. @returns the folder of traces */
export async function prepareMaterial(
  places: Places,
  round: RoundName,
  shard: readonly [part: number, parts: number] = [0, 1],
): Promise<string> {
  const { data, work } = places;
  const material: Material = ROUNDS[round];
  const inWork = (name: string): string => join(work, name);
  await drawMaterial(material, places);
  const hasScenes = material.scenes !== null;
  const compared = [
    ...pairsOf({
      pairs: [...Object.keys(material.draws), ...(hasScenes ? ["scenes"] : [])].map(inWork),
      data,
      queries: Object.keys(material.queries).map(inWork),
      hard: hasScenes,
    }),
  ];
  const out = inWork("traces");
  await tracePairs({ compared, out, cache: inWork("cache"), shard, keys: [KEY] });
  return join(out, `${KEY}`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      photographs: { type: "string" },
      data: { type: "string" },
      work: { type: "string" },
      on: { type: "boolean", default: false },
      shard: { type: "string", default: "0/1" },
    },
  });
  const { photographs, data, work } = values;
  if (photographs === undefined || data === undefined || work === undefined) {
    refuseCommandLine("--photographs DIR, --data DIR and --work DIR are required");
  }
  const shard = values.shard.split("/").map(Number) as [number, number];
  const round = values.on ? "further" : "whole";
  process.stdout.write(`${await prepareMaterial({ photographs, data, work }, round, shard)}\n`);
}

if (import.meta.main) await main();
