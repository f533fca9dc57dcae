import * as fc from "fast-check";
import { expect, it } from "vitest";
import { BITS_STRIDE } from "../../src/features/binarise.ts";
import { countNear, hamming } from "../../src/features/hamming.ts";
import { nearestTwo } from "../../src/features/nearest-two.ts";

function expected(bits: Uint32Array, others: Uint32Array, far: number): number[] {
  const answers: number[] = [];
  for (let i = 0; i < bits.length / BITS_STRIDE; i += 1) {
    const distances = Array.from({ length: others.length / BITS_STRIDE }, (_, k) =>
      hamming(bits, i, others, k),
    );
    const [nearest = far, second = far] = distances.filter((one) => one < far).toSorted((a, b) => a - b);
    answers.push(nearest === far ? -1 : distances.indexOf(nearest), nearest, second);
  }
  return answers;
}

/** Descriptors of few different bits, so that equal distances are frequent. */
const descriptors = (most: number): fc.Arbitrary<Uint32Array> =>
  fc.nat(most).chain((count) =>
    fc
      .array(fc.oneof(fc.constantFrom(0, 1, 3, 0xffffffff), fc.nat(0xffffffff)), {
        minLength: BITS_STRIDE * count,
        maxLength: BITS_STRIDE * count,
      })
      .map((words) => Uint32Array.from(words)),
  );

it("finds the nearest and the second nearest as counting bit by bit does", () => {
  const far = fc.constantFrom(1, 37, 64, 128);
  fc.assert(
    fc.property(descriptors(6), descriptors(300), far, (bits, others, limit) => {
      expect([...nearestTwo(bits, others, limit)]).toEqual(expected(bits, others, limit));
    }),
  );
});

it("counts descriptors that are near one as counting bit by bit does, and no further than is asked", () => {
  fc.assert(
    fc.property(descriptors(300), fc.constantFrom(0, 20, 64), fc.constantFrom(1, 4), (all, bits, enough) => {
      const count = all.length / BITS_STRIDE;
      for (let i = 0; i < Math.min(count, 6); i += 1) {
        const near = Array.from({ length: count }, (_, k) => hamming(all, i, all, k)).filter(
          (distance) => distance <= bits,
        );
        expect(countNear(all, i, { others: all, count, bits, enough })).toBe(Math.min(near.length, enough));
      }
    }),
  );
});
