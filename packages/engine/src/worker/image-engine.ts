import { Worker } from "node:worker_threads";
import { type Declined, Decoder } from "../decoder/decoder.ts";
import type { DescribedPicture, Purpose, RegistrationPacket } from "../examine/describe-picture.ts";
import { undecodable } from "../image/declined.ts";
import type { Luma } from "../image/luma.ts";
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

/** An image that was decoded and looked at as a whole, its points not yet. Dispose it to zero all that shows the picture. */
export interface Glance extends Disposable {
  readonly outcome: "glanced";
  /** Upright full-size picture, pixels. */
  readonly width: number;
  readonly height: number;
  /** As an `Examination` has it. */
  readonly pixelHash: Uint8Array;
  /** Retrieval keys under which the original is filed that the image is a plain copy of. */
  readonly wholeKeys: Int32Array;
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

export interface Copied {
  readonly outcome: "compared";
  readonly match: Match | null;
}

export interface Apart {
  readonly outcome: "compared";
  readonly isApart: boolean;
}

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
  /** Decodes and hashes an image and looks at it as a whole: a small part of what examining it takes. Parameters as of `examine`. */
  glance(image: readonly Uint8Array[], share: string): Promise<Glance | Declined | Busy>;
  /**
   * Whether a picture is a plain copy of an original: the whole of it, saved again or resized and otherwise as it was. No match where that is not plain,
   * or the packet cannot be read.
   *
   * @throws {TypeError} for a glance that is disposed, described, being compared, or not this engine's
   */
  matchCopy(glance: Glance, original: PacketCandidate): Promise<Copied | Busy>;
  /**
   * Whether a plain copy of an original derives from none of the others, as far as their packets tell: false when some share points in one arrangement,
   * or a packet cannot be read.
   */
  standsApart(
    glance: Glance,
    original: PacketCandidate,
    others: readonly PacketCandidate[],
  ): Promise<Apart | Busy>;
  /** Examines a glanced picture for its look-up; the glance keeps nothing of it. @throws {TypeError} as `matchCopy` */
  examineGlanced(glance: Glance): Promise<Examination | Declined | Busy>;
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

class FinishedGlance implements Glance {
  readonly outcome = "glanced";
  readonly width: number;
  readonly height: number;
  readonly pixelHash: Uint8Array;
  readonly wholeKeys: Int32Array;
  /** On whose behalf. */
  readonly share: string;
  #picture: Picture | null;
  #disposed = false;

  constructor(picture: Picture, wholeKeys: Int32Array, share: string) {
    this.width = picture.width;
    this.height = picture.height;
    this.pixelHash = picture.pixelHash;
    this.wholeKeys = wholeKeys;
    this.share = share;
    this.#picture = picture;
  }

  /** Hands the picture over, to be put back or used up. @throws {TypeError} when it is not there */
  takePicture(): Picture {
    const picture = this.#picture;
    if (picture === null) throw new TypeError("The glance is disposed, described, or being compared.");
    this.#picture = null;
    return picture;
  }

  putBack(picture: Picture): void {
    if (this.#disposed) picture.luma.data.fill(0);
    else this.#picture = picture;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#picture?.luma.data.fill(0);
    this.wholeKeys.fill(0);
    this.#picture = null;
  }
}

function ownGlance(glance: Glance): FinishedGlance {
  if (glance instanceof FinishedGlance) return glance;
  throw new TypeError("Not a glance of this engine.");
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

  examine(
    image: readonly Uint8Array[],
    purpose: Purpose,
    share: string,
  ): Promise<Examination | Declined | Busy> {
    return this.#decoded(image, share, async (picture, { worker }) => {
      const described = await this.#describe(picture, purpose, worker);
      return "outcome" in described ? described : new FinishedExamination(picture, described, share);
    });
  }

