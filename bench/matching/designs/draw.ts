/**
 * Draws pictures that share a part, and pairs of them: for every design two members with photographs or content of
 * their own, each as it is and edited.
 *
 *     node bench/matching/designs/draw.ts --photographs DIR [--photographs DIR]... --out DIR [--draws 1] [--first 0]
 *                                         [--seed 1] [--only NAME]... [--part train|report|apart] [--edit NAME]
 *
 * `--photographs`: folders of JPEGs. Each draw of a design has another layout, font, colours, script and photographs;
 * half of the draws use photographs with much plain ground. `--part`: the designs to choose by, those held out
 * meanwhile, or kinds apart that nothing is ever learned from. `--edit`: the edit of all asked pictures; without it
 * each is asked with as it is and under an edit that is drawn. Writes the pictures and `pairs.json`, which `trace.ts`
 * takes.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import sharp from "sharp";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import { DESIGNS, DESIGNS_APART } from "./catalogue.ts";
import { differingShare } from "./content-share.ts";
import type { Design, Sheet } from "./design.ts";
import { BY_NAME_ONLY, EDITS, type Edit, PLAIN } from "./edits.ts";
import { type Part, isOfPart, readPart } from "./held-out.ts";
import { type Pair, type Relation, readPairs } from "./pairs.ts";
import {
  type Photograph,
  drawPhotograph,
  embedded,
  embeddedNothing,
  MOSTLY_SEEN,
  readPhotographs,
  seenThrough,
} from "./photographs.ts";
import { rendered } from "./rendered.ts";

/** Numbers of their own for a design's draw, whatever else is drawn. */
function ownRandom(seed: number, name: string, draw: number): Random {
  let hash = seed;
  for (const letter of `${name} ${draw}`) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return seededRandom(hash);
}

/** Random numbers that can be gone back to: what is drawn from a place on is the same each time. */
class Rewound {
  readonly #drawn: number[] = [];
  readonly #random: Random;
  place = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  readonly next: Random = () => {
    const at = this.place;
    this.place += 1;
    return (this.#drawn[at] ??= this.#random());
  };
}

interface Member {
  readonly picture: Buffer;
  /** The share of what it shows that is the photograph, or the drawn picture, which all members show. */
  readonly shared: number;
  /** As a pair's. */
  readonly filled: number;
  /** What it is of; null for a form, which shares a photograph it lies on with all others. */
  readonly photograph: Photograph | null;
}

/** Two members of one sheet. */
async function members(
  { photographs: taken, family }: Design,
  sheet: Sheet,
  all: readonly Photograph[],
  isPlain: boolean,
  numbers: Rewound,
): Promise<Member[]> {
  const random = numbers.next;
  const used = new Set<string>();
  const choose = (): Photograph => {
    const photograph = drawPhotograph(random, all, sheet.window ?? 1, isPlain, used);
    used.add(photograph.file);
    return photograph;
  };
  const isForm = family === "printed";
  const shared = taken > 0 && (isForm || family === "shared-photograph") ? choose() : null;
  const made: Member[] = [];
  for (let each = 0; each < 2; each += 1) {
    const photographs = Array.from({ length: taken }, (_, k) =>
      k === 0 && shared !== null ? shared : choose(),
    );
    const before = numbers.place;
    const images = await Promise.all(photographs.map(embedded));
    const picture = await rendered(sheet.member({ random, photographs: images }));
    let share = 0;
    const isOfAll = shared !== null || sheet.withoutPicture !== undefined;
    if (isOfAll || (family === "template" && taken > 0)) {
      const after = numbers.place;
      numbers.place = before;
      const filling = {
        random,
        photographs:
          shared === null && sheet.withoutPicture !== undefined
            ? images
            : [await embeddedNothing(), ...images.slice(1)],
      };
      const without = (sheet.withoutPicture ?? sheet.member)(filling);
      share = await differingShare(picture, await rendered(without));
      numbers.place = after;
    }
    made.push({
      picture,
      shared: isOfAll ? share : 0,
      filled: family === "overlay" ? 1 : share,
      photograph: isForm ? null : (photographs[0] ?? null),
    });
  }
  return made;
}

/** What is registered of a member: at some size and quality. */
async function asRegistered(picture: Buffer, random: Random): Promise<Buffer> {
  const { width } = await sharp(picture).metadata();
  const size = Math.round(width * (0.7 + 0.3 * random()));
  return sharp(picture)
    .resize(size)
    .jpeg({ quality: 80 + Math.floor(16 * random()) })
    .toBuffer();
}

class Folder {
  readonly #path: string;
  readonly pairs: Pair[];

  constructor(path: string) {
    this.#path = path;
    mkdirSync(path, { recursive: true });
    this.pairs = existsSync(join(path, "pairs.json")) ? [...readPairs(path)] : [];
  }

