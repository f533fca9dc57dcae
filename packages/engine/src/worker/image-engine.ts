import type { Declined } from "../decoder/decoder.ts";
import type { Purpose, RegistrationPacket } from "../examine/describe-picture.ts";
import type { Match } from "../matching/match-query.ts";
import type { PacketCandidate, RankingCandidate } from "./job.ts";
import type { Busy } from "./turns.ts";

export interface ImageEngineOptions {
  /** Images worked at once, each by a decoder process and a worker thread of its own. */
  readonly places: number;
  /** Images that may wait beyond those, and as many comparisons; past it the answer is `busy`. */
  readonly queueLimit: number;
  /** Width x height past which an image is declined. */
  readonly maxImagePixels: number;
  /** Media types a decoder may read, by the bytes. Types without a decoder here are ignored. */
  readonly acceptedTypes: readonly string[];
  /** 32 secret bytes, the key of the residual signatures. Packets made under another key do not match. */
  readonly packetKey: Uint8Array;
  /** After so long by the clock a worker is ended and the answer is `busy`; 120 by default. */
  readonly jobSeconds?: number;
  /** Told what a picture took in a stage, waiting left out. */
  readonly onStage?: (stage: Stage, seconds: number) => void;
}

/** A stage of working a picture whose time is reported. */
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
  /** At most 1,200 distinct retrieval keys, strongest first. */
  readonly queryWords: Int32Array;
  /** Only for a registration. */
  readonly original: RegistrationPacket | null;
}

/**
 * An image that was decoded and looked at as a whole, its points not yet. Dispose it to zero all that shows the
 * picture.
 */
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

export interface Copied {
  readonly outcome: "compared";
  readonly match: Match | null;
}

export interface Apart {
  readonly outcome: "compared";
  readonly isApart: boolean;
}

/**
 * Decodes images in processes of their own, and examines and matches them on worker threads. Whose image it is, the
 * engine knows as an opaque share: places and queue are shared fairly among these. Dispose it once its last caller has
 * been answered.
 */
export interface ImageEngine extends AsyncDisposable {
  /** Whether there is any place where an image can be worked. */
  readonly isAlive: boolean;
  /** Pictures that wait for a place, their comparisons included. */
  readonly queueLength: number;
  /**
   * Decodes, hashes and describes an image.
   *
   * @param image its bytes in one or more parts: only read, and not after the promise settles; the caller's to zero
   * afterwards
   * @param share on whose behalf
   */
  examine(
    image: readonly Uint8Array[],
    purpose: Purpose,
    share: string,
  ): Promise<Examination | Declined | Busy>;
  /**
   * Decodes and hashes an image and looks at it as a whole: a small part of what examining it takes. Parameters as of
   * `examine`.
   */
  glance(image: readonly Uint8Array[], share: string): Promise<Glance | Declined | Busy>;
  /**
   * Whether a picture is a plain copy of an original: the whole of it, saved again or resized and otherwise as it was.
   * No match where that is not plain, or the packet cannot be read.
   *
   * @throws {TypeError} for a glance that is disposed, described, being compared, or not this engine's
   */
  matchCopy(glance: Glance, original: PacketCandidate): Promise<Copied | Busy>;
  /**
   * Whether a plain copy of an original derives from none of the others, as far as their packets tell: false when some
   * share points in one arrangement, or a packet cannot be read.
   */
  standsApart(
    glance: Glance,
    original: PacketCandidate,
    others: readonly PacketCandidate[],
  ): Promise<Apart | Busy>;
  /** Examines a glanced picture for its look-up; the glance keeps nothing of it. @throws {TypeError} as `matchCopy` */
  examineGlanced(glance: Glance): Promise<Examination | Declined | Busy>;
  /**
   * Which of many candidates are to be matched; all that cannot be told are. The answer to `match` is the same as with
   * all of them.
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
