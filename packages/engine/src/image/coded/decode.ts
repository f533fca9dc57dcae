import { discard } from "../discard.ts";
import sharp from "sharp";
import type { DecodeOptions } from "./decode-cost.ts";
import { undecodable } from "./header/declined.ts";
import type { DecodableType } from "./media-type.ts";
import type { Rgb } from "../luma.ts";

/** The decoders of libvips that read each media type; every other loader stays blocked. */
const LOADERS: Readonly<Record<DecodableType, string>> = {
  "image/jpeg": "VipsForeignLoadJpegBuffer",
  "image/png": "VipsForeignLoadPngBuffer",
  "image/webp": "VipsForeignLoadWebpBuffer",
  "image/gif": "VipsForeignLoadNsgifBuffer",
  "image/tiff": "VipsForeignLoadTiffBuffer",
  "image/avif": "VipsForeignLoadHeifBuffer",
};

/**
 * Sets libvips up for this process: no operation cache, one thread a picture, and no loader but those of the accepted
 * types; types without a decoder here are ignored. The import of sharp in a further thread undoes it, so it is called
 * wherever sharp is imported.
 */
export function restrictDecoders(acceptedTypes: readonly string[]): void {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  const operation = acceptedTypes.flatMap((type) => LOADERS[type as DecodableType] ?? []);
  if (operation.length > 0) sharp.unblock({ operation });
}

/**
 * What libvips may keep of pictures that it has decoded: bytes, files and operations. All are 0 when it keeps nothing.
 */
export function cacheLimits(): readonly number[] {
  const { memory, files, items } = sharp.cache();
  return [memory.max, files.max, items.max];
}

/** What libvips is given with every input: strict, first page only, profiles aside. */
const INPUT = { failOn: "warning", ignoreIcc: true, pages: 1 } as const;

/**
 * Decodes an image whose cost was accepted to upright 8-bit RGB: the first frame or page, the orientation tag applied,
 * transparency laid on white, CMYK converted, 16-bit samples narrowed. Embedded RGB profiles are ignored: sample values
 * are taken as sRGB, so that the raster depends on the pixels alone. The caller owns the raster and discards it.
 *
 * @throws {ImageDeclined} for bytes that do not decode without a warning
 */
export async function decodeImage(
  image: Uint8Array,
  options: Pick<DecodeOptions, "maxImagePixels">,
): Promise<Rgb> {
  const pipeline = sharp(image, { ...INPUT, limitInputPixels: options.maxImagePixels, autoOrient: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" });
  const { data, info } = await pipeline.toBuffer({ resolveWithObject: true }).catch(() => {
    throw undecodable();
  });
  return { width: info.width, height: info.height, data: threeChannels(data, info.channels) };
}

/** Zeroes a raster and gives its memory back now. The raster is empty afterwards. */
export function discardRaster({ data }: Rgb): void {
  discard(data);
}

/** Grey pictures come with one channel; everything later expects three. */
function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const rgb = new Uint8Array((data.length / channels) * 3);
  for (let from = 0, to = 0; from < data.length; from += channels, to += 3) {
    const grey = data[from]!;
    rgb[to] = grey;
    rgb[to + 1] = grey;
    rgb[to + 2] = grey;
  }
  discard(data);
  return rgb;
}
