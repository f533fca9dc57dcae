import { IMAGE_REJECTIONS, type ImageRejection, manifestSentence, Refusal, refuse } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { Config } from "../../config/environment.ts";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { UploadedPart } from "../../registry/slots/upload/standing.ts";
import type { RejectedPart, UploadedImage } from "../../registry/slots/upload/upload-to-slot.ts";
import { isManifest, isManifestName, ManifestPart } from "./manifest-part.ts";
import type { MultipartEvent } from "./multipart.ts";
import { isFilePart, mediaType, type PartHeaders } from "./part-headers.ts";
import type { Body } from "./body.ts";

/** Which parts an upload may consist of. */
export interface UploadRules {
  /** Whether manifests may precede an image; if so, every image part is named `image`. */
  readonly manifests: boolean;
  /** Image parts one request may carry. */
  readonly maxImages: number;
}

/**
 * Reads an upload to a slot image by image. While the consumer works on one, nothing more is read; it erases the
 * image when it is done. Past the request's size cap as much again is read, of which no byte is kept, so that every image in it is named.
 * @throws Refusal malformedRequest for the request as a whole, requestTooLarge when no image part has begun
 */
export async function* readUpload(
  body: Body,
  config: Config,
  rules: UploadRules,
): AsyncGenerator<UploadedImage | RejectedPart> {
  const reader = new UploadReader(config, body.hold, rules);
  const limit = config.maxRequestBytes;
  try {
    for await (const event of body.parts(limit, 2 * limit)) {
      if (body.bytesRead > limit) reader.passLimit();
      const part = reader.take(event);
      if (!part) continue;
      yield part;
      reader.release();
    }
    reader.assertComplete();
  } catch (error) {
    const cutOff = reader.cutOff(error);
    if (!cutOff) throw error;
    yield* cutOff;
  } finally {
    reader.erase();
  }
}

interface OpenImage extends UploadedPart {
  readonly contentType: string | null;
  readonly manifests: readonly StoredManifest[];
  /** Null once the image is refused: its bytes are let go. */
  image: PixelBuffer | null;
  rejection: string | null;
}

class UploadReader {
  readonly #config: Config;
  readonly #budget: ByteBudget;
  readonly #rules: UploadRules;
  #images = 0;
  #manifest: ManifestPart | null = null;
  #manifestCount = 0;
  #manifests: StoredManifest[] = [];
  /** Bytes that the manifests of the image under way hold. */
  #manifestBytes = 0;
  #manifestFault: string | null = null;
  #open: OpenImage | null = null;
  #isPast = false;

  constructor(config: Config, budget: ByteBudget, rules: UploadRules) {
    this.#config = config;
    this.#budget = budget;
    this.#rules = rules;
  }

  /** The image part that an event completes, if it completes one. */
  take(event: MultipartEvent): UploadedImage | RejectedPart | null {
    switch (event.type) {
      case "open":
        this.#begin(event.headers);
        return null;
      case "bytes":
        this.#append(event.bytes);
        return null;
      case "close":
        return this.#close();
      default:
        return event satisfies never;
    }
  }

