import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { type Polygon, areaOf } from "../../src/geometry/polygon.ts";
import { unionArea } from "../../src/geometry/union-area.ts";
import type { Candidate } from "../../src/matching/rank/rank-candidates.ts";
import { overlapOf, postureAt, shownAt } from "../../src/matching/locate/place.ts";
import { type Match, matchQuery } from "../../src/matching/match-query.ts";
import { examineQuery, bendPicture, editPicture, PACKET_KEY, registerOriginal, scene } from "./pictures.ts";

const WIDTH = 512;
const HEIGHT = 360;

let original: Candidate;
let picture: Uint8Array;

beforeAll(async () => {
  picture = await scene(11);
  original = await registerOriginal(11, picture);
});

async function located(image: Uint8Array, candidate: Candidate = original): Promise<Match> {
  const [match] = matchQuery((await examineQuery(image)).query, [candidate], PACKET_KEY);
  if (match === undefined) throw new Error("The original is not found.");
  return match;
}

/** The corners in pixels of a picture, compared to a pixel and a half of a picture of 512. */
function expectCorners(polygon: Polygon, [width, height]: readonly [number, number], corners: Polygon): void {
  expect(polygon).toHaveLength(corners.length);
  for (const [k, [x, y]] of polygon.entries()) {
    expect(Math.hypot(x * width - corners[k]![0], y * height - corners[k]![1])).toBeLessThan(1.5);
  }
}

const box = (left: number, top: number, width: number, height: number): Polygon => [
  [left, top],
  [left + width, top],
  [left + width, top + height],
  [left, top + height],
];

describe("where an original lies", () => {
  test("a crop shows a part of it all over", async () => {
    const crop = { left: 100, top: 60, width: 300, height: 220 };
    const { place, shown } = await located(await editPicture(picture, (image) => image.extract(crop)));
    expectCorners(overlapOf(place).region, [300, 220], box(0, 0, 300, 220));
    expectCorners(overlapOf(place).part, [WIDTH, HEIGHT], box(100, 60, 300, 220));
    expect(place).toMatchObject({ lens: null, isInverted: false, isWhole: false });
    expect(unionArea(shown)).toBeGreaterThan(0.98);
  });

  test("a paste shows all of it, scaled", async () => {
    const small = await sharp(picture).resize(384, 270).toBuffer();
    const page = sharp({ create: { width: 640, height: 480, channels: 3, background: "#335577" } });
    const pasted = await page
      .composite([{ input: small, left: 130, top: 90 }])
      .jpeg({ quality: 90 })
      .toBuffer();
    const { place, shown } = await located(new Uint8Array(pasted));
    expectCorners(overlapOf(place).region, [640, 480], box(130, 90, 384, 270));
    expectCorners(overlapOf(place).part, [WIDTH, HEIGHT], box(0, 0, WIDTH, HEIGHT));
    const sizes = [
      { width: WIDTH, height: HEIGHT },
      { width: 640, height: 480 },
    ] as const;
    const { isMirrored, turned, scale } = postureAt(place, ...sizes, [0.5, 0.5]);
    expect(isMirrored).toBe(false);
    expect(Math.abs(turned)).toBeLessThan(0.5);
    expect(scale).toBeCloseTo(0.75, 2);
    expect(unionArea(shown)).toBeCloseTo((384 * 270) / (640 * 480), 2);
  });

  test.each([
    ["turned a quarter", (image: Sharp) => image.rotate(90), false, 90],
    ["upside down", (image: Sharp) => image.rotate(180), false, 180],
    ["mirrored", (image: Sharp) => image.flop(), true, 0],
    ["mirrored and turned", (image: Sharp) => image.flop().rotate(90), true, 90],
    ["turned by seven degrees", (image: Sharp) => image.rotate(7), false, 7],
  ])("%s", async (_, edit, mirrored, degrees) => {
    const image = new Uint8Array(
      await sharp(await edit(sharp(picture)).png().toBuffer())
        .jpeg()
        .toBuffer(),
    );
    const { width, height } = await sharp(image).metadata();
    const { place } = await located(image);
    const { isMirrored, turned, scale } = postureAt(
      place,
      { width: WIDTH, height: HEIGHT },
      { width, height },
      [0.5, 0.5],
    );
    expect(isMirrored).toBe(mirrored);
    expect(Math.abs(((turned - degrees + 540) % 360) - 180)).toBeLessThan(0.5);
    expect(scale).toBeCloseTo(1, 1);
  });

  test("the same picture, inverted, is it from edge to edge", async () => {
    const { place, shown } = await located(
      await editPicture(picture, (image) => image.negate({ alpha: false })),
    );
    expect(place).toMatchObject({ isInverted: true, isWhole: true });
    expect(unionArea(shown)).toBe(1);
  });

  test("the same picture saved again, mirrored and turned lies on all of it, to the pixel", async () => {
    const saved = await editPicture(picture, (image) => image.flop().rotate(90), 60);
    const { place } = await located(saved);
    expect([...place.map]).toEqual([0, -1, 1, -1, 0, 1, 0, 0, 1]);
    expect(overlapOf(place).region.map((corner) => [...corner])).toEqual([
      [1, 1],
      [1, 0],
      [0, 0],
      [0, 1],
    ]);
  });

  test("what lacks a hundredth of an edge does not", async () => {
    const cut = { left: 0, top: 0, width: Math.round(0.99 * WIDTH), height: HEIGHT };
    const { place } = await located(await editPicture(picture, (image) => image.extract(cut)));
    expect(place.map[0]! / place.map[8]!).toBeCloseTo(1 / 0.99, 2);
  });

  test("through a lens, where the query shows it bent", async () => {
    const image = await bendPicture(await scene(12, 640, 480), 0.07);
    const { place } = await located(image, await registerOriginal(12, await scene(12, 640, 480)));
    expect(place.lens).not.toBeNull();
    // The middle of a side of the original lies nearer to the middle of the query than its corners do to the query's.
    const [x, y] = shownAt(place, box(0.25, 0.25, 0.5, 0.5))[0]!;
    const [u, v] = overlapOf(place).part[0]!;
    expect(Math.abs(x - 0.25) + Math.abs(y - 0.25)).toBeLessThan(0.03);
    expect(Math.min(u, v)).toBeGreaterThan(-0.02);
    expect(areaOf(overlapOf(place).region)).toBeGreaterThan(0.8);
  });
});

