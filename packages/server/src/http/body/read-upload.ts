import { IMAGE_REJECTIONS, type ImageRejection, Refusal, refuse } from "@colophon/contract";
import type { Config } from "../../config/environment.ts";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { UploadedPart } from "../../registry/slots/upload/standing.ts";
import type { RejectedPart, UploadedImage } from "../../registry/slots/upload/upload-to-slot.ts";
import { ImageManifests } from "./image-manifests.ts";
import { isManifest, isManifestName, type ManifestLimits } from "./manifest-part.ts";
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

export type UploadLimits = ManifestLimits &
  Pick<Config, "acceptedTypes" | "maxImageBytes" | "maxRequestBytes">;

/**
 * Reads an upload to a slot image by image. While the consumer works on one, nothing more is read; it erases the image
 * when it is done. Past the request's size cap as much again is read, of which no byte is kept, so that every image in
 * it is named.
 * @throws Refusal malformedRequest for the request as a whole, requestTooLarge when no part has begun
 */
export async function* readUpload(
  body: Body,
  limits: UploadLimits,
  rules: UploadRules,
): AsyncGenerator<UploadedImage | RejectedPart> {
  const reader = new UploadReader(limits, body.hold, rules);
  const limit = limits.maxRequestBytes;
  try {
    for await (const event of body.parts(limit, 2 * limit)) {
      if (body.bytesRead > limit) reader.passLimit();
      const ended = reader.take(event);
      if (!ended) continue;
      yield ended.part;
      body.hold.giveBack(ended.manifestBytes);
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

/** An image part as far as it has come, or refused, and then without its bytes. */
interface ImagePart {
  readonly part: UploadedImage | RejectedPart;
  /** Bytes of the budget that its manifests hold. */
  readonly manifestBytes: number;
}

/** Where the reader is: before an image, at its manifests, or in it. */
type Place =
  | { readonly at: "manifests"; readonly manifests: ImageManifests }
  | { readonly at: "image"; readonly image: ImagePart };

class UploadReader {
  readonly #limits: UploadLimits;
  readonly #budget: ByteBudget;
  readonly #rules: UploadRules;
  /** Image parts that have begun. */
  #images = 0;
  #isPast = false;
  #place: Place;

  constructor(limits: UploadLimits, budget: ByteBudget, rules: UploadRules) {
    this.#limits = limits;
    this.#budget = budget;
    this.#rules = rules;
    this.#place = this.#beforeImage();
  }

  /** The image part that an event ends, if it ends one. */
  take(event: MultipartEvent): ImagePart | null {
    if (this.#place.at === "image") return this.#takeInImage(this.#place.image, event);
    this.#takeBeforeImage(this.#place.manifests, event);
    return null;
  }

  /** @throws Refusal malformedRequest when there is no image, or a manifest after the last one */
  assertComplete(): void {
    if (this.#awaitsImage) throw refuse("malformedRequest", "manifestWithoutImage");
    if (this.#images === 0) throw refuse("malformedRequest", "noImage");
  }

  /**
   * The request is past its size cap: for that the image under way is refused, and every later one, and nothing of them
   * is kept.
   * @throws Refusal requestTooLarge when no part has begun
   */
  passLimit(): void {
    if (this.#isPast) return;
    if (!this.#hasBegun) throw refuse("requestTooLarge");
    this.#isPast = true;
    const place = this.#place;
    if (place.at === "manifests") place.manifests.refuse(IMAGE_REJECTIONS.requestTooLarge);
    else this.#goOn({ ...place.image, part: refused(place.image.part, "requestTooLarge") });
  }

  /** The images that a request has left unnamed which is too large and ends with an error; null for any other end. */
  cutOff(error: unknown): RejectedPart[] | null {
    if (!(error instanceof Refusal) || !this.#hasBegun) return null;
    if (!this.#isPast && error.code !== "requestTooLarge") return null;
    if (this.#place.at === "image") return [refused(this.#place.image.part, "requestTooLarge")];
    if (this.#isPast && !this.#awaitsImage) return [];
    return [refused({ partIndex: this.#images + 1, fileName: null }, "requestTooLarge")];
  }

  erase(): void {
    if (this.#place.at === "image") erasePixels(this.#place.image.part);
  }

  /** Whether there are manifests of an image that has not begun. */
  get #awaitsImage(): boolean {
    return this.#place.at === "manifests" && !this.#place.manifests.isEmpty;
  }

  get #hasBegun(): boolean {
    return this.#images > 0 || this.#awaitsImage;
  }

  #beforeImage(): Place {
    const manifests = new ImageManifests(this.#limits, this.#budget);
    if (this.#isPast) manifests.refuse(IMAGE_REJECTIONS.requestTooLarge);
    return { at: "manifests", manifests };
  }

  #goOn(image: ImagePart): void {
    this.#place = { at: "image", image };
  }

  #takeBeforeImage(manifests: ImageManifests, event: MultipartEvent): void {
    switch (event.type) {
      case "open":
        if (this.#rules.manifests && isManifestName(event.headers.name)) manifests.begin(event.headers);
        else this.#goOn(this.#beginImage(event.headers, manifests));
        break;
      case "bytes":
        manifests.append(event.bytes);
        break;
      case "close":
        manifests.end();
        break;
      default:
        event satisfies never;
    }
  }

  #takeInImage(image: ImagePart, event: MultipartEvent): ImagePart | null {
    if (event.type === "bytes") this.#goOn({ ...image, part: withBytes(image.part, event.bytes) });
    if (event.type !== "close") return null;
    this.#place = this.#beforeImage();
    return image;
  }

  #beginImage(headers: PartHeaders, manifests: ImageManifests): ImagePart {
    this.#assertImagePart(headers);
    this.#images += 1;
    if (this.#images > this.#rules.maxImages) throw refuse("malformedRequest", "tooManyImages");
    const { fileName, contentType } = headers;
    const named: UploadedPart = { partIndex: this.#images, fileName };
    const { outcome, heldBytes: manifestBytes } = manifests;
    if (typeof outcome === "string") return { part: { ...named, rejection: outcome }, manifestBytes };
    if (!this.#limits.acceptedTypes.includes(mediaType(contentType))) {
      return { part: refused(named, "unsupportedContentType"), manifestBytes };
    }
    const image = new PixelBuffer(this.#limits.maxImageBytes, this.#budget);
    return { part: { ...named, contentType, manifests: outcome, image }, manifestBytes };
  }

  #assertImagePart(headers: PartHeaders): void {
    const named = this.#rules.manifests ? headers.name === "image" : !isManifest(headers);
    if (!named || !isFilePart(headers)) throw refuse("malformedRequest", "unexpectedPart");
  }
}

/** The part with these bytes more, or refused for them. @throws the error itself unless it is about this one image */
function withBytes(part: UploadedImage | RejectedPart, bytes: Uint8Array): UploadedImage | RejectedPart {
  if ("rejection" in part) return part;
  try {
    part.image.append(bytes);
    return part;
  } catch (error) {
    return refused(part, appendFault(error));
  }
}

/** @throws the error itself unless it is about this one image */
function appendFault(error: unknown): ImageRejection {
  if (error instanceof Refusal && error.code === "imageTooLarge") return "imageTooLarge";
  if (error instanceof Refusal && error.code === "serviceUnavailable") return "notCheckedYet";
  throw error;
}

/** The part without its bytes, with the sentence for this. */
function refused(part: UploadedPart | UploadedImage, why: ImageRejection): RejectedPart {
  erasePixels(part);
  const { partIndex, fileName } = part;
  return { partIndex, fileName, rejection: IMAGE_REJECTIONS[why] };
}

function erasePixels(part: UploadedPart | UploadedImage): void {
  if ("image" in part) part.image.erase();
}
