import { Numbers } from "./coded-picture.ts";

/**
 * Fields a file may have; cameras write some hundreds. These take libexif a tenth of a second; more are not told apart.
 */
export const MOST_EXIF_FIELDS = 100_000;

/** Before the directories of EXIF in a file (CIPA DC-008, 4.7.2). */
const MARK: readonly number[] = [0x45, 0x78, 0x69, 0x66, 0, 0];
const LITTLE = 0x49;
const BIG = 0x4d;
const FIRST_DIRECTORY = 4;
const FIELD = 12;
/** Fields that point to a directory: EXIF, GPS, interoperability. */
const POINTERS: ReadonlySet<number> = new Set([0x8769, 0x8825, 0xa005]);
/** libexif follows no pointer past this depth, to which each directory adds the logarithm of its length. */
const DEEPEST = 170;
const DEPTH_BASE = Math.log(1.1);

/**
 * Counts the fields that libexif goes through in the blocks of EXIF of a file, before its picture is decoded: a
 * directory's as often as one points to it, so that a block of 64 KB is good for thirty million.
 */
export class ExifFields {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts those of a block, behind its mark or without one. */
  add(block: Uint8Array): void {
    if (this.#isFull) return;
    const isMarked = MARK.every((byte, at) => block[at] === byte);
    this.#walk(isMarked ? block.subarray(MARK.length) : block);
  }

  get #isFull(): boolean {
    return this.#count > MOST_EXIF_FIELDS;
  }

  /** @param tiff directories by their offsets from its start */
  #walk(tiff: Uint8Array): void {
    this.#count += 1;
    const [order] = tiff;
    if (order !== LITTLE && order !== BIG) return;
    const numbers = new Numbers(tiff, order === LITTLE);
    const first = numbers.u32(FIRST_DIRECTORY);
    const second = numbers.u32(first + 2 + FIELD * lengthOf(numbers, first));
    const directories = [first, second].map((at) => ({ at, depth: 0 }));
    for (let next = directories.pop(); next !== undefined && !this.#isFull; next = directories.pop()) {
      const { at } = next;
      const length = lengthOf(numbers, at);
      this.#count += 1 + length;
      const depth = next.depth + Math.ceil(Math.log(length + 0.1) / DEPTH_BASE);
      if (depth > DEEPEST) continue;
      for (let field = at + 2; field < at + 2 + FIELD * length; field += FIELD) {
        if (POINTERS.has(numbers.u16(field))) directories.push({ at: numbers.u32(field + 8), depth });
      }
    }
  }
}

/** Fields of a directory, no more than there is room for. */
function lengthOf(numbers: Numbers, at: number): number {
  return Math.max(0, Math.min(numbers.u16(at), Math.floor((numbers.length - at - 2) / FIELD)));
}
