import { refuse } from "@colophon/contract";
import type { Config } from "../../config/environment.ts";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { Body } from "./body.ts";
import { isManifest } from "./manifest-part.ts";
import { isFilePart, multipartBoundary } from "./part-headers.ts";
import type { MultipartEvent } from "./multipart.ts";
import { assertAccepted } from "./read-submission.ts";

/**
 * Reads the body of `POST /lookup`: exactly one file part, whatever its name, and nothing else.
 * @throws Refusal of every kind the route names for its body; nothing of the image is left in memory then
 */
export async function readQuery(
  parts: AsyncIterable<MultipartEvent>,
  config: Config,
  budget: ByteBudget,
): Promise<PixelBuffer> {
  let image: PixelBuffer | null = null;
  try {
    for await (const event of parts) {
      if (event.type === "open") {
        if (isManifest(event.headers) || !isFilePart(event.headers)) {
          throw refuse("malformedRequest", "unexpectedPart");
        }
        if (image) throw refuse("malformedRequest", "notOneImage");
        assertAccepted(event.headers, config);
        image = new PixelBuffer(config.maxImageBytes, budget);
      } else if (event.type === "bytes") {
        image?.append(event.bytes);
      }
    }
    if (!image) throw refuse("malformedRequest", "notOneImage");
    return image;
  } catch (error) {
    image?.erase();
    throw error;
  }
}

/**
 * Reads a query image that is the whole body, under its own content type, or else the only file part of a multipart
 * one.
 * @throws Refusal of every kind the route names for its body; nothing of the image is left in memory then
 */
export async function readBareOrOnlyImage(
  body: Body,
  contentType: string | undefined,
  config: Config,
): Promise<PixelBuffer> {
  if (multipartBoundary(contentType) !== null) {
    return readQuery(body.parts(config.maxRequestBytes), config, body.hold);
  }
  assertAccepted({ contentType: contentType ?? null }, config);
  const image = new PixelBuffer(config.maxImageBytes, body.hold);
  try {
    for await (const chunk of body.chunks(config.maxRequestBytes)) image.append(chunk);
    return image;
  } catch (error) {
    image.erase();
    throw error;
  }
}
