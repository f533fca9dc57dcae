import sharp, { type Sharp } from "sharp";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import { FIGURES } from "./composed/figures.ts";
import { composed } from "./composed/forms.ts";
import { TEXTS } from "./composed/texts.ts";
import { box, disc, drawStyle, page, polyline, text } from "./drawing.ts";
import { between, several, word, words } from "./language.ts";

/** What becomes of a picture before it is asked with. Wrong pairs and right ones go through the same. */
export interface Edit {
  readonly name: string;
  readonly apply: (picture: Buffer, random: Random) => Promise<Buffer>;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const edit = (
  name: string,
  change: (picture: Sharp, size: Size, random: Random) => Sharp | Promise<Sharp>,
): Edit => ({
  name,
  apply: async (picture, random) => {
    const { width, height } = await sharp(picture).metadata();
    return (await change(sharp(picture), { width, height }, random)).toBuffer();
  },
});

const scaled = (picture: Sharp, { width }: Size, by: number): Sharp => picture.resize(Math.round(width * by));

/** Keeps this share of the area, somewhere. */
function cropped(picture: Sharp, { width, height }: Size, share: number, random: Random): Sharp {
  const [w, h] = [Math.round(width * Math.sqrt(share)), Math.round(height * Math.sqrt(share))];
  return picture.extract({
    left: Math.floor((width - w) * random()),
    top: Math.floor((height - h) * random()),
    width: w,
    height: h,
  });
}

async function noisy(picture: Sharp, random: Random): Promise<Sharp> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const own = seededRandom(Math.floor(random() * 2 ** 31));
  for (let at = 0; at < data.length; at += 1) {
    const spread = (own() + own() + own() - 1.5) * 24;
    data[at] = Math.max(0, Math.min(255, Math.round(data[at]! + spread)));
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels as 3 } });
}

