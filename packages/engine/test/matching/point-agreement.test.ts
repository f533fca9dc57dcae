import { seededRandom } from "@colophon/testing/pictures.ts";
import { describe, expect, test } from "vitest";
import type { Features } from "../../src/features/features.ts";
import { NONE_NEAR, pointAgreement } from "../../src/matching/compare/point-agreement.ts";
import type { ResidualLayer } from "../../src/signature/block-signature.ts";

const WIDTH = 480;
const HEIGHT = 320;
const LAYER: ResidualLayer = {
  kind: { side: 384, step: 12, from: 320 },
  number: 1,
  width: 384,
  height: 256,
  columns: 31,
  bits: new Uint16Array(0),
};
/** Pixels of a luma of 960 x 640 to cells. */
const MAP = Float64Array.of(0.4, 0, -0.3, 0, 0.4, -0.3, 0, 0, 1);
const LUMA = { width: 960, height: 640, data: new Uint8Array(960 * 640) };

const random = seededRandom(3);

/** Points spread over the picture, each with bits of its own. */
function points(count: number): Features {
  const column = (of: () => number): Float32Array => Float32Array.from({ length: count }, of);
  return {
    width: WIDTH,
    height: HEIGHT,
    count,
    x: column(() => 20 + 440 * random()),
    y: column(() => 20 + 280 * random()),
    size: column(() => 6),
    angle: column(() => 0),
    response: column(() => 1),
    bits: Uint32Array.from({ length: 4 * count }, () => Math.floor(2 ** 32 * random())),
  };
}

const ORIGINAL = points(60);

const placed = (query: Features): ReturnType<typeof pointAgreement> =>
  pointAgreement(ORIGINAL, { features: query, luma: LUMA }, query.bits, MAP, LAYER);

describe("points of two pictures", () => {
  test("agree where the alignment puts them", () => {
    const { original, query } = placed(ORIGINAL);
    expect([...original.distance]).toEqual(Array.from(original.distance, () => 0));
    expect([...query.distance]).toEqual(Array.from(query.distance, () => 0));
    expect(query.x[0]).toBeCloseTo(((ORIGINAL.x[0]! + 0.5) * 384) / WIDTH - 0.5, 0);
  });
  test("do not where the other shows something else there", () => {
    const other = points(60);
    const { original } = placed({ ...ORIGINAL, bits: other.bits });
    expect(original.distance.filter((distance) => distance < 36)).toHaveLength(0);
  });
  test("nor where they are of another size, or at another place", () => {
    const larger = placed({ ...ORIGINAL, size: ORIGINAL.size.map((size) => 2 * size) });
    expect(larger.original.distance.every((distance) => distance > 0)).toBe(true);
    const moved = placed({ ...ORIGINAL, x: ORIGINAL.x.map((x) => x + 14) });
    expect(moved.original.distance.every((distance) => distance > 0)).toBe(true);
  });
  test("are not covered beyond the other's edge", () => {
    const half = pointAgreement(
      ORIGINAL,
      { features: ORIGINAL, luma: LUMA },
      ORIGINAL.bits,
      Float64Array.of(0.4, 0, 191.7, 0, 0.4, -0.3, 0, 0, 1),
      LAYER,
    );
    expect(half.original.covered.filter((each) => each === 1).length).toBe(
      ORIGINAL.x.filter((x) => (x + 0.5) * 0.8 - 0.5 > 191.7).length,
    );
    expect(half.query.distance.filter((distance) => distance === NONE_NEAR).length).toBeGreaterThan(20);
  });
});
