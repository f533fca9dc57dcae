import type { Declined } from "../decoder/decoder.ts";
import type { Busy } from "./turns.ts";

/** The image is why there is no answer. */
export const FAILED: Declined = {
  outcome: "declined",
  name: "ImageFailed",
  message: "The image could not be examined.",
};

/** The engine itself is why there is no answer yet. */
export const SOON: Busy = { outcome: "busy", retryAfterSeconds: 1 };