/** Something drawn over the picture, some place. */
const drawnOver = (name: string, draw: (size: Size, random: Random) => string): Edit =>
  edit(name, (picture, size, random) => {
    const { width, height } = size;
    const over = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${draw(size, random)}</svg>`;
    return picture.composite([{ input: Buffer.from(over) }]).jpeg({ quality: 85 });
  });

const LETTERS = { font: "sans-serif", ink: "#ffffff", bold: true };

function caption({ width, height }: Size, random: Random): string {
  const tall = Math.round(height * (0.06 + 0.08 * random()));
  const top = Math.round((height - tall) * random());
  return (
    box(0, top, width, tall, { fill: "#101010" }) +
    text(LETTERS, width * 0.04, top + tall * 0.75, tall * 0.6, words(random, "latin", 4))
  );
}

function logo({ width, height }: Size, random: Random): string {
  const side = Math.round(Math.min(width, height) * (0.15 + 0.25 * random()));
  const [x, y] = [Math.round((width - side) * random()), Math.round((height - side) * random())];
  return (
    box(x, y, side, side, { fill: "#c02030" }) +
    disc(x + side / 2, y + side * 0.4, side * 0.3, { fill: "#fff0c0" }) +
    text(LETTERS, x + side * 0.1, y + side * 0.9, side * 0.2, word(random, "latin"))
  );
}

function lettering({ width, height }: Size, random: Random): string {
  const size = Math.round(height * (0.03 + 0.07 * random()));
  return several(between(random, 3, 8), () =>
    text(LETTERS, width * 0.6 * random(), height * (0.08 + 0.9 * random()), size, words(random, "latin", 3), {
      fill: random() < 0.5 ? "#ffffff" : "#b01020",
      stroke: random() < 0.5 ? "#000000" : "#ffffff",
    }),
  ).join("");
}

/** Strokes, rings and arrows drawn by hand. */
function notes({ width, height }: Size, random: Random): string {
  const line = Math.max(2, Math.round(Math.min(width, height) * (0.003 + 0.008 * random())));
  const colour = pick(random, ["#d01020", "#1030c0", "#101010", "#20a040", "#f0c000"]);
  return several(between(random, 1, 4), () => {
    let [x, y] = [width * (0.1 + 0.8 * random()), height * (0.1 + 0.8 * random())];
    const reach = Math.min(width, height) * (0.04 + 0.12 * random());
    if (random() < 0.4) return disc(x, y, reach, { stroke: colour, line });
    const stroke = several(between(random, 2, 12), () => {
      x += (random() - 0.5) * 2 * reach;
      y += (random() - 0.5) * 2 * reach;
      return [x, y] as const;
    });
    return polyline(stroke, colour, line) + (random() < 0.4 ? disc(x, y, 2 * line, { fill: colour }) : "");
  }).join("");
}

const CARRIER = { x: 0, y: 0, width: 1280, height: 960 };

/** A page or a screen of other content that shows the picture on this share of its longer side. */
async function carried(picture: Sharp, share: number, random: Random): Promise<Sharp> {
  const style = drawStyle(random);
  const { form, says } = composed(CARRIER, style, random, {
    kinds: [...TEXTS, ...FIGURES],
    count: between(random, 4, 10),
  });
  const side = Math.round(share * CARRIER.width);
  const shown = await picture
    .resize(side, Math.min(side, CARRIER.height), { fit: "inside" })
    .toBuffer({ resolveWithObject: true });
  const left = Math.floor((CARRIER.width - shown.info.width) * random());
  const top = Math.floor((CARRIER.height - shown.info.height) * random());
  const carrier = page(CARRIER.width, CARRIER.height, style.ground, [form, says(random)]);
  return sharp(Buffer.from(carrier))
    .composite([{ input: shown.data, left, top }])
    .jpeg({ quality: 88 });
}

/** The picture as it is, coded finely. */
export const PLAIN: Edit = edit("as it is", (picture) => picture.jpeg({ quality: 92 }));

export const EDITS: readonly Edit[] = [
  edit("png", (picture) => picture.png()),
  edit("webp 80", (picture) => picture.webp({ quality: 80 })),
  edit("q75", (picture) => picture.jpeg({ quality: 75 })),
  edit("q50", (picture) => picture.jpeg({ quality: 50 })),
  edit("q20", (picture) => picture.jpeg({ quality: 20 })),
  edit("0.75 size", (picture, size) => scaled(picture, size, 0.75).jpeg({ quality: 85 })),
  edit("0.6 size, q50", (picture, size) => scaled(picture, size, 0.6).jpeg({ quality: 50 })),
  edit("0.35 size", (picture, size) => scaled(picture, size, 0.35).jpeg({ quality: 80 })),
  edit("1.4 size", (picture, size) => scaled(picture, size, 1.4).jpeg({ quality: 85 })),
  edit("crop 80 %", (picture, size, random) => cropped(picture, size, 0.8, random).jpeg({ quality: 85 })),
  edit("crop 90 %, q40", (picture, size, random) =>
    cropped(picture, size, 0.9, random).jpeg({ quality: 40 }),
  ),
  edit("turned", (picture) => picture.rotate(90).jpeg({ quality: 85 })),
  edit("tilted", (picture, _, random) =>
    picture.rotate(between(random, 2, 8), { background: "#000" }).jpeg({ quality: 85 }),
  ),
  edit("mirrored", (picture) => picture.flop().jpeg({ quality: 85 })),
  edit("grey", (picture) => picture.greyscale().jpeg({ quality: 85 })),
  edit("brighter", (picture) => picture.modulate({ brightness: 1.25 }).jpeg({ quality: 85 })),
  edit("darker", (picture) => picture.gamma(1.8).jpeg({ quality: 85 })),
  edit("less contrast", (picture) => picture.linear(0.6, 40).jpeg({ quality: 85 })),
  edit("blurred", (picture, size) => picture.blur(0.5 + size.width / 1000).jpeg({ quality: 85 })),
  edit("sharpened", (picture) => picture.sharpen({ sigma: 1.5 }).jpeg({ quality: 85 })),
  edit("noisy", async (picture, _, random) => (await noisy(picture, random)).jpeg({ quality: 85 })),
  edit("q8", (picture) => picture.jpeg({ quality: 8 })),
  edit("inverted", (picture) => picture.negate({ alpha: false }).jpeg({ quality: 85 })),
  edit("equalised", (picture) => picture.normalise({ lower: 5, upper: 95 }).jpeg({ quality: 85 })),
  edit("thumbnail", (picture) => picture.resize(200, 200, { fit: "inside" }).jpeg({ quality: 80 })),
  edit("much blurred", (picture, size) => picture.blur(0.004 * size.width).jpeg({ quality: 85 })),
  edit("half of it", (picture, size, random) => cropped(picture, size, 0.5, random).jpeg({ quality: 85 })),
  drawnOver("captioned", caption),
  drawnOver("under a logo", logo),
  drawnOver("lettered", lettering),
  edit("bordered", (picture, { width }) => {
    const by = Math.round(width * 0.06);
    return picture
      .extend({ top: by, bottom: by, left: by, right: by, background: "#fff" })
      .jpeg({ quality: 85 });
  }),
  edit("carried by a page", (picture, _, random) => carried(picture, 0.45 + 0.4 * random(), random)),
  edit("carried in small", (picture, _, random) => carried(picture, 0.25 + 0.2 * random(), random)),
  edit("reposted", async (picture, size, random) => {
    const first = await cropped(picture, size, 0.85, random).jpeg({ quality: 60 }).toBuffer();
    return scaled(sharp(first), size, 0.7).jpeg({ quality: 50 });
  }),
];

export const ANNOTATED: Edit = drawnOver("annotated", notes);

/** Most of it on another page: neither picture lies within the other. */
const CARRIED_IN_PART: Edit = edit("carried in part", async (picture, size, random) => {
  const part = await cropped(picture, size, 0.65 + 0.2 * random(), random).toBuffer();
  return carried(sharp(part), 0.45 + 0.4 * random(), random);
});

/** What `draw.ts` takes by name only. */
export const BY_NAME_ONLY: readonly Edit[] = [ANNOTATED, CARRIED_IN_PART];
