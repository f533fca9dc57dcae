import * as fc from "fast-check";
import { expect, test } from "vitest";
import { binarise, invertedIndex, mirroredIndex } from "../../src/binarise.ts";
import { hamming } from "../../src/matching/hamming.ts";
import { type Pose, POSES, poseBits } from "../../src/matching/pose.ts";

const descriptor = fc.float32Array({ minLength: 128, maxLength: 128, min: 0, max: 0.5, noNaN: true });

const permuted = (values: Float32Array, pose: Pose): Float32Array =>
  values.map((_, i) => {
    const at = pose & 2 ? invertedIndex(i) : i;
    return values[pose & 1 ? mirroredIndex(at) : at]!;
  });

test("the bits of a posed descriptor are its bits, posed", () => {
  fc.assert(
    fc.property(descriptor, fc.constantFrom(...POSES), (values, pose) => {
      const [plain, posed] = [new Uint32Array(4), new Uint32Array(4)];
      binarise(values, plain);
      binarise(permuted(values, pose), posed);
      expect(poseBits(plain, 1, pose)).toEqual(posed);
      expect(poseBits(poseBits(plain, 1, pose), 1, pose)).toEqual(plain);
    }),
  );
});

test("the Hamming distance counts differing bits", () => {
  const bits = fc.uint32Array({ minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(bits, bits, (a, b) => {
      let differing = 0;
      for (let bit = 0; bit < 128; bit += 1)
        if (((a[4 + (bit >> 5)]! ^ b[bit >> 5]!) >>> (bit & 31)) & 1) differing += 1;
      expect(hamming(a, 1, b, 0)).toBe(differing);
    }),
  );
});
