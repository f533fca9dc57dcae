import { Worker } from "node:worker_threads";
import { type Declined, Decoder } from "../decoder/decoder.ts";
import type { DescribedPicture, Purpose, RegistrationPacket } from "../examine/describe-picture.ts";
import { undecodable } from "../image/declined.ts";
import type { Picture } from "../image/read-picture.ts";
import type { Match } from "../matching/match-query.ts";
import { loadVocabulary } from "../learned/vocabulary-file.ts";
import {
  type ImageJob,
  type ImageJobAnswer,
  joinParts,
  type PacketCandidate,
  type RankingCandidate,
  type WorkerSetting,
} from "./job.ts";
import { type Busy, Turns } from "./turns.ts";
import { WorkerThread } from "./worker-thread.ts";

export interface ImageEngineOptions {
  /** Images worked at once, each by a decoder process and a worker thread of its own. */
  readonly places: number;
  /** Images that may wait beyond those, and as many comparisons; past it the answer is `busy`. */
  readonly queueLimit: number;
  /** Bytes past which an image is not sent to a decoder. */
  readonly maxImageBytes: number;
  /** Width x height past which an image is declined. */
  readonly maxImagePixels: number;
  /** Media types a decoder may read, by the bytes. Types without a decoder here are ignored. */
  readonly acceptedTypes: readonly string[];
  /** 32 secret bytes, the key of the residual signatures. Packets made under another key do not match. */
  readonly packetKey: Uint8Array;
  /** Told what a picture took in a stage, waiting left out. */
  readonly onStage?: (stage: Stage, seconds: number) => void;
}

/** A stage of working a picture whose time is told. */
export type Stage = "decode" | "extract" | "place" | "compare";

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

export interface Matched {
  readonly outcome: "matched";
  /** The candidates that the picture derives from, best first, with their places. */
  readonly matches: readonly Match[];
  /** Ids of the candidates whose packets this version does not read; they were not compared. */
  readonly unreadable: readonly number[];
}

export interface Shortlisted {
  readonly outcome: "shortlisted";
  /** The candidates whose packets are worth reading. */
  readonly ids: readonly number[];
}

/** What comes of a job on a query. */
type QueryAnswer<Kind> = ImageJobAnswer & { readonly kind: Kind };

/**
 * Decodes images in processes of their own, and examines and matches them on worker threads. Whose image it is, the engine knows as
 * an opaque share: places and queue are shared fairly among these. Dispose it once its last caller has been answered.
 */
export interface ImageEngine extends AsyncDisposable {
  /** Whether there is any place where an image can be worked. */
  readonly isAlive: boolean;
  /** Pictures that wait for a place, their comparisons included. */
  readonly queueLength: number;
  /**
   * Decodes, hashes and describes an image.
   *
   * @param image its bytes in one or more parts: only read, and not after the promise settles; the caller's to zero afterwards
   * @param share on whose behalf
   */
  examine(
    image: readonly Uint8Array[],
    purpose: Purpose,
    share: string,
  ): Promise<Examination | Declined | Busy>;
  /**
   * Which of many candidates are to be matched; all that cannot be told are. The answer to `match` is the same as with all of them.
   *
   * @throws {TypeError} as `match`
   */
  shortlist(examination: Examination, candidates: readonly RankingCandidate[]): Promise<Shortlisted | Busy>;
  /**
   * Which candidates the examined picture derives from. One whose packet cannot be read is passed over and named.
   *
   * @throws {TypeError} for an examination that is disposed, being matched, or not this engine's
   */
  match(examination: Examination, candidates: readonly PacketCandidate[]): Promise<Matched | Busy>;
}

/** Far beyond what any description or comparison takes. */
const JOB_SECONDS = 120;
/** A picture whose decoding takes more memory is large: of these one is decoded at a time. Photographs of 24 megapixels are not. */
const LARGE_BYTES = 402_653_184;
/** How often an image is given to a decoder, when processes end under it. */
const ATTEMPTS = 2;

const FAILED: Declined = {
  outcome: "declined",
  name: "ImageFailed",
  message: "The image could not be examined.",
};
const TOO_SLOW: Declined = {
  outcome: "declined",
  name: "ImageTooSlow",
  message: "The image took too long to examine.",
};

