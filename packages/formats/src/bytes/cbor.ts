import { fromUtf8, joined } from "./encoding.ts";

/** A CBOR value (RFC 8949): maps keep their order and any key; a tag stands beside what it marks. */
export type CborValue =
  | number
  | bigint
  | string
  | boolean
  | null
  | undefined
  | Uint8Array
  | CborTagged
  | CborMap
  | readonly CborValue[];

/** A map, its entries in the order given. */
export class CborMap {
  readonly entries: readonly (readonly [key: CborValue, value: CborValue])[];

  constructor(entries: readonly (readonly [CborValue, CborValue])[]) {
    this.entries = entries;
  }
}

/** A value with a tag in front. */
export class CborTagged {
  readonly tag: number | bigint;
  readonly value: CborValue;

  constructor(tag: number | bigint, value: CborValue) {
    this.tag = tag;
    this.value = value;
  }
}

/**
 * How many items may still be read, those within others and the chunks of a string among them. Reading counts it down.
 */
export interface CborRoom {
  items: number;
}

const MAX_DEPTH = 64;
const MAX_ITEMS = 65_536;
const INDEFINITE = 31;
const BREAK = 0xff;

/**
 * The one CBOR item that `bytes` are. Byte strings are views. Throws a SyntaxError on anything else, on more than 64
 * levels of nesting, on more items than there is room for (65,536 unless told: an item of one byte becomes an object of
 * a hundred), and on simple values without a meaning here.
 */
export function readCbor(bytes: Uint8Array, room: CborRoom = { items: MAX_ITEMS }): CborValue {
  const reader = new Reader(bytes, room);
  const value = reader.item(0);
  if (!reader.atEnd) throw new SyntaxError("bytes after the CBOR item");
  return value;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #room: CborRoom;
  #at = 0;

  constructor(bytes: Uint8Array, room: CborRoom) {
    this.#bytes = bytes;
    this.#room = room;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  item(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw new SyntaxError("CBOR nested too deep");
    this.#countItem();
    const initial = this.#byte();
    const [major, low] = [initial >> 5, initial & 0x1f];
    if (major === 7) return this.#simple(low);
    if (low === INDEFINITE) return this.#indefinite(major, depth);
    const argument = this.#argument(low);
    switch (major) {
      case 0:
        return argument;
      case 1:
        return typeof argument === "bigint" ? -1n - argument : -1 - argument;
      case 2:
        return this.#take(argument);
      case 3:
        return text(this.#take(argument));
      case 4:
        return Array.from({ length: this.#countItems(argument) }, () => this.item(depth + 1));
      case 5:
        return new CborMap(Array.from({ length: this.#countItems(argument) }, () => this.#entry(depth)));
      default:
        return new CborTagged(argument, this.item(depth + 1));
    }
  }

  #entry(depth: number): readonly [CborValue, CborValue] {
    const key = this.item(depth + 1);
    return [key, this.item(depth + 1)];
  }

  #indefinite(major: number, depth: number): CborValue {
    switch (major) {
      case 2:
        return joined(this.#chunks(2));
      case 3:
        return this.#chunks(3).map(text).join("");
      case 4:
        return this.#untilBreak(() => this.item(depth + 1));
      case 5:
        return new CborMap(this.#untilBreak(() => this.#entry(depth)));
      default:
        throw new SyntaxError("a CBOR item of no length");
    }
  }

  /** The chunks of a string of indefinite length: each of its own major type and of definite length. */
  #chunks(major: number): Uint8Array[] {
    return this.#untilBreak(() => {
      this.#countItem();
      const initial = this.#byte();
      if (initial >> 5 !== major || (initial & 0x1f) === INDEFINITE) {
        throw new SyntaxError("not a CBOR chunk");
      }
      return this.#take(this.#argument(initial & 0x1f));
    });
  }

  #untilBreak<T>(read: () => T): T[] {
    const found: T[] = [];
    while (this.#bytes[this.#at] !== BREAK) found.push(read());
    this.#at += 1;
    return found;
  }

  #simple(low: number): CborValue {
    switch (low) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      case 23:
        return undefined;
      case 25:
        return half(this.#view.getUint16(this.#skip(2)));
      case 26:
        return this.#view.getFloat32(this.#skip(4));
      case 27:
        return this.#view.getFloat64(this.#skip(8));
      default:
        throw new SyntaxError("a CBOR simple value without a meaning");
    }
  }

  #argument(low: number): number | bigint {
    if (low < 24) return low;
    if (low === 24) return this.#byte();
    if (low === 25) return this.#view.getUint16(this.#skip(2));
    if (low === 26) return this.#view.getUint32(this.#skip(4));
    if (low !== 27) throw new SyntaxError("not a CBOR argument");
    const wide = this.#view.getBigUint64(this.#skip(8));
    return wide <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(wide) : wide;
  }

  #countItem(): void {
    if (this.#room.items === 0) throw new SyntaxError("too many CBOR items");
    this.#room.items -= 1;
  }

  /** A number of items, for which there must be room. */
  #countItems(argument: number | bigint): number {
    if (argument > this.#room.items) throw new SyntaxError("too many CBOR items");
    return this.#count(argument);
  }

  /**
   * A number of bytes, or of items, each of which takes at least one: a claim beyond what is left is refused at once.
   */
  #count(argument: number | bigint): number {
    if (argument > this.#bytes.length - this.#at) throw new SyntaxError("CBOR cut short");
    return Number(argument);
  }

  #take(length: number | bigint): Uint8Array {
    const start = this.#skip(this.#count(length));
    return this.#bytes.subarray(start, this.#at);
  }

  #byte(): number {
    return this.#view.getUint8(this.#skip(1));
  }

  /** Passes over `length` bytes; answers where they start. */
  #skip(length: number): number {
    const start = this.#at;
    if (length > this.#bytes.length - start) throw new SyntaxError("CBOR cut short");
    this.#at += length;
    return start;
  }
}

function text(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    throw new SyntaxError("CBOR text that is not UTF-8");
  }
}

/** An IEEE 754 half-precision number. */
function half(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
