import { Worker } from "node:worker_threads";
import { type DeclineName, restrictDecoders } from "./decode.ts";
import type { ExaminedImage, Purpose, RegistrationPacket } from "./examine-image.ts";
import type { Candidate, ImageJob, ImageJobAnswer, WorkerSetting } from "./image-job.ts";
import { PixelBudget } from "./pixel-budget.ts";
import { WorkerPool } from "./pool.ts";
import { loadVocabulary } from "./vocabulary.ts";

export interface ImageEngineOptions {
  /** Worker threads. */
  readonly workers: number;
  /** Jobs that may wait beyond those the workers are at; past it the answer is `busy`. */
  readonly queueLimit: number;
  /** Width x height past which an image is declined. */
  readonly maxImagePixels: number;
  /** Media types a decoder may read, by the bytes. Types without a decoder here are ignored. */
  readonly acceptedTypes: readonly string[];
  /** 32 secret bytes, the key of the residual signatures. Packets made under another key do not match. */
  readonly packetKey: Uint8Array;
}

/** What an image gave. Dispose it to zero all that shows the picture. */
export interface Examination extends Disposable {
  readonly outcome: "examined";
  /** Upright full-size picture, pixels. */
  readonly width: number;
  readonly height: number;
  /** BLAKE3-256 of the image's bytes. */
  readonly contentHash: Uint8Array;
  /** SHA-256 of the decoded picture in the canonical form of `hashPixels`. */
  readonly pixelHash: Uint8Array;
  /** At most 1,500 distinct retrieval keys, strongest first. */
  readonly queryWords: Int32Array;
  /** Only for a registration. */
  readonly original: RegistrationPacket | null;
}

/** The image itself is why there is no answer. */
export interface Declined {
  readonly outcome: "declined";
  readonly name: DeclineName | "ImageFailed";
  readonly message: string;
}

/** The engine could not answer yet. */
export interface Busy {
  readonly outcome: "busy";
  readonly retryAfterSeconds: number;
}

export interface Matched {
  readonly outcome: "matched";
  /** Ids of the candidates that the picture derives from, best first. */
  readonly ids: readonly number[];
  /** Ids of the candidates whose packets this version does not read; they were not compared. */
  readonly unreadable: readonly number[];
}

/** Examines and matches images on worker threads. Dispose it once its last caller has been answered. */
export interface ImageEngine extends AsyncDisposable {
  /**
   * Decodes, hashes and describes an image.
   *
   * @param image a view on a `SharedArrayBuffer`: read in place, never copied, the caller's to zero afterwards
   * @throws {TypeError} for any other view
   */
  examine(image: Uint8Array, purpose: Purpose): Promise<Examination | Declined | Busy>;
  /**
   * Which candidates the examined picture derives from. One whose packet cannot be read is passed over and named.
   *
   * @throws {TypeError} for an examination that is disposed or not this engine's
   */
  match(examination: Examination, candidates: readonly Candidate[]): Promise<Matched | Busy>;
}

const DECODE_SECONDS = 30;
/** Includes waiting for other large pictures to be decoded. */
const JOB_SECONDS = 120;

class FinishedExamination implements Examination {
  readonly outcome = "examined";
  readonly width: number;
  readonly height: number;
  readonly contentHash: Uint8Array;
  readonly pixelHash: Uint8Array;
  readonly queryWords: Int32Array;
  readonly original: RegistrationPacket | null;
  #query: SharedArrayBuffer | null;

  constructor(image: ExaminedImage) {
    this.width = image.width;
    this.height = image.height;
    this.contentHash = image.contentHash;
    this.pixelHash = image.pixelHash;
    this.queryWords = image.queryWords;
    this.original = image.original;
    this.#query = image.query;
  }

  /** @throws {TypeError} once disposed */
  get query(): SharedArrayBuffer {
    if (this.#query === null) throw new TypeError("The examination is disposed.");
    return this.#query;
  }

  [Symbol.dispose](): void {
    if (this.#query !== null) new Uint8Array(this.#query).fill(0);
    this.queryWords.fill(0);
    this.#query = null;
  }
}

class PooledImageEngine implements ImageEngine {
  readonly #pool: WorkerPool<ImageJob, ImageJobAnswer>;

  constructor(options: ImageEngineOptions) {
    const { workers, queueLimit, acceptedTypes, maxImagePixels, packetKey } = options;
    restrictDecoders(acceptedTypes);
    const budget = PixelBudget.allocate(workers);
    const shared = {
      vocabulary: loadVocabulary(),
      budget,
      packetKey,
      acceptedTypes,
      maxImagePixels,
      decodeSeconds: DECODE_SECONDS,
    };
    this.#pool = new WorkerPool({
      workers,
      queueLimit,
      jobSeconds: JOB_SECONDS,
      start: (place) => startWorker({ ...shared, place }),
      ended: (place) => new PixelBudget(budget).release(place),
    });
  }

  async examine(image: Uint8Array, purpose: Purpose): Promise<Examination | Declined | Busy> {
    if (!(image.buffer instanceof SharedArrayBuffer))
      throw new TypeError("The image must lie in shared memory.");
    const result = await this.#pool.run({ kind: "examine", image, purpose }, false);
    if (result.outcome === "busy") return result;
    if (result.outcome === "lost" && result.slow) {
      return { outcome: "declined", name: "ImageTooSlow", message: "The image took too long to examine." };
    }
    if (result.outcome === "answered" && result.answer.kind === "examined") {
      return new FinishedExamination(result.answer.image);
    }
    if (result.outcome === "answered" && result.answer.kind === "declined") {
      const { name, message } = result.answer;
      return { outcome: "declined", name, message };
    }
    return { outcome: "declined", name: "ImageFailed", message: "The image could not be examined." };
  }

  async match(examination: Examination, candidates: readonly Candidate[]): Promise<Matched | Busy> {
    if (!(examination instanceof FinishedExamination))
      throw new TypeError("Not an examination of this engine.");
    const { query } = examination;
    if (candidates.length === 0) return { outcome: "matched", ids: [], unreadable: [] };
    const result = await this.#pool.run({ kind: "match", query, candidates }, true);
    if (result.outcome === "busy") return result;
    if (result.outcome === "answered" && result.answer.kind === "matched") {
      const { ids, unreadable } = result.answer;
      return { outcome: "matched", ids, unreadable };
    }
    return { outcome: "busy", retryAfterSeconds: 1 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }
}

function startWorker(setting: WorkerSetting): Worker {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
  return new Worker(new URL(`./image-worker${extension}`, import.meta.url), { workerData: setting });
}

/**
 * Starts the workers. Loads the vocabulary once for all of them and closes every decoder of the process but those of
 * the accepted types.
 *
 * @throws {RangeError} for a packet key that is not 32 bytes
 */
export function openImageEngine(options: ImageEngineOptions): ImageEngine {
  if (options.packetKey.length !== 32) throw new RangeError("The packet key must be 32 bytes.");
  return new PooledImageEngine(options);
}