class FinishedExamination implements Examination {
  readonly outcome = "examined";
  readonly width: number;
  readonly height: number;
  readonly contentHash: Uint8Array;
  readonly pixelHash: Uint8Array;
  readonly queryWords: Int32Array;
  readonly original: RegistrationPacket | null;
  /** On whose behalf. */
  readonly share: string;
  #query: ArrayBuffer | null;
  #disposed = false;

  constructor(
    { width, height, contentHash, pixelHash }: Picture,
    described: DescribedPicture,
    share: string,
  ) {
    this.width = width;
    this.height = height;
    this.contentHash = contentHash;
    this.pixelHash = pixelHash;
    this.queryWords = described.queryWords;
    this.original = described.original;
    this.share = share;
    this.#query = described.query;
  }

  /** Hands the query over, to be put back. @throws {TypeError} once disposed, or while it is handed over */
  takeQuery(): ArrayBuffer {
    const query = this.#query;
    if (query === null) throw new TypeError("The examination is disposed, or being matched.");
    this.#query = null;
    return query;
  }

  putBack(query: ArrayBuffer): void {
    if (this.#disposed) new Uint8Array(query).fill(0);
    else this.#query = query;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    if (this.#query !== null) new Uint8Array(this.#query).fill(0);
    this.queryWords.fill(0);
    this.#query = null;
  }
}

/** Where one image at a time is worked. */
interface Place {
  readonly decoder: Decoder;
  readonly worker: WorkerThread<ImageJob, ImageJobAnswer>;
}

class PlacedImageEngine implements ImageEngine {
  readonly #places: readonly Place[];
  readonly #turns: Turns;
  readonly #onStage: (stage: Stage, seconds: number) => void;

  constructor(places: readonly Place[], { queueLimit, onStage }: ImageEngineOptions) {
    this.#places = places;
    this.#onStage = onStage ?? (() => {});
    this.#turns = new Turns({ places: places.length, queueLimit });
  }

  get isAlive(): boolean {
    return this.#places.some(({ decoder, worker }) => decoder.isServing && worker.isAlive);
  }

  get queueLength(): number {
    return this.#turns.waiting;
  }

  async examine(
    image: readonly Uint8Array[],
    purpose: Purpose,
    share: string,
  ): Promise<Examination | Declined | Busy> {
    if (image.every((part) => part.length === 0)) {
      const { name, message } = undecodable();
      return { outcome: "declined", name, message };
    }
    for (let large = false; ; large = true) {
      const answer = await this.#examineInTurn(image, purpose, share, large);
      // It waits once more, for a place among large ones.
      if (answer !== "large") return answer;
    }
  }

  async shortlist(
    examination: Examination,
    candidates: readonly RankingCandidate[],
  ): Promise<Shortlisted | Busy> {
    const parts = joinParts(candidates);
    const answer = await this.#ask(examination, "shortlisted", (query) => ({
      job: { kind: "shortlist", query, parts },
      transferred: [query, parts.bytes.buffer],
    }));
    if ("outcome" in answer) return answer;
    this.#onStage("place", answer.seconds);
    return { outcome: "shortlisted", ids: answer.ids };
  }

  async match(examination: Examination, candidates: readonly PacketCandidate[]): Promise<Matched | Busy> {
    if (candidates.length === 0) {
      const finished = finishedOf(examination);
      finished.putBack(finished.takeQuery());
      return { outcome: "matched", matches: [], unreadable: [] };
    }
    const answer = await this.#ask(examination, "matched", (query) => ({
      job: { kind: "match", query, candidates },
      transferred: [query],
    }));
    if ("outcome" in answer) return answer;
    const { matches, unreadable, seconds } = answer;
    this.#onStage("place", seconds.place);
    this.#onStage("compare", seconds.compare);
    return { outcome: "matched", matches, unreadable };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns.close();
    await Promise.all(
      this.#places.flatMap(({ decoder, worker }) => [
        decoder[Symbol.asyncDispose](),
        worker[Symbol.asyncDispose](),
      ]),
    );
  }

  /** Has a worker do a job on what was found of a picture. */
  async #ask<Kind extends "matched" | "shortlisted">(
    examination: Examination,
    kind: Kind,
    jobOn: (query: ArrayBuffer) => { readonly job: ImageJob; readonly transferred: readonly ArrayBuffer[] },
  ): Promise<QueryAnswer<Kind> | Busy> {
    const finished = finishedOf(examination);
    const query = finished.takeQuery();
    const turn = await this.#turns.take({ share: finished.share, urgent: true, large: false });
    if (turn.outcome === "busy") {
      finished.putBack(query);
      return turn;
    }
    using held = turn;
    const { worker } = this.#places[held.place]!;
    const { job, transferred } = jobOn(query);
    const result = await worker.run(job, transferred);
    if (result.outcome === "lost" || result.answer.kind !== kind) return SOON;
    const answer = result.answer as QueryAnswer<Kind>;
    finished.putBack(answer.query);
    return answer;
  }

  async #examineInTurn(
    image: readonly Uint8Array[],
    purpose: Purpose,
    share: string,
    large: boolean,
  ): Promise<Examination | Declined | Busy | "large"> {
    const turn = await this.#turns.take({ share, urgent: large, large });
    if (turn.outcome === "busy") return turn;
    using held = turn;
    const { decoder, worker } = this.#places[held.place]!;
    const picture = await this.#timed("decode", read(decoder, image, large));
    if (picture === "large" || "outcome" in picture) return picture;
    const { data } = picture.luma;
    const job = { kind: "describe", picture, purpose } as const;
    const result = await this.#timed("extract", worker.run(job, [data.buffer as ArrayBuffer]));
    // It has moved to the worker, but when there was none any more.
    if (data.length > 0) data.fill(0);
    if (result.outcome === "lost") return result.slow ? TOO_SLOW : FAILED;
    return result.answer.kind === "described"
      ? new FinishedExamination(picture, result.answer.described, share)
      : FAILED;
  }

  async #timed<T>(stage: Stage, work: Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work;
    } finally {
      this.#onStage(stage, (performance.now() - began) / 1000);
    }
  }
}

