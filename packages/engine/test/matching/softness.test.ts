import { describe, expect, test } from "vitest";
import { blur } from "../../src/image/blur.ts";
import { softenLuma } from "../../src/image/soften.ts";
import type { Features } from "../../src/features/features.ts";
import type { Alignment } from "../../src/matching/compare/alignment.ts";
import { describeAgain } from "../../src/matching/compare/describe-again.ts";
import { layOn } from "../../src/matching/compare/laid-query.ts";
import { QueryPlanes } from "../../src/matching/compare/query-planes.ts";
import { softnessOf } from "../../src/matching/compare/softness.ts";
import { examineCandidates } from "../../src/matching/match-query.ts";
import type { Query } from "../../src/packet/query.ts";
import { PACKET_KEY, editPicture, examineQuery, registerOriginal, scene } from "./pictures.ts";

const WIDTH = 960;
const image = await scene(8301, WIDTH, 640);
const other = await scene(8302, WIDTH, 640);
const blurred = (picture: Uint8Array, sigma: number): Promise<Uint8Array> =>
  editPicture(picture, (each) => (sigma === 0 ? each : each.blur(sigma)), 95);

/** How much softer an original is than a query that lies on it so. */
function softnessIn(original: Features, alignment: Alignment, { luma, quantisation }: Query): number {
  const planes = new QueryPlanes(luma, quantisation);
  using laid = layOn(original, alignment, planes, false)!;
  const again = describeAgain(original, laid);
  return softnessOf(original, again, alignment, planes, false);
}

/** How much softer the one that is registered shows than what is asked with, in pixels of the latter. */
async function softness(registered: Uint8Array, asked: Uint8Array): Promise<number> {
  const candidate = await registerOriginal(1, registered);
  const { query } = await examineQuery(asked);
  const [found] = examineCandidates(query, [candidate], PACKET_KEY);
  return softnessIn(candidate.original.features, found!.parts.fine!, query);
}

describe("how much softer an original is than a query", () => {
  test.each([3, 4, 5])("is told where it was blurred by %i pixels", async (sigma) => {
    const found = await softness(await blurred(image, sigma), image);
    expect(found).toBeGreaterThan(0.6 * sigma);
    expect(found).toBeLessThan(1.3 * sigma);
  });

  test("is told in pixels of the query, whatever its size, mirrored and turned", async () => {
    const soft = await blurred(image, 4);
    const small = await editPicture(image, (picture) =>
      picture
        .resize(WIDTH / 2)
        .flop()
        .rotate(90),
    );
    const found = await softness(soft, small);
    expect(found).toBeGreaterThan(0.6 * 2);
    expect(found).toBeLessThan(1.3 * 2);
  });

  test("is nothing where both are as sharp, or the query is the softer one", async () => {
    expect(await softness(image, await editPicture(image, (picture) => picture, 60))).toBe(0);
    expect(await softness(image, await blurred(image, 4))).toBe(0);
    expect(await softness(await blurred(image, 4), await blurred(image, 4))).toBe(0);
  });

  test("is nothing where too little is the same to tell", async () => {
    const candidate = await registerOriginal(1, await blurred(image, 4));
    const { query } = await examineQuery(image);
    const [found] = examineCandidates(query, [candidate], PACKET_KEY);
    const stranger = (await examineQuery(other)).query;
    expect(softnessIn(candidate.original.features, found!.parts.fine!, stranger)).toBe(0);
  });
});

describe("a softened picture", () => {
  test.each([3, 7])("is blurred by %i pixels, at its own size", async (sigma) => {
    const { luma } = (await examineQuery(image)).query;
    const { width, height, data } = softenLuma(luma, sigma);
    expect([width, height]).toEqual([luma.width, luma.height]);
    const exact = blur({ ...luma, data: Float32Array.from(luma.data) }, sigma);
    const off = data.map((value, at) => Math.abs(value - exact.data[at]!)).toSorted();
    expect(off[Math.floor(0.99 * off.length)]).toBeLessThanOrEqual(2);
  });
});
