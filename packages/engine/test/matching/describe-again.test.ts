import { describe, expect, test } from "vitest";
import sharp, { type Sharp } from "sharp";
import { LIMITS } from "../../src/matching/limits.ts";
import { type Finding, examineCandidates } from "../../src/matching/match-query.ts";
import { isClose } from "../../src/matching/decide/odds.ts";
import { NONE_NEAR } from "../../src/matching/compare/point-agreement.ts";
import { pointAt } from "../../src/features/sift/extrema.ts";
import { PACKET_KEY, editPicture, examineQuery, registerOriginal, scene } from "./pictures.ts";

const image = await scene(8101);
const registered = await registerOriginal(1, image);
const { features } = registered.original;
const other = await scene(8102);

/** What a closer look finds of the picture in an edited one. */
async function lookedCloser(query: Uint8Array): Promise<Finding> {
  const { query: asked } = await examineQuery(query);
  return examineCandidates(asked, [registered], PACKET_KEY, undefined, true)[0]!;
}

/** Of the points that are covered, the share that differs by no more bits. */
function shareUpTo({ parts }: Finding, bits: number): number {
  const { covered, distance } = parts.describedAgain!;
  return distance.filter((each, i) => covered[i] === 1 && each <= bits).length / countOf(covered);
}
const countOf = (covered: Uint8Array): number => covered.filter((each) => each === 1).length;

describe("the original's points in the query", () => {
  test("differ by few bits where it is the same picture, whether or not the query has a point there", async () => {
    const found = await lookedCloser(await editPicture(image, (picture) => picture.resize(380), 60));
    const { original } = found.parts.points!;
    expect(countOf(found.parts.describedAgain!.covered)).toBeGreaterThan(0.95 * features.count);
    expect(shareUpTo(found, 30)).toBeGreaterThan(0.97);
    // Found by the query's own points are fewer.
    expect(original.distance.filter((each) => each <= 30).length).toBeLessThan(0.9 * features.count);
  });

  test.each([
    ["mirrored", (picture: Sharp) => picture.flop()],
    ["turned", (picture: Sharp) => picture.rotate(90)],
    ["with light and dark exchanged", (picture: Sharp) => picture.negate({ alpha: false })],
  ])("do so where it is %s", async (_, edit) => {
    expect(shareUpTo(await lookedCloser(await editPicture(image, edit)), 30)).toBeGreaterThan(0.97);
  });

  test("differ by many where something else is", async () => {
    const patch = await sharp(other).extract({ left: 60, top: 60, width: 200, height: 200 }).toBuffer();
    const pasted = await editPicture(image, (picture) =>
      picture.composite([{ input: patch, left: 40, top: 40 }]),
    );
    const { covered, distance } = (await lookedCloser(pasted)).parts.describedAgain!;
    const scale = 512 / features.width;
    // What a descriptor looks at reaches some five sizes around its point.
    const isIn = (i: number, margin: number): boolean =>
      [features.x[i]!, features.y[i]!].every((at) => scale * at > 40 + margin && scale * at < 240 - margin);
    const reach = (i: number): number => 6 * scale * features.size[i]!;
    const known = [...distance.keys()].filter((i) => covered[i] === 1);
    const inside = known.filter((i) => isIn(i, reach(i) / 2));
    const outside = known.filter((i) => !isIn(i, -reach(i)));
    expect(inside.length).toBeGreaterThan(20);
    expect(inside.filter((i) => distance[i]! > 30).length).toBeGreaterThan(0.85 * inside.length);
    expect(outside.filter((i) => distance[i]! > 30).length).toBeLessThan(0.03 * outside.length);
  });

  test("are not covered where a crop leaves them out", async () => {
    const crop = await editPicture(image, (picture) =>
      picture.extract({ left: 0, top: 0, width: 256, height: 360 }),
    );
    const { covered, distance } = (await lookedCloser(crop)).parts.describedAgain!;
    const middle = features.width / 2;
    const all = [...distance.keys()];
    expect(all.filter((i) => covered[i] === 0)).toEqual(all.filter((i) => distance[i] === NONE_NEAR));
    const gone = all.filter((i) => features.x[i]! > middle + 4);
    const left = all.filter((i) => features.x[i]! + 4 * features.size[i]! < middle - 8);
    expect(gone.length).toBeGreaterThan(50);
    expect(left.length).toBeGreaterThan(50);
    expect(gone.filter((i) => covered[i] === 1)).toEqual([]);
    expect(left.filter((i) => covered[i] === 0)).toEqual([]);
  });
});

const placeOf = (i: number): { x: number; y: number; size: number } => ({
  x: features.x[i]!,
  y: features.y[i]!,
  size: features.size[i]!,
});

test("a point is described at the octave, the layer and the place where it was found", () => {
  for (let i = 0; i < features.count; i += 1) {
    const point = pointAt(placeOf(i), 7)!;
    expect([1, 2, 3]).toContain(point.layer);
    expect(point.scale).toBeGreaterThan(1.6 * 2 ** (0.4 / 3));
    expect(point.scale).toBeLessThan(1.6 * 2 ** (3.6 / 3));
    expect(2 ** (point.octave - 1) * point.column - 0.25).toBeCloseTo(features.x[i]!, 4);
  }
  expect(pointAt(placeOf(0), 0)).toBeNull();
});

describe("a closer look", () => {
  test("is taken where a first one leaves it open, and nowhere else", async () => {
    const { query } = await examineQuery(await editPicture(image, (picture) => picture, 50));
    const [clear] = examineCandidates(query, [registered], PACKET_KEY);
    expect(isClose(clear!.evidence.odds)).toBe(false);
    expect(clear!.parts.describedAgain).toBeNull();
    const bar = await sharp({ create: { width: 512, height: 20, channels: 3, background: "#eee" } })
      .png()
      .toBuffer();
    const barred = await editPicture(image, (picture) =>
      picture.composite([10, 130, 250].map((top) => ({ input: bar, left: 0, top }))),
    );
    const [open] = examineCandidates((await examineQuery(barred)).query, [registered], PACKET_KEY);
    expect(open!.parts.describedAgain).not.toBeNull();
    expect(open!.isMatch).toBe(true);
    expect([
      isClose({ part: 0, scene: 9000 }),
      isClose({ part: 8000, scene: 1000 }),
      isClose({ part: 8000, scene: 9000 }),
      isClose({ part: -4000, scene: 1000 }),
    ]).toEqual([true, true, false, false]);
  });

  test("is taken of so many candidates of one look-up", async () => {
    const { query } = await examineQuery(image);
    const candidates = Array.from({ length: LIMITS.pipeline.closerLooks + 3 }, (_, id) => ({
      ...registered,
      id,
    }));
    const findings = examineCandidates(query, candidates, PACKET_KEY, undefined, true);
    expect(findings.length).toBeGreaterThan(LIMITS.pipeline.closerLooks);
    expect(findings.filter(({ parts }) => parts.describedAgain !== null)).toHaveLength(
      LIMITS.pipeline.closerLooks,
    );
  });
});
