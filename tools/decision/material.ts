/**
 * Draws and compares what the decision is learned from, every seed and number of it: designs, attacks on originals, and
 * other photographs of a scene.
 *
 *     node tools/decision/material.ts --photographs DIR --data DIR --work DIR [--shard I/N]
 *
 * `--photographs`: JPEGs that designs are filled with. `--data`: as for `bench/matching/evaluate.ts`. What lies in
 * `--work` already is neither drawn nor compared again. `--shard`: a part of the comparisons, once all is drawn. Prints
 * how many pairs there are in all. Lettering is drawn with the machine's fonts: other fonts give other pictures.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { writeAttacks } from "../../bench/matching/attack.ts";
import { COVERING } from "../../bench/matching/attacks/covering.ts";
import { ATTACKS } from "../../bench/matching/attacks/list.ts";
import { DESIGNS } from "../../bench/matching/designs/catalogue.ts";
import { drawCutOuts } from "../../bench/matching/designs/cut-outs.ts";
import type { Design } from "../../bench/matching/designs/design.ts";
import { drawPairs } from "../../bench/matching/designs/draw.ts";
import { ANNOTATED } from "../../bench/matching/designs/edits.ts";
import { AROUND_LARGE } from "../../bench/matching/designs/composed/around.ts";
import { KITS } from "../../bench/matching/designs/composed/kits.ts";
import { COMPOSED_FORMS } from "../../bench/matching/designs/composed/forms.ts";
import { COMPOSED_OVERLAYS, MARKED_PHOTOGRAPHS } from "../../bench/matching/designs/composed/overlays.ts";
import { ON_GROUNDS } from "../../bench/matching/designs/composed/on-grounds.ts";
import { COMPOSED_PAGES } from "../../bench/matching/designs/composed/pages.ts";
import { COMPOSED_TEMPLATES } from "../../bench/matching/designs/composed/templates.ts";
import { EDGES } from "../../bench/matching/designs/opaque/edges.ts";
import { PLATES } from "../../bench/matching/designs/opaque/plates.ts";
import { SCREENED } from "../../bench/matching/designs/opaque/screens.ts";
import { PREVIEW_LETTERING } from "../../bench/matching/designs/previews/lettering.ts";
import { PREVIEW_MARKS } from "../../bench/matching/designs/previews/marks.ts";
import { GROUNDED } from "../../bench/matching/designs/printed/grounded.ts";
import { LINED } from "../../bench/matching/designs/printed/lined.ts";
import { MAPS } from "../../bench/matching/designs/printed/maps.ts";
import { PHOTOGRAPHED } from "../../bench/matching/designs/printed/photographed.ts";
import { POSITIONS } from "../../bench/matching/designs/printed/positions.ts";
import { SEATED } from "../../bench/matching/designs/printed/seated.ts";
import { TIMES } from "../../bench/matching/designs/printed/times.ts";
import { WAYS } from "../../bench/matching/designs/printed/ways.ts";
import { WOVEN } from "../../bench/matching/designs/printed/woven.ts";
import { readPhotographs } from "../../bench/matching/designs/photographs.ts";
import { drawScenes } from "../../bench/matching/designs/scenes.ts";
import { SHARED } from "../../bench/matching/designs/shared.ts";
import { BORDERS } from "../../bench/matching/designs/templates/borders.ts";
import { MOUNTED } from "../../bench/matching/designs/templates/mounted.ts";
import { PRINTS } from "../../bench/matching/designs/templates/prints.ts";
import { TEXTURED } from "../../bench/matching/designs/templates/textures.ts";
import { TILINGS } from "../../bench/matching/designs/tilings.ts";
import { pairsOf, tracePairs } from "../../bench/matching/designs/trace.ts";
import { type Compared, isShownEnough, isWhatItSays, swapped } from "../../bench/matching/designs/traces.ts";
import { VEILS } from "../../bench/matching/designs/veils.ts";
import type { MatchSet } from "../../bench/matching/registered/match-set.ts";
import { drawStrangers } from "./strangers.ts";

/** Where pictures are read from and written to. */
interface Places {
  readonly photographs: string;
  readonly data: string;
  readonly work: string;
}