  glance(image: readonly Uint8Array[], share: string): Promise<Glance | Declined | Busy> {
    return this.#decoded(image, share, async (picture, { worker }) => {
      const job = { kind: "glance", luma: picture.luma } as const;
      const result = await worker.run(job, [picture.luma.data.buffer as ArrayBuffer]);
      if (result.outcome === "lost" || result.answer.kind !== "glanced") {
        erase(picture.luma);
        return FAILED;
      }
      const { luma, wholeKeys } = result.answer;
      return new FinishedGlance({ ...picture, luma }, wholeKeys, share);
    });
  }

  async matchCopy(glance: Glance, original: PacketCandidate): Promise<Copied | Busy> {
    const own = ownGlance(glance);
    const picture = own.takePicture();
    const turn = await this.#turns.take({ share: own.share, urgent: true, large: false });
    if (turn.outcome === "busy") {
      own.putBack(picture);
      return turn;
    }
    using held = turn;
    const { worker } = this.#places[held.place]!;
    const job = { kind: "copy", luma: picture.luma, original } as const;
    const result = await this.#timed("compare", worker.run(job, [picture.luma.data.buffer as ArrayBuffer]));
    if (result.outcome === "lost" || result.answer.kind !== "copied") {
      erase(picture.luma);
      return SOON;
    }
    own.putBack({ ...picture, luma: result.answer.luma });
    return { outcome: "compared", match: result.answer.match };
  }

  async standsApart(
    glance: Glance,
    original: PacketCandidate,
    others: readonly PacketCandidate[],
  ): Promise<Apart | Busy> {
    if (others.length === 0) return { outcome: "compared", isApart: true };
    const { share } = ownGlance(glance);
    const turn = await this.#turns.take({ share, urgent: true, large: false });
    if (turn.outcome === "busy") return turn;
    using held = turn;
    const { worker } = this.#places[held.place]!;
    const result = await this.#timed("place", worker.run({ kind: "apart", original, others }, []));
    if (result.outcome === "lost" || result.answer.kind !== "apart") return SOON;
    return { outcome: "compared", isApart: result.answer.isApart };
  }

  async examineGlanced(glance: Glance): Promise<Examination | Declined | Busy> {
    const own = ownGlance(glance);
    const picture = own.takePicture();
    const turn = await this.#turns.take({ share: own.share, urgent: true, large: false });
    if (turn.outcome === "busy") {
      own.putBack(picture);
      return turn;
    }
    using held = turn;
    const described = await this.#describe(picture, "lookup", this.#places[held.place]!.worker);
    return "outcome" in described ? described : new FinishedExamination(picture, described, own.share);
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

  /** Decodes an image and goes on with it at the same place. */
  async #decoded<Answer>(
    image: readonly Uint8Array[],
    share: string,
    goOn: (picture: Picture, place: Place) => Promise<Answer>,
  ): Promise<Answer | Declined | Busy> {
    if (image.every((part) => part.length === 0)) {
      const { name, message } = undecodable();
      return { outcome: "declined", name, message };
    }
    for (let large = false; ; large = true) {
      const turn = await this.#turns.take({ share, urgent: large, large });
      if (turn.outcome === "busy") return turn;
      using held = turn;
      const place = this.#places[held.place]!;
      const picture = await this.#timed("decode", read(place.decoder, image, large));
      // It waits once more, for a place among large ones.
      if (picture === "large") continue;
      return "outcome" in picture ? picture : await goOn(picture, place);
    }
  }

  /** Describes a picture, which is used up. */
  async #describe(
    picture: Picture,
    purpose: Purpose,
    worker: Place["worker"],
  ): Promise<DescribedPicture | Declined> {
    const job = { kind: "describe", picture, purpose } as const;
    const moved = [picture.luma.data.buffer as ArrayBuffer];
    const result = await this.#timed("extract", worker.run(job, moved));
    erase(picture.luma);
    if (result.outcome === "lost") return result.slow ? TOO_SLOW : FAILED;
    return result.answer.kind === "described" ? result.answer.described : FAILED;
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

/** Zeroes a raster that was to move to a worker: it has moved, but when there was none any more. */
function erase({ data }: Luma): void {
  if (data.length > 0) data.fill(0);
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
