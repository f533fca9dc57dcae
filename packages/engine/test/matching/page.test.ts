import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { encodePicture, seededRandom } from "@colophon/testing/pictures.ts";
import { lookAt } from "../../src/matching/decide/looked-at.ts";
import { examineCandidates } from "../../src/matching/match-query.ts";
import type { Candidate } from "../../src/matching/rank/rank-candidates.ts";
import { editPicture, examineQuery, PACKET_KEY, registerOriginal, matchedIds, scene } from "./pictures.ts";

const WIDTH = 1000;
const HEIGHT = 700;
const INK = 40;
const RULE = 120;

/** A white page on which boxes are filled. */
class Page {
  readonly #data = new Uint8Array(3 * WIDTH * HEIGHT).fill(255);

  fill(left: number, top: number, width: number, height: number, grey: number): void {
    for (let y = top; y < top + height; y += 1) {
      this.#data.fill(grey, 3 * (y * WIDTH + left), 3 * (y * WIDTH + left + width));
    }
  }

  /** Bars of pseudo-random lengths and heights, as the words of a line. */
  words(seed: number, left: number, right: number, baseline: number, grey: number = INK): void {
    const random = seededRandom(10_000 * seed + baseline);
    for (let x = left; ; ) {
      const width = 8 + Math.floor(53 * random());
      if (x + width > right) return;
      const height = 7 + Math.floor(7 * random());
      this.fill(x, baseline - height, width, height, grey);
      x += width + 9;
    }
  }

  /** A plate with a lighter field in it. */
  plate(left: number, top: number, width: number, height: number): void {
    this.fill(left, top, width, height, 70);
    this.fill(left + 20, top + 15, width - 60, height - 30, 220);
  }

  encode(): Promise<Uint8Array> {
    return encodePicture(this.#data, WIDTH, HEIGHT);
  }
}

async function lookUp(page: Page, original: Candidate): Promise<number[]> {
  const { query } = await examineQuery(await page.encode());
  return matchedIds(query, [original], PACKET_KEY);
}

/** Whether each finding of a candidate says that it and the query both look printed. */
async function areBothPrinted(image: Uint8Array, original: Candidate): Promise<boolean[]> {
  const { query } = await examineQuery(image);
  return examineCandidates(query, [original], PACKET_KEY).map(({ evidence }) => evidence.areBothPrinted);
}

/** A page of a form: ruled lines and printed labels, the same on each, and entries by `seed`. */
function form(seed: number): Page {
  const page = new Page();
  for (let y = 60; y < HEIGHT - 20; y += 80) {
    page.fill(40, y + 8, WIDTH - 80, 2, RULE);
    page.words(1, 50, 330, y);
    page.words(seed, 370, WIDTH - 50, y);
  }
  return page;
}

describe("a page of a form", () => {
  let first: Candidate;

  beforeAll(async () => {
    first = await registerOriginal(1, await form(2).encode());
  });

  test("is found by the sharp one where it was registered blurred, and another is not", async () => {
    const soft = await registerOriginal(
      2,
      await editPicture(await form(2).encode(), (image) => image.blur(3.5)),
    );
    expect(await lookUp(form(2), soft)).toEqual([2]);
    expect(await lookUp(form(3), soft)).toEqual([]);
  });

  test("is found coded again, and shrunk", async () => {
    const page = await form(2).encode();
    for (const edit of [(image: Sharp) => image, (image: Sharp) => image.resize(WIDTH / 2)]) {
      const { query } = await examineQuery(await editPicture(page, edit, 40));
      expect(matchedIds(query, [first], PACKET_KEY)).toEqual([1]);
    }
  });

  test("and another page both look printed, and a photograph does not beside it", async () => {
    expect(await areBothPrinted(await form(3).encode(), first)).toEqual([true]);
    const page = sharp(await form(2).encode()).resize(600);
    const laid = sharp(await scene(8104, 1600, 1200)).composite([
      { input: await page.toBuffer(), top: 300, left: 400 },
    ]);
    expect(await areBothPrinted(await laid.jpeg({ quality: 90 }).toBuffer(), first)).toEqual([false]);
  });

  test("tells in which blocks it shows nothing, whatever coding leaves there in the query", async () => {
    const written = form(2);
    written.fill(30, 668, 900, 20, INK);
    const { query } = await examineQuery(await editPicture(await written.encode(), (image) => image, 40));
    const [finding] = examineCandidates(query, [first], PACKET_KEY);
    const { isAdded, grid, layer } = lookAt(finding!.parts.fine!);
    const places = Array.from(grid.at.keys());
    const rowOf = (place: number): number => Math.floor(place / grid.columns);
    const empty = places.filter((place) => layer.isEmpty[place] === 1);
    const added = places.filter((place) => isAdded[place] === 1);
    expect(empty.length).toBeGreaterThan(0.04 * places.length);
    expect(empty.length).toBeLessThan(0.5 * places.length);
    expect(added.length).toBeGreaterThan(15);
    expect(new Set(added.map(rowOf))).toEqual(new Set([grid.rows - 1]));
  });

  test("is not another page of it", async () => {
    for (const seed of [3, 4, 5]) expect(await lookUp(form(seed), first)).toEqual([]);
  });
});

/** A small drawing in the middle of an empty page. */
function drawing(seed: number): Page {
  const page = new Page();
  for (let y = 260; y < 430; y += 24) page.words(seed, 340, 680, y);
  return page;
}

describe("a drawing on plain ground", () => {
  let first: Candidate;

  beforeAll(async () => {
    first = await registerOriginal(1, await drawing(2).encode());
  });

  test("is found whatever was written on the ground around it", async () => {
    const page = drawing(2);
    for (const y of [40, 75, 110, 145, 180, 215, 480, 515, 550, 585, 620, 655]) {
      page.words(y, 20, WIDTH - 20, y, 170);
    }
    expect(await lookUp(page, first)).toEqual([1]);
  });

  test("is not another drawing", async () => {
    for (const seed of [3, 4, 5]) expect(await lookUp(drawing(seed), first)).toEqual([]);
  });
});