const names = (designs: readonly Design[]): string[] => designs.map(({ name }) => name);
/** Forms of which most is common: most is left to learn of them. */
const RICH_FORMS = [
  WAYS,
  TIMES,
  MAPS,
  POSITIONS,
  GROUNDED,
  ON_GROUNDS,
  PHOTOGRAPHED,
  WOVEN,
  LINED,
  SEATED,
].flat();
/** Pictures of which much is common, or something lies all over. */
const RICH_PICTURES = [
  VEILS,
  TILINGS,
  PRINTS,
  MOUNTED,
  TEXTURED,
  SHARED,
  COMPOSED_PAGES,
  MARKED_PHOTOGRAPHS,
].flat();
const PREVIEWS = [PREVIEW_LETTERING, PREVIEW_MARKS].flat();
const OPAQUE = [PLATES, EDGES, SCREENED].flat();
/** Every draw of these is a design of its own. */
const COMPOSED = [
  COMPOSED_FORMS,
  COMPOSED_TEMPLATES,
  COMPOSED_PAGES,
  COMPOSED_OVERLAYS,
  MARKED_PHOTOGRAPHS,
  ON_GROUNDS,
].flat();
const PRINTED = DESIGNS.filter(({ family }) => family === "printed");

/**
 * Draws of the designs to learn from; each begins where those before it ended, so that no two give files of one name.
 * Even draws take photographs with much plain ground.
 */
const DRAWS = {
  designs: { draws: 2, first: 0, seed: 6111, only: [] as string[], edit: null, part: "train" },
  rich: {
    draws: 1,
    first: 2,
    seed: 6113,
    only: names([...RICH_FORMS, ...RICH_PICTURES]),
    edit: null,
    part: "train",
  },
  annotated: { draws: 1, first: 3, seed: 6114, only: names(PRINTED), edit: ANNOTATED.name, part: "train" },
  opaque: { draws: 2, first: 4, seed: 6116, only: names(OPAQUE), edit: null, part: "train" },
  around: { draws: 2, first: 6, seed: 6115, only: names(AROUND_LARGE), edit: null, part: "train" },
  kits: { draws: 4, first: 8, seed: 6117, only: names(KITS), edit: null, part: "train" },
  previews: { draws: 8, first: 12, seed: 6118, only: names(PREVIEWS), edit: null, part: "train" },
  borders: { draws: 8, first: 20, seed: 6119, only: names(BORDERS), edit: null, part: "train" },
  composed: { draws: 3, first: 28, seed: 6120, only: names(COMPOSED), edit: null, part: null },
} as const;

/**
 * Draws of the designs that are held out while anything is chosen, and of attacks beside each: what is chosen is
 * learned from these as well.
 */
const HELD_OUT = [
  { designs: 64001, attacks: 87001 },
  { designs: 64003, attacks: 87002 },
  { designs: 65003, attacks: 88002 },
  { designs: 65005, attacks: 88001 },
  { designs: 66001, attacks: 89001 },
  { designs: 75001, attacks: 96001 },
  { designs: 76001, attacks: 97001 },
  { designs: 77001, attacks: 98001 },
  { designs: 78001, attacks: 99001 },
] as const;
const heldOut = (seed: number): string => `held-out-${seed}`;

/** Attacks that leave least of a picture's own blocks: tones, coarse coding, blur and noise, pages and chains. */
const WEARING = ATTACKS.usual.filter(
  ({ family, name }) => /^(colour|filter|paste|chain)$/.test(family) || /^jpeg-q(5|10)$/.test(name),
);

/** Attacks on the originals of the match set. */
const QUERIES = {
  usual: { attacks: ATTACKS.usual, perAttack: 18, seed: 6101 },
  further: { attacks: ATTACKS.further, perAttack: 12, seed: 6102 },
  covered: { attacks: COVERING, perAttack: 40, seed: 6104 },
  small: { attacks: ATTACKS.usual, perAttack: 4, seed: 6103, side: 360 },
  wearing: { attacks: WEARING, perAttack: 8, seed: 6105 },
} as const;

/**
 * Attacks on the photographs that designs are filled with: there are more of them than of the set's, of other things.
 */
const ON_PHOTOGRAPHS = {
  pictured: { attacks: ATTACKS.usual, perAttack: 4, seed: 6106 },
  "pictured-covered": { attacks: COVERING, perAttack: 16, seed: 6107 },
} as const;

/** The byte that fills the key which originals are registered under. */
const KEY = 7;

const SCENES = { edits: 2, seed: 6112, only: [] } as const;
const CUT_OUTS = { draws: 40, seed: 6121 } as const;

/**
 * Whether a pair is learned from the other way round as well: other pictures always, right ones where they are what
 * their relation says then. Strangers are placed on one another in one order, and scenes are there in both.
 */
function isBothWays(compared: Compared): boolean {
  const { group, relation } = compared;
  if (group === "hard" || group === "scene" || group === "stranger") return false;
  return relation === "other" || isWhatItSays(swapped(compared));
}

