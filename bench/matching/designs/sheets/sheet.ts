import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Design, Filling, Sheet } from "../design.ts";
import { between } from "../language.ts";

/** Faces and colours of one sheet. */
export interface Look {
  readonly face: string;
  readonly head: string;
  readonly paper: string;
  readonly ink: string;
  readonly bright: string;
  readonly dull: string;
}

/** What a sheet's two layers are laid out on: `width` and `height` in pixels, `em` the height of its small print. */
export interface Plan extends Look {
  readonly width: number;
  readonly height: number;
  readonly em: number;
  readonly random: Random;
}

const FACES = [
  "Lato, Noto Sans, sans-serif",
  "EB Garamond, Noto Serif, serif",
  "Liberation Sans Narrow, sans-serif",
  "Liberation Mono, monospace",
  "DejaVu Serif, serif",
] as const;
const PAPERS = ["#fdfcf7", "#f4efe2", "#eef3f7", "#ffffff", "#1c2230", "#23201c", "#f9e9d2"] as const;
const BRIGHT = ["#d7263d", "#1b6ec2", "#0b8a4a", "#e98a15", "#7b2d8b", "#00a6a6"] as const;

function look(random: Random): Look {
  const paper = pick(random, PAPERS);
  const isDark = paper === "#1c2230" || paper === "#23201c";
  return {
    face: pick(random, FACES),
    head: pick(random, FACES),
    paper,
    ink: isDark ? "#f0ece4" : "#20242c",
    bright: pick(random, BRIGHT),
    dull: isDark ? "#4a5160" : "#b9bec6",
  };
}

/** One line of print; `x` and `y` where it begins, or ends with `ends`. */
export const print = (
  x: number,
  y: number,
  size: number,
  face: string,
  fill: string,
  said: string,
  more = "",
): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" style="font:${size.toFixed(1)}px ${face};fill:${fill}" ${more}>${said.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;

type Sizes = readonly (readonly [width: number, height: number])[];

/** What is laid out on a sheet: what all members show, and what each says. */
interface Laid {
  readonly ground: string;
  readonly own: (random: Random) => string;
}

/** A kind of sheet of which every member says something of its own on one ground, which may be a picture. */
function laidOut(name: string, sizes: Sizes, isPictured: boolean, lay: (plan: Plan) => Laid): Design {
  return {
    name,
    family: "printed",
    photographs: 0,
    draw: (random): Sheet => {
      const [width, height] = pick(random, sizes);
      const plan = {
        ...look(random),
        width,
        height,
        em: Math.min(width, height) / between(random, 38, 60),
        random,
      };
      const { ground, own } = lay(plan);
      const member =
        (under: string) =>
        ({ random: each }: Filling): string =>
          `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><g><path fill="${plan.paper}" d="M0 0H${width}V${height}H0z"/>${under}</g>${own(each)}</svg>`;
      const drawn = { width, height, window: null, member: member(ground) };
      return isPictured ? { ...drawn, withoutPicture: member("") } : drawn;
    },
  };
}

export const sheet = (name: string, sizes: Sizes, lay: (plan: Plan) => Laid): Design =>
  laidOut(name, sizes, false, lay);

/** The same on a picture: what is drawn on it lies over a picture as on a photograph. */
export const pictured = (name: string, sizes: Sizes, lay: (plan: Plan) => Laid): Design =>
  laidOut(name, sizes, true, lay);