  put(name: string, picture: Buffer): string {
    writeFileSync(join(this.#path, name), picture);
    return name;
  }

  close(): void {
    writeFileSync(join(this.#path, "pairs.json"), `${JSON.stringify(this.pairs, null, 1)}\n`);
  }
}

async function drawDesign(
  folder: Folder,
  design: Design,
  draw: number,
  all: readonly Photograph[],
  numbers: Rewound,
  edit: Edit | null,
): Promise<void> {
  const random = numbers.next;
  const isPlain = draw % 2 === 0;
  const sheet = design.draw(random);
  const both = await members(design, sheet, all, isPlain, numbers);
  const stem = `${design.name}-${draw}`;
  const put = async (name: string, picture: Buffer, through: Edit): Promise<string> =>
    folder.put(`${stem}-${name}.img`, await through.apply(picture, random));
  const registered: string[] = [];
  for (const [k, { picture }] of both.entries()) {
    registered.push(folder.put(`${stem}-${"ab"[k]}.img`, await asRegistered(picture, random)));
  }
  const seenOf = ({ photograph }: Member): number =>
    photograph === null || sheet.window === null ? 1 : seenThrough(sheet.window, photograph);
  const pair = (k: number, at: string, asked: string, relation: Relation, edited: string): void => {
    const { name, family } = design;
    const member = both[k]!;
    folder.pairs.push({
      registered: at,
      asked,
      relation,
      edit: edited,
      design: name,
      family,
      draw,
      plain: isPlain,
      shared: Math.max(...both.map(({ shared }) => shared)),
      seen: seenOf(member),
      filled: member.filled,
    });
  };
  const edits = edit === null ? [PLAIN, pick(random, EDITS)] : [edit];
  for (const [k, member] of both.entries()) {
    const { picture, photograph } = member;
    const bare =
      photograph === null ? null : await sharp(readFileSync(photograph.file)).autoOrient().toBuffer();
    const isShown = sheet.window !== null && seenOf(member) >= MOSTLY_SEEN;
    const bareFile = bare === null ? null : folder.put(`${stem}-${"ab"[k]}-bare.img`, bare);
    for (const [e, each] of edits.entries()) {
      const asked = await put(`${"ab"[k]}${e}`, picture, each);
      pair(k, registered[1 - k]!, asked, "other", each.name);
      // The member as it is, coded again, proves nothing.
      if (each !== PLAIN) pair(k, registered[k]!, asked, "itself", each.name);
      if (bareFile !== null && isShown) pair(k, bareFile, asked, "under", each.name);
    }
    if (bare === null || sheet.window === null || k > 0) continue;
    const ofBare = pick(random, edits);
    pair(k, registered[k]!, await put("bare", bare, ofBare), "bare", ofBare.name);
  }
}

/** What is drawn, and where to. */
export interface Drawing {
  /** Folders of JPEGs. */
  readonly photographs: readonly string[];
  readonly out: string;
  readonly draws: number;
  /** Number of the first draw: even ones take photographs with much plain ground. */
  readonly first: number;
  readonly seed: number;
  /** Names of designs; all of them when empty. */
  readonly only: readonly string[];
  /** Null for all designs but those apart. */
  readonly part: Part | "apart" | null;
  /** Name of the edit of all asked pictures; null for as they are and a drawn one. */
  readonly edit: string | null;
}

/** Draws members and pairs of designs into a folder, beside what is there. @returns how many pairs the folder holds */
export async function drawPairs(drawing: Drawing): Promise<number> {
  const { photographs, out, draws, first, seed, only, part, edit } = drawing;
  const all = await readPhotographs(photographs);
  const folder = new Folder(out);
  const chosen = edit === null ? null : [...EDITS, ...BY_NAME_ONLY].find(({ name }) => name === edit);
  if (chosen === undefined) throw new Error(`No edit is called ${edit}.`);
  const designs = part === "apart" ? DESIGNS_APART : DESIGNS.filter(({ name }) => isOfPart(name, part));
  for (let draw = first; draw < first + draws; draw += 1) {
    for (const design of designs) {
      if (only.length > 0 && !only.includes(design.name)) continue;
      const numbers = new Rewound(ownRandom(seed, design.name, draw));
      await drawDesign(folder, design, draw, all, numbers, chosen);
    }
  }
  folder.close();
  return folder.pairs.length;
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      photographs: { type: "string", multiple: true, default: [] },
      out: { type: "string" },
      draws: { type: "string", default: "1" },
      first: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: [] },
      part: { type: "string" },
      edit: { type: "string" },
    },
  });
  const { photographs, out, only } = values;
  if (out === undefined || photographs.length === 0) {
    refuseCommandLine("--photographs DIR and --out DIR are required");
  }
  const pairs = await drawPairs({
    photographs,
    out,
    only,
    draws: Number(values.draws),
    first: Number(values.first),
    seed: Number(values.seed),
    part: values.part === "apart" ? values.part : readPart(values.part),
    edit: values.edit ?? null,
  });
  process.stdout.write(`${pairs} pairs in ${out}\n`);
}

if (import.meta.main) await main();
