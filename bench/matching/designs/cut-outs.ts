/**
 * Draws what a page shows on plain ground and the same laid on a photograph, without the ground: such a photograph
 * derives from the page, and neither from another member of its form nor from a page that shows more than twice as
 * much.
 *
 *     node bench/matching/designs/cut-outs.ts --photographs DIR [--photographs DIR]... --out DIR [--draws 10]
 *                                             [--seed 1]
 *
 * `--photographs`: folders of JPEGs; `--draws`: pages of each kind, a code, letters, figures, and all of these. Writes
 * the pictures and `pairs.json`, which `trace.ts` takes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { pick } from "@colophon/testing/chance.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { FIGURES } from "./composed/figures.ts";
import { SIZES, composed } from "./composed/forms.ts";
import type { MakePiece, Piece } from "./composed/piece.ts";
import { TEXTS } from "./composed/texts.ts";
import { type Box, type Style, box, drawStyle, page, photograph } from "./drawing.ts";
import { EDITS, PLAIN } from "./edits.ts";
import { between, several } from "./language.ts";
import type { Pair } from "./pairs.ts";
import { type Photograph, drawPhotograph, embedded, readPhotographs } from "./photographs.ts";
import { rendered } from "./rendered.ts";

/** What is drawn, and where to. */
export interface CutOutRun {
  /** Folders of JPEGs. */
  readonly photographs: readonly string[];
  readonly out: string;
  /** Pages of each kind. */
  readonly draws: number;
  readonly seed: number;
}

/** A square of cells that are dark or light by chance, as a code's are: another one in each member. */
const squareCode: MakePiece = ({ x, y, width, height, random }) => {
  const cells = between(random, 12, 32);
  const cell = Math.min(width, height) / cells;
  const [dark, light] = random() < 0.8 ? ["#000000", "#ffffff"] : ["#203060", "#f4f0e0"];
  return {
    form: box(x, y, cell * cells, cell * cells, { fill: light }),
    says: (own) =>
      several(cells * cells, (k) =>
        own() < 0.5
          ? ""
          : box(x + cell * (k % cells), y + cell * Math.floor(k / cells), cell, cell, { fill: dark }),
      ).join(""),
  };
};

const KINDS: Readonly<Record<string, readonly MakePiece[]>> = {
  code: [squareCode],
  letters: TEXTS,
  figures: FIGURES,
  mixed: [squareCode, ...TEXTS, ...FIGURES],
};

/** Shares of a page's sides that its content takes. */
const LEAST = 0.2;
const MOST = 0.55;

/** A box somewhere on a page, away from its edges. */
function somewhere(width: number, height: number, random: Random): Box {
  const side = (): number => LEAST + (MOST - LEAST) * random();
  const [wide, high] = [width * side(), height * side()];
  return {
    x: 0.08 * width + random() * (0.84 * width - wide),
    y: 0.08 * height + random() * (0.84 * height - high),
    width: wide,
    height: high,
  };
}

const areaOf = ({ width, height }: Box): number => width * height;

/** Boxes, twice as large together as one that lies among them. */
function besides(area: Box, width: number, height: number, random: Random): Box[] {
  const boxes: Box[] = [];
  for (let sum = 0; sum < 2 * areaOf(area); ) {
    const next = somewhere(width, height, random);
    boxes.push(next);
    sum += areaOf(next);
  }
  return boxes;
}

/** Pieces of which each member says something of its own. */
function content(area: Box, style: Style, random: Random, kinds: readonly MakePiece[]): Piece {
  for (;;) {
    const piece = composed(area, style, random, { kinds, count: between(random, 1, 3) });
    if (piece.says(random) !== "") return piece;
  }
}

/**
 * One page with two contents, a page that shows other things beside the first, and a photograph that carries the first.
 */
async function drawPage(
  random: Random,
  kinds: readonly MakePiece[],
  photographs: readonly Photograph[],
): Promise<{
  readonly one: Buffer;
  readonly other: Buffer;
  readonly more: Buffer;
  readonly carrying: Buffer;
}> {
  const [width, height] = pick(random, SIZES);
  const style = drawStyle(random);
  const area = somewhere(width, height, random);
  const { form, says } = content(area, style, random, kinds);
  const panel = random() < 0.5 ? box(area.x, area.y, area.width, area.height, { fill: style.ground }) : "";
  const [said, otherwise] = [form + says(random), form + says(random)];
  const beside = besides(area, width, height, random)
    .map((each) => content(each, style, random, kinds))
    .map((piece) => piece.form + piece.says(random))
    .join("");
  const under = drawPhotograph(random, photographs, width / height, random() < 0.5, new Set());
  const ground = photograph(await embedded(under), { x: 0, y: 0, width, height });
  const size = 0.7 + 0.5 * random();
  const shift = (length: number, at: number): number => (0.9 * length - size * at) * 0.5 * random();
  const [moveX, moveY] = [shift(width, area.x + area.width), shift(height, area.y + area.height)];
  const isMoved = random() < 0.5;
  const placed = (drawn: string): string =>
    isMoved
      ? `<g transform="translate(${moveX.toFixed(1)} ${moveY.toFixed(1)}) scale(${size.toFixed(3)})">${drawn}</g>`
      : drawn;
  return {
    one: await rendered(page(width, height, style.ground, [said])),
    other: await rendered(page(width, height, style.ground, [otherwise])),
    more: await rendered(page(width, height, style.ground, [beside, said])),
    carrying: await rendered(page(width, height, "#808080", [ground, placed(panel + said)])),
  };
}

/** Draws pages and what carries their content into a folder. @returns how many pairs there are */
export async function drawCutOuts({ photographs, out, draws, seed }: CutOutRun): Promise<number> {
  const all = await readPhotographs(photographs);
  const random = seededRandom(seed);
  const pairs: Pair[] = [];
  mkdirSync(out, { recursive: true });
  const put = (name: string, picture: Buffer): string => {
    writeFileSync(join(out, name), picture);
    return name;
  };
  for (const [kind, kinds] of Object.entries(KINDS)) {
    for (let draw = 0; draw < draws; draw += 1) {
      const { carrying, ...pages } = await drawPage(random, kinds, all);
      const stem = `${kind}-${draw}`;
      for (const [k, edit] of [PLAIN, pick(random, EDITS)].entries()) {
        const asked = put(`${stem}-${k}.img`, await edit.apply(carrying, random));
        for (const [name, picture] of Object.entries(pages)) {
          pairs.push({
            registered: put(`${stem}-${name}.img`, picture),
            asked,
            design: `cut-out-${kind}`,
            family: "printed",
            draw,
            relation: name === "one" ? "under" : "other",
            edit: edit.name,
            plain: false,
            shared: 0,
            seen: 0,
            filled: 0,
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
      photographs: { type: "string", multiple: true, default: [] },
      out: { type: "string" },
      draws: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
    },
  });
  const { photographs, out } = values;
  if (out === undefined || photographs.length === 0) {
    refuseCommandLine("--photographs DIR and --out DIR are required");
  }
  const [draws, seed] = [Number(values.draws), Number(values.seed)];
  const count = await drawCutOuts({ photographs, out, draws, seed });
  process.stdout.write(`${count} pairs in ${out}\n`);
}

if (import.meta.main) await main();
