import type { Place, Polygon, Size } from "@colophon/engine";
import type { Write } from "../store/database.ts";
import type { Extraction } from "../store/originals/extraction.ts";
import type { LiveOriginal } from "../store/originals/originals.ts";

/** An encoded image in memory that its owner will zero. */
export interface Pixels {
  /** The image in one or more pieces, one after the other. */
  readonly parts: readonly Uint8Array[];
  readonly byteLength: number;
  /** SHA-256 of the bytes. */
  readonly imageHash: Buffer;
}

/**
 * What an image is to a registered original: the same bytes, another file of the same pixels, or a picture that shows
 * it.
 */
export type Relation = "identical" | "samePixels" | "derived";

/** A live original that an image is, or derives from. */
export interface MatchedOriginal {
  readonly imageNo: number;
  readonly originalImageHash: Buffer;
  readonly relation: Relation;
  /**
   * Its upright size, pixels; of one registered before sizes were kept, one in its proportions; null where it is the
   * image's.
   */
  readonly size: Size | null;
  /** Where it lies in the image. */
  readonly place: Place;
  /** What the image shows of it: convex polygons in the image's unit square, its upper left corner (0, 0). */
  readonly shown: readonly Polygon[];
}

/** The engine read the image and compared it with every live original. */
export interface Checked {
  readonly outcome: "checked";
  /** The image's upright size, pixels; null where the same bytes are registered and it was not decoded. */
  readonly size: Size | null;
  /** Best match first, the same bytes before all; empty when the image shows nobody's. */
  readonly matches: readonly MatchedOriginal[];
}

/** A new image was compared, and can be registered if its matches do not stand against it. */
export interface Extracted extends Checked {
  /** What registering the image would publish. */
  readonly extraction: Extraction;
}

/** The same bytes are registered; nothing was compared. */
export interface Identical {
  readonly outcome: "identical";
  readonly original: LiveOriginal;
}

/** The engine will not check this image, now or later. */
export interface Declined {
  readonly outcome: "declined";
  readonly name: string;
  readonly message: string;
}

/** The engine has no capacity at the moment; the image may be sent again. */
export interface NotYet {
  readonly outcome: "notYet";
  readonly retryAfterSeconds: number;
}

/** The image is an original now. */
export interface Published {
  readonly outcome: "published";
  readonly imageNo: number;
}

/** The same bytes were registered meanwhile. */
export interface AlreadyRegistered {
  readonly outcome: "alreadyRegistered";
  readonly original: LiveOriginal;
}

/**
 * What the service asks of the engine. Obligations of every adapter: an image's pixels are only read, and not
 * after the promise settles; a refusal of an image is an answer, never an exception; what `publish` writes is
 * found by every check that begins after the transaction has committed.
 */
export interface Engine extends AsyncDisposable {
  /** Whether the engine can work at the moment; one that is not configured has nothing to fail. */
  readonly isAlive: boolean;
  /** Pictures that wait for a place. */
  readonly queueLength: number;
  /** @throws Refusal engineNotConfigured when there is no engine behind the port */
  assertConfigured(): void;
  /**
   * Compares an image with every live original.
   * @param accountId on whose behalf: an engine shares its capacity fairly among accounts
   */
  lookUp(image: Pixels, accountId: string): Promise<Checked | Declined | NotYet>;
  /**
   * Compares an image that is to be registered, and extracts what that would publish.
   * @param apartFrom numbers of originals that do not count, as if they were not there
   */
  preCheck(
    image: Pixels,
    accountId: string,
    apartFrom?: ReadonlySet<number>,
  ): Promise<Extracted | Identical | Declined | NotYet>;
  /**
   * Writes originals and their index rows within the caller's transaction, each image's outcome independent of the
   * others; the answers come in the order given.
   */
  publish(
    write: Write,
    accountId: string,
    extractions: readonly Extraction[],
  ): Promise<readonly (Published | AlreadyRegistered)[]>;
  /** Whether a stored extraction can still be published: its packet opens and is of the version in use. */
  canPublish(extraction: Pick<Extraction, "packet" | "packetVersion">): Promise<boolean>;
  /**
   * Takes originals out of the index within the caller's transaction, all of it in one call: a deletion, which the
   * adapter for "none" does too.
   */
  withdraw(write: Write, imageNos: readonly number[]): Promise<void>;
  /**
   * Records a sequence within the caller's transaction, and computes its hash from what the engine has published.
   * @param frames the published frames in walk order
   */
  recordSequence(
    write: Write,
    sequenceId: string,
    frames: readonly RecordedFrame[],
  ): Promise<SequenceRecorded | SequenceNotRecorded>;
  /** Brings a part of what earlier versions filed up to date; for the sweep. @returns originals settled */
  fillRankingParts(): Promise<number>;
}

/** A frame of a sequence and the original it was published as. */
export interface RecordedFrame {
  readonly frameId: number;
  readonly imageNo: number;
}

/** The engine's record of a sequence: made now, or made before under the same hash. */
export interface SequenceRecorded {
  readonly outcome: "registered" | "alreadyRegistered";
  readonly sequenceHash: Buffer;
}

/** One of the frames is not published. */
export interface SequenceNotRecorded {
  readonly outcome: "refused";
}