/** A patterned square of `side` on a white page of 1,000 x 680. */
async function onPage(side: number): Promise<{ readonly page: Uint8Array; readonly square: Buffer }> {
  const checks = Uint8Array.from({ length: 24 * 24 }, (_, k) => (Math.imul(k + 5, 0x9e3779b1) >>> 31) * 255);
  const square = await sharp(checks, { raw: { width: 24, height: 24, channels: 1 } })
    .resize(side, side, { kernel: "nearest" })
    .toColourspace("srgb")
    .png()
    .toBuffer();
  const ground = sharp({ create: { width: 1_000, height: 680, channels: 3, background: "#ffffff" } });
  return {
    page: await ground
      .composite([{ input: square, left: 700, top: 400 }])
      .png()
      .toBuffer(),
    square,
  };
}

describe("what a query shows of an original whose ground is not its own", () => {
  test("is the content alone where the query shows something else around it", async () => {
    const { page, square } = await onPage(240);
    const photograph = await scene(15, 1_000, 680);
    const carrying = await editPicture(photograph, (image) =>
      image.composite([{ input: square, left: 700, top: 400 }]),
    );
    const { shown, place } = await located(carrying, await registerOriginal(1, page));
    expect(place.isWhole).toBe(false);
    expect(unionArea(shown)).toBeGreaterThan(0.05);
    expect(unionArea(shown)).toBeLessThan(0.11);
  });

  test("is all of it where the query is the page itself", async () => {
    const { page } = await onPage(240);
    const { shown, place } = await located(
      await editPicture(page, (image) => image, 70),
      await registerOriginal(1, page),
    );
    expect(place.isWhole).toBe(true);
    expect(unionArea(shown)).toBe(1);
  });
});
