import { createHash } from "node:crypto";
import type { Rgb } from "./luma.ts";

/**
 * SHA-256 over the ASCII bytes `colophon pixels 1`, width and height as uint32 big-endian, then the upright picture's
 * RGB bytes row by row: equal for two files exactly when they show the same pixels.
 */
export function hashPixels({ width, height, data }: Rgb): Uint8Array {
  const size = new DataView(new ArrayBuffer(8));
  size.setUint32(0, width);
  size.setUint32(4, height);
  return new Uint8Array(createHash("sha256").update("colophon pixels 1").update(size).update(data).digest());
}
