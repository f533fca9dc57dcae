/**
 * Attacks that no rule was made for: bends, smears, impulses, stickers and other edits besides those of a set's own queries. Writes a folder of queries
 * that `evaluate.ts` and `run.ts` take.
 *
 *     node bench/matching/further-attacks.ts --data DIR --out DIR [--per-attack 5] [--seed 1]
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp, { type Sharp } from "sharp";
import { type Random, seededRandom } from "../../tools/pictures.ts";
import { type AttackedQuery, readMatchSet } from "./match-set.ts";
import {
  type Pixels,
  bend,
  impulses,
  pixelsOf,
  smear,
  stickers,
  swirl,
  vignette,
  wave,
} from "./pixel-edits.ts";

const QUALITY = 85;
/** Longest side of a picture before it is attacked, pixels. */
const SIDE = 1280;

/** A family, and the edit: of the picture with sharp, or of its pixels. */
interface Attack {
  readonly family: string;
  readonly edit: (
    picture: Sharp,
    size: { width: number; height: number },
    random: Random,
  ) => Sharp | Promise<Sharp>;
}

const pixels = (family: string, edit: (pixels: Pixels, random: Random) => Pixels): Attack => ({
  family,
  edit: async (picture, _, random) => {
    const { data, width, height } = edit(await pixelsOf(picture), random);
    return sharp(data, { raw: { width, height, channels: 3 } });
  },
});

const plain = (family: string, edit: (picture: Sharp) => Sharp): Attack => ({ family, edit });

const mosaic = (step: number): Attack => ({
  family: "pixels",
  edit: async (picture, { width, height }) => {
    const small = picture.resize(Math.ceil(width / step), Math.ceil(height / step), { fit: "fill" });
    return sharp(await small.png().toBuffer()).resize(width, height, { fit: "fill", kernel: "nearest" });
  },
});

const CHANNELS_TURNED: [[number, number, number], [number, number, number], [number, number, number]] = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
];

const ATTACKS: Readonly<Record<string, Attack>> = {
  "lens-out": pixels("bent", (picture) => bend(picture, 0.1)),
  "lens-in": pixels("bent", (picture) => bend(picture, -0.1)),
  "lens-slight": pixels("bent", (picture) => bend(picture, 0.03)),
  "wave-slight": pixels("bent", (picture) => wave(picture, 0.002)),
  wave: pixels("bent", (picture) => wave(picture, 0.006)),
  swirl: pixels("bent", (picture) => swirl(picture, 0.7)),
  "stretch-60": {
    family: "bent",
    edit: (picture, { width, height }) => picture.resize(Math.round(1.6 * width), height, { fit: "fill" }),
  },
  "mosaic-4": mosaic(4),
  "mosaic-8": mosaic(8),
  "smear-9": pixels("pixels", (picture) => smear(picture, 9)),
  "smear-17": pixels("pixels", (picture) => smear(picture, 17)),
  "impulses-5": pixels("pixels", (picture, random) => impulses(picture, 0.05, random)),
  "impulses-15": pixels("pixels", (picture, random) => impulses(picture, 0.15, random)),
  "median-7": plain("pixels", (picture) => picture.median(7)),
  "palette-16": plain("pixels", (picture) => picture.png({ palette: true, colours: 16 })),
  "hue-90": plain("toned", (picture) => picture.modulate({ hue: 90 })),
  "channels-turned": plain("toned", (picture) => picture.recomb(CHANNELS_TURNED)),
  "local-contrast": plain("toned", (picture) => picture.clahe({ width: 64, height: 64 })),
  vignette: pixels("toned", vignette),
  "boxes-5": pixels("covered", (picture, random) => stickers(picture, 5, 0.2, random)),
  "boxes-12": pixels("covered", (picture, random) => stickers(picture, 12, 0.2, random)),
  "box-large": pixels("covered", (picture, random) => stickers(picture, 1, 0.45, random)),
};

/** Draws originals for each attack and writes what becomes of them. @returns how many queries there are */
export async function writeAttacks({
  data,
  out,
  perAttack,
  seed,
}: {
  readonly data: string;
  readonly out: string;
  readonly perAttack: number;
  readonly seed: number;
}): Promise<number> {
  const { originals } = readMatchSet(data);
  const random = seededRandom(seed);
  const queries: AttackedQuery[] = [];
  mkdirSync(out, { recursive: true });
  for (const [attack, { family, edit }] of Object.entries(ATTACKS)) {
    const drawn = originals
      .map((original) => ({ original, order: random() }))
      .toSorted((a, b) => a.order - b.order)
      .slice(0, perAttack);
    for (const { original } of drawn) {
      const upright = await sharp(readFileSync(join(data, original.file)))
        .autoOrient()
        .flatten({ background: "#ffffff" })
        .toColourspace("srgb")
        .resize(SIDE, SIDE, { fit: "inside", withoutEnlargement: true })
        .png()
        .toBuffer({ resolveWithObject: true });
      const attacked = await edit(sharp(upright.data), upright.info, random);
      const file = `${attack}__${original.id}.jpg`;
      const picture = sharp(await attacked.png().toBuffer()).jpeg({ quality: QUALITY });
      writeFileSync(join(out, file), await picture.toBuffer());
      queries.push({ file, attack, family, truth: [original.id] });
    }
  }
  writeFileSync(join(out, "queries.json"), `${JSON.stringify(queries, null, 1)}\n`);
  return queries.length;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      out: { type: "string" },
      "per-attack": { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
    },
  });
  if (values.data === undefined || values.out === undefined)
    throw new Error("--data DIR and --out DIR are required");
  const written = await writeAttacks({
    data: values.data,
    out: values.out,
    perAttack: Number(values["per-attack"]),
    seed: Number(values.seed),
  });
  process.stdout.write(`${written} queries in ${values.out}\n`);
}

if (import.meta.main) await main();
