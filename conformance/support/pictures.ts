import { createHash, randomInt } from "node:crypto";
import { blake3 } from "@noble/hashes/blake3.js";
import sharp from "sharp";
import { encodePicture, paintPicture } from "@colophon/testing/pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A small picture nobody has registered yet, as a JPEG; every call paints another. */
export async function freshPicture(width = 96, height = 72): Promise<Bytes> {
  const rgb = paintPicture(randomInt(2 ** 31), width, height);
  return Uint8Array.from(await encodePicture(rgb, width, height, "jpeg"));
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
  const { width, height } = await sharp(picture).metadata();
  const [cropWidth, cropHeight] = [Math.round(width * Math.SQRT1_2), Math.round(height * Math.SQRT1_2)];
  const area = {
    left: Math.floor((width - cropWidth) / 2),
    top: Math.floor((height - cropHeight) / 2),
    width: cropWidth,
    height: cropHeight,
  };
  return Uint8Array.from(await sharp(picture).extract(area).jpeg({ quality: 50 }).toBuffer());
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
