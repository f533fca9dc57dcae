import sharp from "sharp";
import type { Rgb } from "@colophon/engine/lab";

const GAP = 8;

/** An encoded picture, upright, shrunk to at most `longest` pixels on its longer side. */
export async function readRgb(image: Uint8Array, longest: number): Promise<Rgb> {
  const { data, info } = await sharp(image)
    .autoOrient()
    .resize(longest, longest, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#fff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Writes pictures beside each other as one PNG file. */
export async function writeSideBySide(pictures: readonly Rgb[], file: string): Promise<void> {
  let left = 0;
  const placed = pictures.map(({ width, height, data }) => {
    const at = left;
    left += width + GAP;
    return { input: Buffer.from(data), raw: { width, height, channels: 3 as const }, left: at, top: 0 };
  });
  const height = Math.max(...pictures.map((picture) => picture.height));
  const canvas = { width: left, height, channels: 3 as const, background: "#888" };
  await sharp({ create: canvas }).composite(placed).png().toFile(file);
}
