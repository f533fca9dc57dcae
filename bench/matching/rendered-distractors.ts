import { paintPicture, type Random, seededRandom } from "@colophon/testing/pictures.ts";
import type { Rgb } from "@colophon/engine/lab";
import { pick } from "@colophon/testing/chance.ts";

const WIDTH = 640;
const HEIGHT = 480;
const PIXEL = 3;
/** Tiles a side, at least and at most, and the pictures whose tiles are mixed. */
const TILES = [3, 8] as const;
const MIXED = 3;

/** A picture that others are made of. */
export interface Source {
  readonly name: string;
  readonly rgb: Rgb;
}

/** A picture made for one run: how, and of which sources it shows parts. */
export interface Rendered {
  readonly kind: "painted" | "tiles" | "halves" | "veil";
  readonly sources: readonly string[];
  readonly rgb: Rgb;
}

/** What is shown, by the number's remainder. */
const KINDS = ["tiles", "painted", "tiles", "halves", "tiles", "veil"] as const;

/**
 * Draws picture `n` of `seed`: a painted scene, shuffled tiles of three sources, halves of two, or one seen through
 * another. Each shows real parts of its sources, so that only queries of other originals can be unrelated to it.
 */
export function render(n: number, seed: number, sources: readonly Source[]): Rendered {
  const random = seededRandom(Math.imul(seed, 0x2c1b3c6d) + n);
  const kind = KINDS[n % KINDS.length]!;
  if (kind === "painted") {
    const data = paintPicture(Math.floor(random() * 2 ** 31), WIDTH, HEIGHT);
    return { kind, sources: [], rgb: { width: WIDTH, height: HEIGHT, data } };
  }
  const used = Array.from({ length: kind === "tiles" ? MIXED : 2 }, () => pick(random, sources));
  const rgb = { width: WIDTH, height: HEIGHT, data: new Uint8Array(WIDTH * HEIGHT * PIXEL) };
  if (kind === "tiles") drawTiles(rgb, used, random);
  else if (kind === "halves") drawHalves(rgb, used, random);
  else drawVeil(rgb, used, random);
  return { kind, sources: used.map(({ name }) => name), rgb };
}

/** A window of a canvas, and how strongly what is drawn there covers it. */
interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly strength: number;
}

/** Fills a window with what a source shows at a random place, at the source's own scale; smaller sources repeat. */
function drawPart(canvas: Rgb, window: Window, { rgb }: Source, random: Random): void {
  const x0 = Math.floor(random() * Math.max(1, rgb.width - window.width));
  const y0 = Math.floor(random() * Math.max(1, rgb.height - window.height));
  for (let y = 0; y < window.height; y += 1) {
    for (let x = 0; x < window.width; x += 1) {
      const to = PIXEL * ((window.y + y) * canvas.width + window.x + x);
      const from = PIXEL * (((y0 + y) % rgb.height) * rgb.width + ((x0 + x) % rgb.width));
      for (let c = 0; c < PIXEL; c += 1) {
        const old = canvas.data[to + c]!;
        canvas.data[to + c] = old + window.strength * (rgb.data[from + c]! - old);
      }
    }
  }
}

function drawTiles(canvas: Rgb, sources: readonly Source[], random: Random): void {
  const [least, most] = TILES;
  const tiles = least + Math.floor(random() * (most - least + 1));
  const edge = (side: number, n: number): number => Math.round((side * n) / tiles);
  for (let row = 0; row < tiles; row += 1) {
    for (let column = 0; column < tiles; column += 1) {
      const [x, y] = [edge(canvas.width, column), edge(canvas.height, row)];
      const width = edge(canvas.width, column + 1) - x;
      const height = edge(canvas.height, row + 1) - y;
      drawPart(canvas, { x, y, width, height, strength: 1 }, pick(random, sources), random);
    }
  }
}

function drawHalves(canvas: Rgb, sources: readonly Source[], random: Random): void {
  const left = Math.round(canvas.width * (0.3 + 0.4 * random()));
  const whole = { y: 0, height: canvas.height, strength: 1 };
  drawPart(canvas, { ...whole, x: 0, width: left }, sources[0]!, random);
  drawPart(canvas, { ...whole, x: left, width: canvas.width - left }, sources[1]!, random);
}

function drawVeil(canvas: Rgb, sources: readonly Source[], random: Random): void {
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  drawPart(canvas, { ...whole, strength: 1 }, sources[0]!, random);
  drawPart(canvas, { ...whole, strength: 0.3 + 0.4 * random() }, sources[1]!, random);
}
