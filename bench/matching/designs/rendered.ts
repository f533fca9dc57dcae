import sharp from "sharp";

/** A drawn picture, of any length of SVG, as PNG without alpha. */
export async function rendered(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg), { unlimited: true }).removeAlpha().png({ compressionLevel: 2 }).toBuffer();
}
