import type { Numbers } from "./coded-picture.ts";
import { tooCostly } from "./declined.ts";
import { ExifFields } from "./exif.ts";

const EXIF = "Exif";
/** Before the mark of EXIF in an item of it stands an offset (ISO/IEC 23008-12, A.2.1). */
const OFFSET = 4;
/** The construction method of items whose bytes are in the box of data, not at places of the file. */
const IN_DATA_BOX = 1;

/** The list of an item's pieces: where it begins, and the bytes of an entry, of the place and of the length in it. */
interface Extents {
  readonly at: number;
  readonly count: number;
  readonly step: number;
  readonly place: number;
  readonly length: number;
}

/**
 * The EXIF of an AVIF file, found by the boxes that list its items and say where their bytes are (ISO/IEC 14496-12,
 * 8.11).
 */
export class AvifExif {
  readonly #bytes: Uint8Array;
  readonly #numbers: Numbers;
  readonly #items = new Set<number>();
  readonly #locations: { readonly at: number; readonly end: number }[] = [];
  readonly #dataBoxes: number[] = [];
  #taken = 0;

  constructor(bytes: Uint8Array, numbers: Numbers) {
    this.#bytes = bytes;
    this.#numbers = numbers;
  }

  /** Takes note of a box. @param at where its contents begin */
  visit(tag: string, at: number, end: number): void {
    if (tag === "iloc") this.#locations.push({ at, end });
    if (tag === "idat") this.#dataBoxes.push(at);
    if (tag !== "infe") return;
    // From version 3 on an item's number has four bytes.
    const idBytes = this.#numbers.u8(at) < 3 ? 2 : 4;
    if (this.#numbers.tag(at + 6 + idBytes) === EXIF) this.#items.add(this.#number(at + 4, idBytes));
  }

  /** How many fields a reader goes through; of items that nothing refers to, too. */
  countFields(): number {
    const fields = new ExifFields();
    for (const { at, end } of this.#locations) {
      for (const item of this.#located(at, end)) fields.add(item.subarray(OFFSET));
    }
    return fields.count;
  }

  /** The items of EXIF that a box locates. */
  *#located(box: number, end: number): Iterable<Uint8Array> {
    const version = this.#numbers.u8(box);
    const sizes = this.#numbers.u16(box + 4);
    const [place, length, base] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
    const index = version === 0 ? 0 : sizes & 15;
    const idBytes = version < 2 ? 2 : 4;
    for (let at = box + 6 + idBytes; at < end; ) {
      const id = this.#number(at, idBytes);
      at += idBytes;
      const method = version === 0 ? 0 : this.#numbers.u16(at) & 15;
      at += version === 0 ? 2 : 4;
      const from = this.#number(at, base);
      const count = this.#numbers.u16(at + base);
      at += base + 2;
      const extents = { at: at + index, count, step: index + place + length, place, length };
      at += extents.step * count;
      if (!this.#items.has(id)) continue;
      const origins = method === IN_DATA_BOX ? this.#dataBoxes : [0];
      for (const origin of origins) yield this.#joined(origin + from, extents);
    }
  }

  /**
   * The bytes of an item; an extent without a length goes on to the end of the file.
   * @throws ImageDeclined when items repeat parts of the file
   */
  #joined(from: number, { at, count, step, place, length }: Extents): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let i = 0; i < count; i += 1) {
      const start = from + this.#number(at + i * step, place);
      const size = this.#number(at + i * step + place, length);
      const part = this.#bytes.subarray(start, size === 0 ? undefined : start + size);
      this.#taken += part.length;
      if (this.#taken > this.#bytes.length) throw tooCostly();
      parts.push(part);
      if (size === 0) break;
    }
    return Buffer.concat(parts);
  }

  /** @param size bytes: 0, 2, 4 or 8 */
  #number(at: number, size: number): number {
    if (size === 8) return 2 ** 32 * this.#numbers.u32(at) + this.#numbers.u32(at + 4);
    if (size === 4) return this.#numbers.u32(at);
    return size === 2 ? this.#numbers.u16(at) : 0;
  }
}
