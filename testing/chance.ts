import type { Random } from "./pictures.ts";

/** One of `items`. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from.");
  return item;
}

/** True with this probability. */
export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

/** `length` random bytes. */
export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

/** A copy with up to `count` bytes overwritten at random. */
export function flipped(random: Random, bytes: Buffer, count: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let flip = 0; flip < count && copy.length > 0; flip += 1) {
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  }
  return copy;
}
