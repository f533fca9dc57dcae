import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaWeights, sampleLinear } from "../../src/image/resample.ts";

describe("resampling", () => {
  it("covers every sample once, whichever way cells end", () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }));
    fc.assert(
      fc.property(sizes, fc.constantFrom("from-start", "multiples"), ([a, b], ends) => {
        const [from, to] = [Math.max(a, b), Math.min(a, b)];
        const { first, length, taps, weights } = areaWeights(from, to, ends);
        const covered = new Float64Array(from);
        for (let cell = 0; cell < to; cell += 1) {
          for (let tap = 0; tap < length[cell]!; tap += 1) {
            covered[first[cell]! + tap]! += weights[cell * taps + tap]!;
          }
        }
        for (const share of covered) expect(share).toBeCloseTo(to / from, 9);
      }),
    );
  });

  it("holds edges, of the smallest rasters too", () => {
    const one = { width: 1, height: 1, data: Uint8Array.of(7) };
    for (const at of [-5, 0, 0.5, 9]) expect(sampleLinear(one, at, at)).toBeCloseTo(7, 12);
    const row = { width: 2, height: 1, data: Uint8Array.of(10, 20) };
    expect([-1, 0, 0.25, 1, 2].map((x) => sampleLinear(row, x, 0))).toEqual([10, 10, 12.5, 20, 20]);
  });
});
