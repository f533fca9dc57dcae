import sharp from "sharp";

/** Pictures in equal tiles, `across` in a row, encoded as JPEG. */
export async function collage(
  pictures: readonly Uint8Array[],
  across: number,
  tile: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  const { width, height } = tile;
  const tiles = await Promise.all(
    pictures.map(async (picture, at) => ({
      input: await sharp(picture).resize(width, height).png().toBuffer(),
      left: (at % across) * width,
      top: Math.floor(at / across) * height,
    })),
  );
  const canvas = { width: across * width, height: Math.ceil(pictures.length / across) * height };
  return new Uint8Array(
    await sharp({ create: { ...canvas, channels: 3, background: "#ffffff" } })
      .composite(tiles)
      .jpeg({ quality: 90 })
      .toBuffer(),
  );
}
