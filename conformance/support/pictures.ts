import { createHash } from "node:crypto";
import { blake3 } from "@noble/hashes/blake3.js";
import sharp from "sharp";
import { cropped } from "@colophon/testing/reposts.ts";
import { freshPicture as freshBytes } from "@colophon/testing/test-pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A small picture nobody has registered yet, as a JPEG; every call paints another. */
export async function freshPicture(width = 96, height = 72): Promise<Bytes> {
  return Uint8Array.from(await freshBytes(width, height));
}

/** The same, large enough to be found by its crops. */
export function freshScene(): Promise<Bytes> {
  return freshPicture(480, 360);
}

/** A scene of 12 megapixels in few bytes: it keeps a decoder and a worker for much longer than it takes to arrive. */
export async function vastScene(): Promise<Bytes> {
  return Uint8Array.from(
    await sharp(await freshScene())
      .resize(4_000)
      .jpeg({ quality: 30 })
      .toBuffer(),
  );
}

/** The middle half of a picture's area, saved again as a JPEG of quality 50. */
export async function croppedCopy(picture: Bytes): Promise<Bytes> {
  return Uint8Array.from(await cropped(picture, Math.SQRT1_2));
}

/** The same picture in another format, pixel for pixel as far as the format allows. */
export async function reencoded(picture: Bytes, format: "png" | "webp"): Promise<Bytes> {
  return Uint8Array.from(await sharp(picture).toFormat(format).toBuffer());
}

/** SHA-256, lowercase hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** BLAKE3-256, lowercase hex. */
export function blake3Hex(bytes: Uint8Array): string {
  return Buffer.from(blake3(bytes)).toString("hex");
}
