import * as fc from "fast-check";
import { expect, test } from "vitest";
import { binarise, invertedIndex, mirroredIndex } from "../../src/features/binarise.ts";
import { hamming } from "../../src/features/hamming.ts";
import { type Variant, VARIANTS, variantBits } from "../../src/matching/rank/variants.ts";

const descriptor = fc.float32Array({ minLength: 128, maxLength: 128, min: 0, max: 0.5, noNaN: true });

const permuted = (values: Float32Array, variant: Variant): Float32Array =>
  values.map((_, i) => {
    const at = variant & 2 ? invertedIndex(i) : i;
    return values[variant & 1 ? mirroredIndex(at) : at]!;
  });

test("the bits of a variant of a descriptor are the variant of its bits", () => {
  fc.assert(
    fc.property(descriptor, fc.constantFrom(...VARIANTS), (values, variant) => {
      const [plain, varied] = [new Uint32Array(4), new Uint32Array(4)];
      binarise(values, plain);
      binarise(permuted(values, variant), varied);
      expect(variantBits(plain, 1, variant)).toEqual(varied);
      expect(variantBits(variantBits(plain, 1, variant), 1, variant)).toEqual(plain);
    }),
  );
});

test("the Hamming distance counts differing bits", () => {
  const bits = fc.uint32Array({ minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(bits, bits, (a, b) => {
      let differing = 0;
      for (let bit = 0; bit < 128; bit += 1) {
        if (((a[4 + (bit >> 5)]! ^ b[bit >> 5]!) >>> (bit & 31)) & 1) differing += 1;
      }
      expect(hamming(a, 1, b, 0)).toBe(differing);
    }),
  );
});
