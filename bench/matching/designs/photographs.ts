import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import type { Random } from "@colophon/testing/pictures.ts";

/** A photograph that designs are filled with. */
export interface Photograph {
  readonly file: string;
  /** Width by height. */
  readonly shape: number;
  /** Share of it that is flat: sky, snow, a wall. */
  readonly plain: number;
}

const SIDE = 192;
const TILE = 12;
const FLAT = 4;

/** Share of the tiles whose luma hardly varies. */
async function plainShare(file: string): Promise<{ shape: number; plain: number }> {
  const { data, info } = await sharp(file)
    .autoOrient()
    .greyscale()
    .resize(SIDE, SIDE, { fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [flat, tiles] = [0, 0];
  for (let top = 0; top + TILE <= info.height; top += TILE) {
    for (let left = 0; left + TILE <= info.width; left += TILE) {
      let [sum, squares] = [0, 0];
      for (let k = 0; k < TILE * TILE; k += 1) {
        const value = data[(top + Math.floor(k / TILE)) * info.width + left + (k % TILE)]!;
        sum += value;
        squares += value * value;
      }
      const n = TILE * TILE;
      tiles += 1;
      if (squares / n - (sum / n) ** 2 < FLAT * FLAT) flat += 1;
    }
  }
  return { shape: info.width / info.height, plain: flat / Math.max(1, tiles) };
}

/** The JPEGs of folders, by name. */
export async function readPhotographs(folders: readonly string[]): Promise<Photograph[]> {
  const found: Photograph[] = [];
  for (const folder of folders) {
    for (const name of readdirSync(folder).toSorted()) {
      if (!/\.jpe?g$/i.test(name)) continue;
      const file = join(folder, name);
      found.push({ file, ...(await plainShare(file)) });
    }
  }
  return found;
}

/** The least share of a photograph that a window of its shape shows, or of about its shape. */
export const MOSTLY_SEEN: number = 1 / 1.33;

/** One that fits the window and is plain or not as asked, and is not among those taken. */
export function drawPhotograph(
  random: Random,
  all: readonly Photograph[],
  window: number,
  isPlain: boolean,
  taken: ReadonlySet<string>,
): Photograph {
  const free = all.filter(({ file }) => !taken.has(file));
  const fitting = free.filter((photograph) => seenThrough(window, photograph) >= MOSTLY_SEEN);
  const from = (fitting.length >= 8 ? fitting : free).toSorted((a, b) => b.plain - a.plain);
  const half = from.length >> 1;
  const chosen = isPlain ? from.slice(0, half) : from.slice(half);
  const photograph = chosen[Math.floor(random() * chosen.length)];
  if (photograph === undefined) throw new Error("There are too few photographs.");
  return photograph;
}

/** The share of a photograph that a window of this shape shows, which it fills. */
export function seenThrough(window: number, { shape }: Photograph): number {
  return Math.min(shape / window, window / shape);
}

const EMBEDDED_SIDE = 1200;

/** The photograph as SVG takes it. */
export async function embedded({ file }: Photograph): Promise<string> {
  const image = await sharp(readFileSync(file))
    .autoOrient()
    .resize(EMBEDDED_SIDE, EMBEDDED_SIDE, { fit: "inside", withoutEnlargement: true })
    .jpeg({ quality: 93 })
    .toBuffer();
  return `data:image/jpeg;base64,${image.toString("base64")}`;
}

const GREY = { width: 8, height: 8, channels: 3, background: "#808080" } as const;

/** As `embedded`: nothing, in a photograph's place. */
export async function embeddedNothing(): Promise<string> {
  const image = await sharp({ create: GREY }).png().toBuffer();
  return `data:image/png;base64,${image.toString("base64")}`;
}
