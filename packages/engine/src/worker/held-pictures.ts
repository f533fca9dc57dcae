import { discard } from "../image/discard.ts";
import type { DescribedPicture, RegistrationPacket } from "../examine/describe-picture.ts";
import type { Picture } from "../image/coded/read-picture.ts";
import type { Examination, Glance } from "./image-engine.ts";

/** What shows a picture and moves to a worker and back: in one hand at a time, and zeroed once it is let go. */
export class Held<Content> implements Disposable {
  readonly #erase: (content: Content) => void;
  readonly #missing: string;
  #content: Content | null;
  #disposed = false;

  /** @param missing what an error says when it is asked for and not there */
  constructor(content: Content, erase: (content: Content) => void, missing: string) {
    this.#content = content;
    this.#erase = erase;
    this.#missing = missing;
  }

  /** Hands it over, to be put back or used up. @throws {TypeError} once disposed, or while it is handed over */
  take(): Content {
    const content = this.#content;
    if (content === null) throw new TypeError(this.#missing);
    this.#content = null;
    return content;
  }

  putBack(content: Content): void {
    if (this.#disposed) this.#erase(content);
    else this.#content = content;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    if (this.#content !== null) this.#erase(this.#content);
    this.#content = null;
  }
}

/** An examination with the query that its comparisons take. */
export class HeldExamination implements Examination {
  readonly outcome = "examined";
  readonly width: number;
  readonly height: number;
  readonly contentHash: Uint8Array;
  readonly pixelHash: Uint8Array;
  readonly queryWords: Int32Array;
  readonly original: RegistrationPacket | null;
  /** On whose behalf. */
  readonly share: string;
  readonly content: Held<ArrayBuffer>;

  constructor(
    { width, height, contentHash, pixelHash }: Picture,
    { query, queryWords, original }: DescribedPicture,
    share: string,
  ) {
    this.width = width;
    this.height = height;
    this.contentHash = contentHash;
    this.pixelHash = pixelHash;
    this.queryWords = queryWords;
    this.original = original;
    this.share = share;
    this.content = new Held(
      query,
      (bytes) => discard(new Uint8Array(bytes)),
      "The examination is disposed, or being matched.",
    );
  }

  /** @throws {TypeError} when it is not an examination of this engine */
  static of(examination: Examination): HeldExamination {
    if (examination instanceof HeldExamination) return examination;
    throw new TypeError("Not an examination of this engine.");
  }

  [Symbol.dispose](): void {
    this.content[Symbol.dispose]();
    this.queryWords.fill(0);
  }
}

/** A glance with its picture. */
export class HeldGlance implements Glance {
  readonly outcome = "glanced";
  readonly width: number;
  readonly height: number;
  readonly pixelHash: Uint8Array;
  readonly wholeKeys: Int32Array;
  /** `cosineTerms` of the picture. */
  readonly terms: Float64Array;
  /** On whose behalf. */
  readonly share: string;
  readonly content: Held<Picture>;

  constructor(
    picture: Picture,
    { wholeKeys, terms }: { readonly wholeKeys: Int32Array; readonly terms: Float64Array },
    share: string,
  ) {
    this.width = picture.width;
    this.height = picture.height;
    this.pixelHash = picture.pixelHash;
    this.wholeKeys = wholeKeys;
    this.terms = terms;
    this.share = share;
    this.content = new Held(
      picture,
      ({ luma }) => discard(luma.data),
      "The glance is disposed, described, or being compared.",
    );
  }

  /** @throws {TypeError} when it is not a glance of this engine */
  static of(glance: Glance): HeldGlance {
    if (glance instanceof HeldGlance) return glance;
    throw new TypeError("Not a glance of this engine.");
  }

  [Symbol.dispose](): void {
    this.content[Symbol.dispose]();
    this.wholeKeys.fill(0);
    this.terms.fill(0);
  }
}
