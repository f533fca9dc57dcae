import { refuse } from "@colophon/contract";
import type { Config } from "../../config/environment.ts";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { PixelBuffer } from "../../custody/pixel-buffer.ts";
import { isManifestName } from "./manifest-part.ts";
import { isFilePart } from "./part-headers.ts";
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
        if (isManifestName(event.headers.name) || !isFilePart(event.headers)) {
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
