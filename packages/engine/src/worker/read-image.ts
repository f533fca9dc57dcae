import type { Declined, Decoder } from "../decoder/decoder.ts";
import type { Picture } from "../image/coded/read-picture.ts";
import { FAILED, SOON } from "./no-answer.ts";
import type { Busy } from "./turns.ts";

/**
 * A picture whose decoding takes more memory is large: of these one is decoded at a time. Photographs of 24 megapixels
 * are not.
 */
const LARGE_BYTES = 402_653_184;
/** How often an image is given to a decoder, when processes end under it. */
const ATTEMPTS = 2;

/** Has an image decoded, in a further process when one ends under it; says so when it is large and may not be. */
export async function readImage(
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