/** @throws {TypeError} when it is not an examination of this engine */
function finishedOf(examination: Examination): FinishedExamination {
  if (examination instanceof FinishedExamination) return examination;
  throw new TypeError("Not an examination of this engine.");
}

/** The engine itself is why there is no answer yet. */
const SOON: Busy = { outcome: "busy", retryAfterSeconds: 1 };

/** Has an image decoded, in a further process when one ends under it; says so when it is large and may not be. */
async function read(
  decoder: Decoder,
  image: readonly Uint8Array[],
  largeToo: boolean,
): Promise<Picture | Declined | Busy | "large"> {
  let failed = true;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let answer: Awaited<ReturnType<Decoder["weigh"] | Decoder["read"]>> = await decoder.weigh(image);
    if (answer.outcome === "weighed") {
      if (answer.cost.memoryBytes > LARGE_BYTES && !largeToo) {
        await decoder.drop();
        return "large";
      }
      answer = await decoder.read();
    }
    if (answer.outcome === "read") return answer.picture;
    if (answer.outcome === "declined") return answer;
    failed &&= answer.outcome === "lost" && answer.failed;
  }
  // An image at which every process failed is at fault; otherwise somebody ended them.
  return failed ? FAILED : SOON;
}

function startWorker(setting: WorkerSetting): Worker {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
  return new Worker(new URL(`./image-worker${extension}`, import.meta.url), { workerData: setting });
}

/**
 * Starts the decoders and the workers; resolves once the decoders serve. Loads the vocabulary once for all workers.
 *
 * @throws {RangeError} for a packet key that is not 32 bytes
 * @throws {Error} when a decoder does not start, or would keep pictures
 */
export async function openImageEngine(options: ImageEngineOptions): Promise<ImageEngine> {
  const { places, acceptedTypes, maxImageBytes, maxImagePixels, packetKey } = options;
  if (packetKey.length !== 32) throw new RangeError("The packet key must be 32 bytes.");
  const setting: WorkerSetting = { vocabulary: loadVocabulary(), packetKey };
  await using opened = new AsyncDisposableStack();
  const decoders = await Promise.all(
    Array.from({ length: places }, async () =>
      opened.use(await Decoder.open({ acceptedTypes, maxImageBytes, maxImagePixels })),
    ),
  );
  const engine = new PlacedImageEngine(
    decoders.map((decoder) => ({
      decoder,
      worker: new WorkerThread({ start: () => startWorker(setting), jobSeconds: JOB_SECONDS }),
    })),
    options,
  );
  opened.move();
  return engine;
}
