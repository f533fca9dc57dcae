import { cosineTerms, type Luma, WHOLE_SIGNATURE_BYTES, wholeWords } from "@colophon/engine/lab";

/** Terms along each side. */
export const WHOLE_TERMS = 16;
const TERMS = WHOLE_TERMS * WHOLE_TERMS;
/** Bytes before the signs in a whole-picture signature. */
const SIGNS_AT = 1;
/** Pixels that `cosineTerms` sums over. */
const SUMMED = 64 * 64;

/** The lowest cosine terms of rasters of one size, as means over their pixels. */
export class CosineBasis {
  readonly #across: Float64Array;
  readonly #down: Float64Array;
  readonly #width: number;
  readonly #height: number;
  readonly #rows: Float64Array;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#across = cosines(width);
    this.#down = cosines(height);
    this.#rows = new Float64Array(height * WHOLE_TERMS);
  }

  forward(picture: Float64Array, terms: Float64Array): void {
    const rows = this.#rows.fill(0);
    for (let y = 0; y < this.#height; y += 1) {
      for (let u = 0; u < WHOLE_TERMS; u += 1) {
        let sum = 0;
        for (let x = 0; x < this.#width; x += 1) {
          sum += this.#across[u * this.#width + x]! * picture[y * this.#width + x]!;
        }
        rows[y * WHOLE_TERMS + u] = sum;
      }
    }
    const pixels = this.#width * this.#height;
    for (let v = 0; v < WHOLE_TERMS; v += 1) {
      for (let u = 0; u < WHOLE_TERMS; u += 1) {
        let sum = 0;
        for (let y = 0; y < this.#height; y += 1) {
          sum += this.#down[v * this.#height + y]! * rows[y * WHOLE_TERMS + u]!;
        }
        terms[v * WHOLE_TERMS + u] = sum / pixels;
      }
    }
  }

  /** Adds the transpose of `forward`. */
  backward(terms: Float64Array, into: Float64Array): void {
    const rows = this.#rows.fill(0);
    const pixels = this.#width * this.#height;
    for (let y = 0; y < this.#height; y += 1) {
      for (let v = 0; v < WHOLE_TERMS; v += 1) {
        const factor = this.#down[v * this.#height + y]! / pixels;
        for (let u = 0; u < WHOLE_TERMS; u += 1) {
          rows[y * WHOLE_TERMS + u]! += factor * terms[v * WHOLE_TERMS + u]!;
        }
      }
    }
    for (let y = 0; y < this.#height; y += 1) {
      for (let u = 0; u < WHOLE_TERMS; u += 1) {
        const factor = rows[y * WHOLE_TERMS + u]!;
        for (let x = 0; x < this.#width; x += 1) {
          into[y * this.#width + x]! += factor * this.#across[u * this.#width + x]!;
        }
      }
    }
  }
}

function cosines(length: number): Float64Array {
  return Float64Array.from({ length: WHOLE_TERMS * length }, (_, k) =>
    Math.cos((Math.PI * Math.floor(k / length) * (2 * (k % length) + 1)) / (2 * length)),
  );
}

/** Signs of the cosine terms, 1 or -1; 0 where nothing is known. */
export type Signs = Int8Array;

/** The signs that a packet keeps. */
export function packetSigns(signature: Uint8Array): Signs {
  return Int8Array.from({ length: TERMS }, (_, k) =>
    k === 0 ? 0 : (signature[SIGNS_AT + (k >> 3)]! >> (k & 7)) & 1 ? 1 : -1,
  );
}

/** The signs that the index keeps, unsealed, of an original with few points: its words tell them bit by bit. */
export function indexSigns(signature: Uint8Array): Signs {
  const none = wholeWords(new Uint8Array(WHOLE_SIGNATURE_BYTES), 0);
  const filed = wholeWords(signature, 0);
  return Int8Array.from({ length: TERMS }, (_, k) => {
    const one = new Uint8Array(WHOLE_SIGNATURE_BYTES);
    one[SIGNS_AT + (k >> 3)] = 1 << (k & 7);
    const words = wholeWords(one, 0);
    const told = words.findIndex((word, band) => word !== none[band]);
    if (told === -1) return 0;
    const bit = words[told]! ^ none[told]!;
    return (filed[told]! ^ none[told]!) & bit ? 1 : -1;
  });
}

/** How large the cosine terms of pictures usually are; a signature then says the rest, their signs. */
export class WholeModel {
  readonly #sums = new Float64Array(TERMS);
  readonly #squares = new Float64Array(TERMS);
  #count = 0;

  add(luma: Luma): void {
    for (const [k, term] of cosineTerms(luma).entries()) {
      this.#sums[k]! += Math.abs(term / SUMMED);
      this.#squares[k]! += (term / SUMMED) ** 2;
    }
    this.#count += 1;
  }

  basis(width: number, height: number): CosineBasis {
    return new CosineBasis(width, height);
  }

  /** The terms that their signs make most likely. */
  expected(signs: Signs): Float64Array {
    return this.#sums.map((sum, k) => (signs[k]! * sum) / this.#count);
  }

  /** Divides terms by what is uncertain about them once the sign is known. */
  weigh(terms: Float64Array, factor: number): void {
    terms[0] = 0;
    for (let k = 1; k < TERMS; k += 1) {
      const mean = this.#sums[k]! / this.#count;
      terms[k]! *= factor / Math.max(1e-9, this.#squares[k]! / this.#count - mean * mean);
    }
  }

  /** The picture that the signs alone make most likely. */
  draw(signs: Signs, width: number, height: number): Float32Array {
    const terms = this.expected(signs).map(
      (term, k) => term * (k % WHOLE_TERMS === 0 ? 1 : 2) * (k < WHOLE_TERMS ? 1 : 2) * width * height,
    );
    const picture = new Float64Array(width * height);
    this.basis(width, height).backward(terms, picture);
    return Float32Array.from(picture);
  }
}
