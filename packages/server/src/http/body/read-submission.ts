import { refuse } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { Config } from "../../config/environment.ts";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { PixelBuffer } from "../../custody/pixel-buffer.ts";
import { isManifestName, ManifestPart } from "./manifest-part.ts";
import type { MultipartEvent } from "./multipart.ts";
import { isFilePart, mediaType, type PartHeaders } from "./part-headers.ts";

/** An image with its manifests; disposing it erases the image. */
export interface ReadSubmission extends Disposable {
  readonly image: PixelBuffer;
  readonly manifests: readonly StoredManifest[];
}

/** @throws Refusal unsupportedImageContentType */
export function assertAccepted(
  headers: Pick<PartHeaders, "contentType">,
  config: Pick<Config, "acceptedTypes">,
): void {
  if (!config.acceptedTypes.includes(mediaType(headers.contentType))) {
    throw refuse("unsupportedImageContentType");
  }
}

/**
 * Reads the body of `POST /registrations`: manifests, then exactly one image.
 * @throws Refusal of every kind the route names for its body; nothing of the image is left in memory then
 */
export async function readSubmission(
  parts: AsyncIterable<MultipartEvent>,
  config: Config,
  budget: ByteBudget,
): Promise<ReadSubmission> {
  const reader = new SubmissionReader(config, budget);
  try {
    for await (const event of parts) reader.take(event);
    return reader.result();
  } catch (error) {
    reader.image?.erase();
    throw error;
  }
}

class SubmissionReader {
  readonly #config: Config;
  readonly #budget: ByteBudget;
  readonly #manifests: StoredManifest[] = [];
  #open: ManifestPart | PixelBuffer | null = null;
  image: PixelBuffer | null = null;

  constructor(config: Config, budget: ByteBudget) {
    this.#config = config;
    this.#budget = budget;
  }

  take(event: MultipartEvent): void {
    switch (event.type) {
      case "open":
        this.#open = this.#begin(event.headers);
        break;
      case "bytes":
        this.#open?.append(event.bytes);
        break;
      case "close":
        if (this.#open instanceof ManifestPart) this.#manifests.push(this.#open.finish());
        this.#open = null;
        break;
      default:
        event satisfies never;
    }
    if (this.#open instanceof ManifestPart) this.#open.assertSound();
  }

  result(): ReadSubmission {
    const { image } = this;
    if (!image) throw refuse("malformedRequest", "notOneImage");
    return { image, manifests: this.#manifests, [Symbol.dispose]: () => image.erase() };
  }

  #begin(headers: PartHeaders): ManifestPart | PixelBuffer {
    if (isManifestName(headers.name)) {
      if (this.image) throw refuse("malformedRequest", "manifestAfterImage");
      return new ManifestPart(headers, this.#manifests.length, this.#config, this.#budget);
    }
    if (headers.name !== "image" || !isFilePart(headers)) throw refuse("malformedRequest", "unexpectedPart");
    if (this.image) throw refuse("malformedRequest", "notOneImage");
    assertAccepted(headers, this.#config);
    this.image = new PixelBuffer(this.#config.maxImageBytes, this.#budget);
    return this.image;
  }
}
