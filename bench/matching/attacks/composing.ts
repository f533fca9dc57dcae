import sharp from "sharp";
import {
  type Attack,
  type Draw,
  type Edit,
  type Pixels,
  attack,
  byPipeline,
  inTurn,
  jpeg,
  pipeline,
  pixelsOf,
} from "./attack.ts";
import { lettered, screen } from "./covering.ts";
import { cropped } from "./cutting.ts";
import { after, type PlaneMap, shift, stretch } from "./plane-map.ts";
import { atShare } from "./saving.ts";

/** The picture on a share of a screen's area. */
const pasted = (share: number): Edit => {
  return async (picture, { random }) => {
    const tall = random() < 0.5;
    const [width, height] = tall ? [900, 1600] : [1600, 1000];
    const scale = Math.min(
      Math.sqrt((share * width * height) / (picture.width * picture.height)),
      width / picture.width,
      height / picture.height,
    );
    const [w, h] = [Math.floor(scale * picture.width), Math.floor(scale * picture.height)];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${screen({ width, height }, Math.floor(2 ** 31 * random()))}</svg>`;
    const input = await pipeline(picture).resize(w, h, { fit: "fill" }).png().toBuffer();
    const [left, top] = [Math.floor(random() * (width - w + 1)), Math.floor(random() * (height - h + 1))];
    const made = await pixelsOf(
      sharp(await sharp(Buffer.from(svg)).composite([{ input, left, top }]).png().toBuffer()),
    );
    return { ...made, map: after(stretch(picture, { width: w, height: h }), shift(left, top)) };
  };
};

const CELL = 640;

/** Pictures side by side in cells of one size, each whole. */
async function sideBySide(pictures: readonly Pixels[]): Promise<Buffer> {
  const columns = columnsOf(pictures.length);
  const rows = Math.ceil(pictures.length / columns);
  const cells = await Promise.all(
    pictures.map(async (picture, at) => ({
      input: await pipeline(picture)
        .resize(CELL, CELL, { fit: "contain", background: "#ffffff" })
        .png()
        .toBuffer(),
      left: (at % columns) * CELL,
      top: Math.floor(at / columns) * CELL,
    })),
  );
  const sheet = sharp({
    create: { width: columns * CELL, height: rows * CELL, channels: 3, background: "#ffffff" },
  });
  return sharp(await sheet.composite(cells).png().toBuffer())
    .jpeg({ quality: 85 })
    .toBuffer();
}

function columnsOf(count: number): number {
  return count === 3 ? 3 : 2;
}

/** Where a picture lies that is whole in a cell, in its middle. */
function inCell({ width, height }: Pixels, cell: number, count: number): PlaneMap {
  const scale = CELL / Math.max(width, height);
  const [w, h] = [Math.round(scale * width), Math.round(scale * height)];
  const columns = columnsOf(count);
  const left = (cell % columns) * CELL + Math.floor((CELL - w) / 2);
  const top = Math.floor(cell / columns) * CELL + Math.floor((CELL - h) / 2);
  return after(stretch({ width, height }, { width: w, height: h }), shift(left, top));
}

const collage = (count: number): Attack => ({
  name: `collage-${count}`,
  family: "collage",
  make: async (picture: Pixels, draw: Draw) => {
    const others = await draw.others(count - 1);
    const at = Math.floor(draw.random() * count);
    const pictures = others.map((other) => other.picture).toSpliced(at, 0, picture);
    const maps = pictures.map((each, cell) => inCell(each, cell, count));
    return {
      bytes: await sideBySide(pictures),
      map: maps[at] ?? null,
      alsoShows: others.map(({ id }, other) => ({ id, map: maps[other < at ? other : other + 1] ?? null })),
    };
  },
});

const faded: Edit = inTurn(
  byPipeline((picture) => picture.greyscale()),
  byPipeline((picture) => picture.linear(1.3, 128 * (1 - 1.3))),
);

/** The picture among other things, and several attacks one after the other. */
export const COMPOSING: readonly Attack[] = [
  ...[60, 45, 30, 20].map((percent) =>
    attack("paste", `paste-${percent}`, pasted(percent / 100), (picture) => picture.jpeg({ quality: 80 })),
  ),
  ...[2, 3, 4].map(collage),
  attack("chain", "chain-shot", inTurn(atShare(0.6), cropped(0.8)), (picture) =>
    picture.jpeg({ quality: 30 }),
  ),
  attack(
    "chain",
    "chain-repost",
    inTurn(cropped(0.7), jpeg(40), lettered(1, 0.07), atShare(0.7)),
    (picture) => picture.jpeg({ quality: 50 }),
  ),
  attack("chain", "chain-hard", inTurn(cropped(0.4), faded, atShare(0.5)), (picture) =>
    picture.jpeg({ quality: 35 }),
  ),
  attack("chain", "chain-paste", inTurn(cropped(0.6), pasted(0.5)), (picture) =>
    picture.jpeg({ quality: 40 }),
  ),
];
