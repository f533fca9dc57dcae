import { BITS_STRIDE } from "../binarise.ts";
import { integersAt, kernels, Room, roomFor, wordsAt } from "./kernel-memory.ts";

/** Numbers that `nearestTwo` gives for each descriptor. */
export const NEAREST_STRIDE = 3;

/**
 * For each binary descriptor of `bits` three numbers: which descriptor of `others` is nearest (of equally near ones the
 * first; -1 without any), its Hamming distance, and that of the second nearest; 129 where there is none.
 */
export function nearestTwo(bits: Uint32Array, others: Uint32Array): Int32Array {
  const [count, otherCount] = [bits.length / BITS_STRIDE, others.length / BITS_STRIDE];
  const length = NEAREST_STRIDE * count;
  using room = new Room(roomFor(bits.byteLength) + roomFor(others.byteLength) + roomFor(4 * length));
  const [own, from, target] = [
    room.take(bits.byteLength),
    room.take(others.byteLength),
    room.take(4 * length),
  ];
  wordsAt(own, bits.length).set(bits);
  wordsAt(from, others.length).set(others);
  kernels.nearestTwo(own, count, from, otherCount, target);
  return integersAt(target, length).slice();
}