/** A folder with a match set's manifest of the photographs. */
async function photographedSet({ photographs, work }: Places): Promise<string> {
  const folder = join(work, "photographed");
  const found = await readPhotographs([photographs]);
  const originals = found.map(({ file }, k) => ({
    id: `photograph-${k}`,
    file: relative(folder, file),
    kind: "photo",
  }));
  const set: MatchSet = { originals, hardNegatives: [] };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(set));
  return folder;
}

async function drawMaterial({ photographs, data, work }: Places, photographed: string): Promise<void> {
  for (const [name, draw] of Object.entries(DRAWS)) {
    const out = join(work, name);
    if (existsSync(join(out, "pairs.json"))) continue;
    await drawPairs({ ...draw, photographs: [photographs], out });
  }
  for (const { designs, attacks } of HELD_OUT) {
    const out = join(work, heldOut(designs));
    const drawing = { draws: 2, first: 0, seed: designs, only: [], edit: null };
    if (!existsSync(join(out, "pairs.json"))) {
      await drawPairs({ ...drawing, photographs: [photographs], out, part: "report" });
    }
    const queries = {
      attacks: ATTACKS.usual,
      perAttack: 4,
      seed: attacks,
      data,
      out: join(work, heldOut(attacks)),
    };
    if (!existsSync(join(queries.out, "queries.json"))) await writeAttacks(queries);
  }
  for (const [queries, attacked] of [
    [QUERIES, data],
    [ON_PHOTOGRAPHS, photographed],
  ] as const) {
    for (const [name, run] of Object.entries(queries)) {
      const out = join(work, name);
      if (!existsSync(join(out, "queries.json"))) await writeAttacks({ ...run, data: attacked, out });
    }
  }
  const scenes = join(work, "scenes");
  if (!existsSync(join(scenes, "pairs.json"))) await drawScenes({ ...SCENES, data, out: scenes });
  const cutOuts = join(work, "cut-outs");
  if (!existsSync(join(cutOuts, "pairs.json"))) {
    await drawCutOuts({ ...CUT_OUTS, photographs: [photographs], out: cutOuts });
  }
  const strangers = join(work, "strangers");
  if (!existsSync(join(strangers, "pairs.json"))) {
    const inWork = (queries: object): string[] => Object.keys(queries).map((name) => join(work, name));
    const sets = [
      { data, queries: inWork(QUERIES) },
      { data: photographed, queries: inWork(ON_PHOTOGRAPHS) },
    ];
    await drawStrangers(sets, strangers, join(work, "cache"));
  }
}

/** Draws and compares what is not there yet, and prints how many pairs there are. @returns the folder of traces */
export async function prepareMaterial(
  places: Places,
  shard: readonly [part: number, parts: number] = [0, 1],
): Promise<string> {
  const { data, work } = places;
  const inWork = (name: string): string => join(work, name);
  const photographed = await photographedSet(places);
  await drawMaterial(places, photographed);
  const compared = [
    ...pairsOf({
      pairs: [
        ...Object.keys(DRAWS),
        ...HELD_OUT.map(({ designs }) => heldOut(designs)),
        "scenes",
        "cut-outs",
        "strangers",
      ].map(inWork),
      data,
      queries: [...Object.keys(QUERIES), ...HELD_OUT.map(({ attacks }) => heldOut(attacks))].map(inWork),
      hard: true,
    }),
    ...pairsOf({
      pairs: [],
      data: photographed,
      queries: Object.keys(ON_PHOTOGRAPHS).map(inWork),
      hard: false,
    }),
  ];
  const again = compared.filter(isShownEnough).filter(isBothWays).map(swapped);
  const all = [...compared, ...again];
  process.stdout.write(`${all.length} pairs\n`);
  const out = inWork("traces");
  await tracePairs({ compared: all, out, cache: inWork("cache"), shard, keys: [KEY] });
  return join(out, `${KEY}`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      photographs: { type: "string" },
      data: { type: "string" },
      work: { type: "string" },
      shard: { type: "string", default: "0/1" },
    },
  });
  const { photographs, data, work } = values;
  if (photographs === undefined || data === undefined || work === undefined) {
    refuseCommandLine("--photographs DIR, --data DIR and --work DIR are required");
  }
  const shard = values.shard.split("/").map(Number) as [number, number];
  process.stdout.write(`${await prepareMaterial({ photographs, data, work }, shard)}\n`);
}

if (import.meta.main) await main();