  /** @throws Refusal malformedRequest when there is no image, or a manifest after the last one */
  assertComplete(): void {
    if (this.#manifestCount > 0) throw refuse("malformedRequest", "manifestWithoutImage");
    if (this.#images === 0) throw refuse("malformedRequest", "noImage");
  }

  /**
   * The request is past its size cap: for that the image under way is refused, and every later one, and nothing of them is kept.
   * @throws Refusal requestTooLarge when no image part has begun
   */
  passLimit(): void {
    if (this.#isPast) return;
    if (!this.#hasBegun) throw refuse("requestTooLarge");
    this.#isPast = true;
    this.#manifest = null;
    this.#manifests = [];
    if (this.#open === null) return;
    this.#open.image?.erase();
    this.#open.image = null;
    this.#open.rejection = IMAGE_REJECTIONS.requestTooLarge;
  }

  /** The images that a request has left unnamed which is too large and ends with an error; null for any other end. */
  cutOff(error: unknown): RejectedPart[] | null {
    if (!(error instanceof Refusal) || !this.#hasBegun) return null;
    if (!this.#isPast && error.code !== "requestTooLarge") return null;
    const isNamed = this.#isPast && this.#open === null && this.#manifestCount === 0;
    const part = this.#open ?? { partIndex: this.#images + 1, fileName: null };
    this.erase();
    return isNamed ? [] : [rejected(part, IMAGE_REJECTIONS.requestTooLarge)];
  }

  get #hasBegun(): boolean {
    return this.#open !== null || this.#manifestCount > 0 || this.#images > 0;
  }

  /** Gives back what the manifests of an image that has been worked held. */
  release(): void {
    this.#budget.giveBack(this.#manifestBytes);
    this.#manifestBytes = 0;
  }

  erase(): void {
    this.#open?.image?.erase();
    this.#open = null;
  }

  #begin(headers: PartHeaders): void {
    if (this.#rules.manifests && isManifestName(headers.name)) {
      this.#manifest = this.#isPast
        ? null
        : new ManifestPart(headers, this.#manifestCount, this.#config, this.#budget);
      this.#manifestCount += 1;
      return;
    }
    this.#assertImagePart(headers);
    this.#images += 1;
    if (this.#images > this.#rules.maxImages) throw refuse("malformedRequest", "tooManyImages");
    const rejection = this.#isPast
      ? IMAGE_REJECTIONS.requestTooLarge
      : (this.#manifestFault ?? this.#typeFault(headers));
    this.#open = {
      partIndex: this.#images,
      fileName: headers.fileName,
      contentType: headers.contentType,
      manifests: this.#manifests,
      image: rejection === null ? new PixelBuffer(this.#config.maxImageBytes, this.#budget) : null,
      rejection,
    };
    this.#manifests = [];
    this.#manifestCount = 0;
    this.#manifestFault = null;
  }

  #assertImagePart(headers: PartHeaders): void {
    const named = this.#rules.manifests ? headers.name === "image" : !isManifest(headers);
    if (!named || !isFilePart(headers)) throw refuse("malformedRequest", "unexpectedPart");
  }

  #typeFault({ contentType }: PartHeaders): string | null {
    return this.#config.acceptedTypes.includes(mediaType(contentType))
      ? null
      : IMAGE_REJECTIONS.unsupportedContentType;
  }

  #append(bytes: Uint8Array): void {
    this.#manifest?.append(bytes);
    if (!this.#open?.image) return;
    try {
      this.#open.image.append(bytes);
    } catch (error) {
      const why = appendFault(error);
      this.#open.image.erase();
      this.#open.image = null;
      this.#open.rejection = IMAGE_REJECTIONS[why];
    }
  }

  #close(): UploadedImage | RejectedPart | null {
    if (this.#manifest) {
      this.#closeManifest(this.#manifest);
      this.#manifest = null;
      return null;
    }
    const open = this.#open;
    this.#open = null;
    if (!open) return null;
    if (!open.image) return rejected(open, open.rejection ?? IMAGE_REJECTIONS.notChecked);
    const { partIndex, fileName, contentType, manifests, image } = open;
    return { partIndex, fileName, contentType, manifests, image };
  }

  #closeManifest(part: ManifestPart): void {
    const manifest = part.close();
    this.#manifestBytes += part.byteLength;
    if (typeof manifest !== "string") {
      if (this.#manifestFault === null) this.#manifests.push(manifest);
      return;
    }
    this.#manifests = [];
    this.#manifestFault ??= manifestSentence(manifest, this.#config.maxManifestsPerImage);
  }
}

/** @throws the error itself unless it is about this one image */
function appendFault(error: unknown): ImageRejection {
  if (error instanceof Refusal && error.code === "imageTooLarge") return "imageTooLarge";
  if (error instanceof Refusal && error.code === "serviceUnavailable") return "notCheckedYet";
  throw error;
}

function rejected({ partIndex, fileName }: UploadedPart, rejection: string): RejectedPart {
  return { partIndex, fileName, rejection };
}
