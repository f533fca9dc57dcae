import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  blake3,
  COMPARISON_SIDE,
  decodeImage,
  decodePacket,
  examineImage,
  finestMap,
  type ImageExaminer,
  type Luma,
  loadVocabulary,
  lumaOf,
  makeOriginal,
  type Purpose,
  type Query,
  readQueryState,
  restrictDecoders,
  type StoredOriginal,
  openVocabulary,
  residualSignature,
  underKey,
} from "@colophon/engine/lab";

const TYPES = ["image/jpeg", "image/png", "image/webp"];

/** The key that the evaluation registers under; any 32 bytes do. */
export const PACKET_KEY: Uint8Array = new Uint8Array(32).fill(7);

/** One picture as it is asked with and as it is registered. */
export interface Subject {
  readonly query: Query;
  readonly queryWords: Int32Array;
  /** Null when it was only asked with. */
  readonly original: StoredOriginal | null;
  readonly originalWords: Int32Array;
  /** Time of the examination, milliseconds; 0 when it came from the cache. */
  readonly milliseconds: number;
}

/** What a registration files of a picture. */
export interface Filed {
  readonly original: StoredOriginal;
  readonly words: Int32Array;
}

const HEAD = 4;

/** The first letters of a hash, for a file's name. */
const hashed = (bytes: Uint8Array, letters: number): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, letters);

/** Writes a file that is whole as soon as it is there. */
function keep(file: string, bytes: Uint8Array): void {
  writeFileSync(`${file}.${process.pid}`, bytes);
  renameSync(`${file}.${process.pid}`, file);
}

/**
 * Examines pictures with the product's own code, in this thread. With a cache folder the results are kept there under
 * the hash of the picture's bytes; empty it after any change to extraction or to a signature.
 */
export class SubjectReader {
  readonly #examiner: ImageExaminer;
  readonly #cache: string | null;

  constructor(cache: string | null) {
    restrictDecoders(TYPES);
    this.#cache = cache;
    if (cache !== null) mkdirSync(cache, { recursive: true });
    this.#examiner = {
      decode: { acceptedTypes: TYPES, maxImagePixels: 200_000_000 },
      vocabulary: openVocabulary(loadVocabulary()),
      packetKey: PACKET_KEY,
    };
  }

  read(file: string, purpose: Purpose): Promise<Subject> {
    return this.examine(new Uint8Array(readFileSync(file)), purpose);
  }

  /** Only what is registered of a picture: its packet and its words. */
  async readOriginal(file: string): Promise<Filed> {
    const image = new Uint8Array(readFileSync(file));
    const name = hashed(image, 32);
    const kept = this.#cache === null ? null : join(this.#cache, `${name}.packet`);
    if (kept !== null && existsSync(kept)) return unpackOriginal(readFileSync(kept));
    const luma = lumaOf(await decodeImage(image, this.#examiner.decode), COMPARISON_SIDE);
    const { packet, words } = makeOriginal(luma, blake3(image).slice(0, 16), this.#examiner);
    const packed = Buffer.concat([
      Uint8Array.from(new Uint8Array(Int32Array.of(words.length).buffer)),
      new Uint8Array(words.buffer, words.byteOffset, words.byteLength),
      packet,
    ]);
    if (kept !== null) keep(kept, packed);
    return unpackOriginal(packed);
  }

  /**
   * The original of a picture as if it had been registered under other keys: only its signature and its kinds depend on
   * them.
   */
  async rekeyed(
    file: string,
    original: StoredOriginal,
    keys: readonly Uint8Array[],
  ): Promise<StoredOriginal[]> {
    const image = new Uint8Array(readFileSync(file));
    const decoded = async (): Promise<Luma> =>
      lumaOf(await decodeImage(image, this.#examiner.decode), COMPARISON_SIDE);
    let luma: Luma | null = null;
    const originals: StoredOriginal[] = [];
    for (const key of keys) {
      if (Buffer.compare(key, PACKET_KEY) === 0) {
        originals.push(original);
        continue;
      }
      const name = `${hashed(image, 32)}.${hashed(key, 8)}.signature`;
      const kept = this.#cache === null ? null : join(this.#cache, name);
      const isKept = kept !== null && existsSync(kept);
      if (!isKept) luma ??= await decoded();
      const residual = isKept
        ? new Uint8Array(readFileSync(kept))
        : residualSignature(luma!, finestMap(luma!), key, original.packetId);
      if (kept !== null && !isKept) keep(kept, residual);
      const { packetId } = original;
      const kinds = underKey(original.kinds, { packetKey: PACKET_KEY, packetId });
      originals.push({ ...original, residual, kinds: underKey(kinds, { packetKey: key, packetId }) });
    }
    return originals;
  }

  /** What `read` gives, for an encoded picture. */
  async examine(image: Uint8Array, purpose: Purpose): Promise<Subject> {
    const name = hashed(image, 32);
    const kept = this.#cache === null ? null : join(this.#cache, `${name}.${purpose}`);
    if (kept !== null && existsSync(kept)) return unpack(readFileSync(kept), 0);
    const start = performance.now();
    const examined = await examineImage(image, purpose, this.#examiner);
    const milliseconds = performance.now() - start;
    const words = examined.original?.words ?? new Int32Array(0);
    const packet = examined.original?.packet ?? new Uint8Array(0);
    const head = [examined.queryWords.length, words.length, packet.length, examined.query.byteLength];
    const parts = [Int32Array.from(head), new Uint8Array(examined.query), examined.queryWords, words, packet];
    const packed = Buffer.concat(
      parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)),
    );
    if (kept !== null) keep(kept, packed);
    return unpack(packed, milliseconds);
  }
}

function unpackOriginal(packed: Uint8Array): Filed {
  const bytes = new Uint8Array(packed);
  const count = new Int32Array(bytes.buffer, 0, 1)[0]!;
  const words = new Int32Array(bytes.slice(4, 4 + 4 * count).buffer);
  return { words, original: decodePacket(bytes.slice(4 + 4 * count)) };
}

function unpack(packed: Uint8Array, milliseconds: number): Subject {
  const bytes = new Uint8Array(packed);
  const head = new Int32Array(bytes.buffer, 0, HEAD);
  const [queryWords = 0, words = 0, packetBytes = 0, stateBytes = 0] = head;
  let at = 4 * HEAD;
  const take = (length: number): Uint8Array<ArrayBuffer> => {
    at += length;
    return bytes.slice(at - length, at);
  };
  const state = take(stateBytes).buffer;
  return {
    query: readQueryState(state),
    queryWords: new Int32Array(take(4 * queryWords).buffer),
    originalWords: new Int32Array(take(4 * words).buffer),
    original: packetBytes === 0 ? null : decodePacket(take(packetBytes)),
    milliseconds,
  };
}
