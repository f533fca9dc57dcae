/**
 * What a file's headers say about the cost of decoding it. Every member is an upper bound: a decoder that finds less in
 * the file than was announced fails earlier.
 */
export interface CodedPicture {
  readonly width: number;
  readonly height: number;
  /** Bytes the codec itself holds at once: coefficients, whole frames, tiles. */
  readonly codecBytes: number;
  /** How often the codec passes over each of its blocks or pixels, on average. */
  readonly passes: number;
  /** Frames, pages or segments that the codec lists before it decodes the first picture. */
  readonly entries: number;
  /** Fields of EXIF that are read before the first picture. */
  readonly exifFields: number;
}

/** Big- or little-endian numbers of a file; what lies past its end reads as zero, which no header accepts. */
export class Numbers {
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(bytes: Uint8Array, little: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = little;
  }

  get length(): number {
    return this.#view.byteLength;
  }

  u8(at: number): number {
    return at < this.length ? this.#view.getUint8(at) : 0;
  }

  u16(at: number): number {
    return at + 2 <= this.length ? this.#view.getUint16(at, this.#little) : 0;
  }

  u24(at: number): number {
    return this.#little ? this.u16(at) + 65_536 * this.u8(at + 2) : 256 * this.u16(at) + this.u8(at + 2);
  }

  u32(at: number): number {
    return at + 4 <= this.length ? this.#view.getUint32(at, this.#little) : 0;
  }

  /** Four ASCII characters. */
  tag(at: number): string {
    return String.fromCharCode(this.u8(at), this.u8(at + 1), this.u8(at + 2), this.u8(at + 3));
  }
}
