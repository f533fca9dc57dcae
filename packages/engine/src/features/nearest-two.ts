import { BITS_STRIDE } from "./binarise.ts";
import { Arena, integersAt, wordsAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";

/** Numbers that `nearestTwo` gives for each descriptor. */
export const NEAREST_STRIDE = 3;

/** Others that the kernel compares at a time, and the bytes it needs for them. */
const BLOCK = 128;
const BLOCK_BYTES = 2048;

/**
 * For each binary descriptor of `bits` three numbers: which descriptor of `others` is nearest (of equally near ones the
 * first), its Hamming distance, and that of the second nearest. What is not nearer than `far` (1 to 128) counts as
 * absent: -1, and `far` for its distance.
 */
export function nearestTwo(bits: Uint32Array, others: Uint32Array, far: number): Int32Array {
  const [count, otherCount] = [bits.length / BITS_STRIDE, others.length / BITS_STRIDE];
  const length = NEAREST_STRIDE * count;
  using arena = new Arena({
    own: bits.byteLength,
    from: others.byteLength,
    planes: BLOCK_BYTES * Math.ceil(otherCount / BLOCK),
    target: 4 * length,
  });
  const { own, from, planes, target } = arena.at;
  wordsAt(own, bits.length).set(bits);
  wordsAt(from, others.length).set(others);
  kernels.nearestTwo(own, count, from, otherCount, far, planes, target);
  return integersAt(target, length).slice();
}
