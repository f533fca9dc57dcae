import { describe, expect, test } from "vitest";
import { lensStrength, straightenFeatures, straightenLuma } from "../../src/matching/place/lens.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Features } from "../../src/features/features.ts";

const WIDTH = 640;
const HEIGHT = 420;
const random = seededRandom(3);
const POINTS = 200;
const x = Float32Array.from({ length: POINTS }, () => random() * (WIDTH - 1));
const y = Float32Array.from({ length: POINTS }, () => random() * (HEIGHT - 1));

function featuresAt(xs: Float32Array, ys: Float32Array): Features {
  const column = new Float32Array(POINTS);
  return {
    width: WIDTH,
    height: HEIGHT,
    count: POINTS,
    x: xs,
    y: ys,
    size: column,
    angle: column,
    response: column,
    bits: new Uint32Array(4 * POINTS),
  };
}

/** The points as pairs with where a straightened query, turned and shrunk, would have them; `slip` pixels beside it. */
function pairs(strength: number, slip: number) {
  const straight = straightenFeatures(featuresAt(x, y), strength);
  const beside = (): number => (random() - 0.5) * slip;
  return {
    count: POINTS,
    px: Float64Array.from(x),
    py: Float64Array.from(y),
    qx: Float64Array.from(straight.x, (at, k) => 0.5 * at - 0.2 * straight.y[k]! + 30 + beside()),
    qy: Float64Array.from(straight.y, (at, k) => 0.5 * at + 0.2 * straight.x[k]! + beside()),
  };
}

describe("the distortion of a lens", () => {
  test.each([-0.3, -0.05, 0.02, 0.17])("of strength %f is found from points", (strength) => {
    const found = lensStrength(pairs(strength, 0.3), { width: WIDTH, height: HEIGHT });
    expect(Math.abs((found ?? 0) - strength)).toBeLessThan(0.009);
  });

  test("is not found where points slip at random, or lie straight", () => {
    expect(lensStrength(pairs(0, 0.5), { width: WIDTH, height: HEIGHT })).toBeNull();
    expect(lensStrength(pairs(0.02, 12), { width: WIDTH, height: HEIGHT })).toBeNull();
  });

  test.each([-0.25, -0.02, 0, 0.1])("of strength %f is taken out of picture and points alike", (strength) => {
    const data = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) =>
      Math.round(120 + 60 * Math.sin((at % WIDTH) / 9) + 60 * Math.cos(Math.floor(at / WIDTH) / 7)),
    );
    const straight = straightenLuma({ width: WIDTH, height: HEIGHT, data }, strength);
    const places = straightenFeatures(featuresAt(x.map(Math.round), y.map(Math.round)), strength);
    let compared = 0;
    for (let k = 0; k < POINTS; k += 1) {
      const [u, v] = [Math.round(places.x[k]!), Math.round(places.y[k]!)];
      if (u < 1 || v < 1 || u >= WIDTH - 1 || v >= HEIGHT - 1) continue;
      const before = data[Math.round(y[k]!) * WIDTH + Math.round(x[k]!)]!;
      expect(Math.abs(straight.data[v * WIDTH + u]! - before)).toBeLessThan(16);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(POINTS / 2);
  });
});
