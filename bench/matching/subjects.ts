import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { restrictDecoders } from "../../packages/engine/src/decode.ts";
import { type Examiner, type Purpose, examineImage } from "../../packages/engine/src/examine-image.ts";
import type { Query, StoredOriginal } from "../../packages/engine/src/matching/subjects.ts";
import { readQueryState } from "../../packages/engine/src/query-state.ts";
import { decodePacket } from "../../packages/engine/src/registration-packet.ts";
import { VectorVocabulary } from "../../packages/engine/src/vector/vector-vocabulary.ts";
import { loadVocabulary } from "../../packages/engine/src/vocabulary.ts";

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

const HEAD = 4;

/**
 * Examines pictures with the product's own code, in this thread. With a cache folder the results are kept there under the hash
 * of the picture's bytes; empty it after any change to extraction or to a signature.
 */
export class SubjectReader {
  readonly #examiner: Examiner;
  readonly #cache: string | null;

  constructor(cache: string | null) {
    restrictDecoders(TYPES);
    this.#cache = cache;
    if (cache !== null) mkdirSync(cache, { recursive: true });
    this.#examiner = {
      decode: { acceptedTypes: TYPES, maxImagePixels: 200_000_000, timeoutSeconds: 60 },
      vocabulary: new VectorVocabulary(loadVocabulary()),
      packetKey: PACKET_KEY,
      reserve: () => ({ [Symbol.dispose]: () => undefined }),
    };
  }

  read(file: string, purpose: Purpose): Promise<Subject> {
    return this.examine(new Uint8Array(readFileSync(file)), purpose);
  }

  /** The same for an encoded picture. */
  async examine(image: Uint8Array, purpose: Purpose): Promise<Subject> {
    const name = createHash("sha256").update(image).digest("hex").slice(0, 32);
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
    if (kept !== null) {
      writeFileSync(`${kept}.${process.pid}`, packed);
      renameSync(`${kept}.${process.pid}`, kept);
    }
    return unpack(packed, milliseconds);
  }
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
  const state = new SharedArrayBuffer(stateBytes);
  new Uint8Array(state).set(take(stateBytes));
  return {
    query: readQueryState(state),
    queryWords: new Int32Array(take(4 * queryWords).buffer),
    originalWords: new Int32Array(take(4 * words).buffer),
    original: packetBytes === 0 ? null : decodePacket(take(packetBytes)),
    milliseconds,
  };
}
