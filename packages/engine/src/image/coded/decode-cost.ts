import { type DecodableType, sniffMediaType } from "./media-type.ts";
import { tooCostly, tooManyPixels, undecodable } from "./header/declined.ts";
import { readAvifHeader } from "./header/avif.ts";
import type { CodedPicture } from "./header/coded-picture.ts";
import { MOST_EXIF_FIELDS } from "./header/exif.ts";
import { readGifHeader } from "./header/gif.ts";
import { readJpegHeader } from "./header/jpeg.ts";
import { readPngHeader } from "./header/png.ts";
import { readTiffHeader } from "./header/tiff.ts";
import { readWebpHeader } from "./header/webp.ts";

/** What a picture may cost beyond its pixels, each with its reason. */
export const DECODE_LIMITS = {
  /**
   * Passes over a picture's blocks. Encoders make 1 scan of a component, or 4 to 6 progressive ones, scripts made to
   * save every byte up to a dozen; each costs a visit of every block, even when it holds nothing.
   */
  passes: 32,
  /**
   * Segments, chunks, frames and pages. Files hold some dozens, animations some thousands; libjpeg keeps segments in a
   * list that it walks from the start for each further one.
   */
  entries: 10_000,
  /**
   * Bytes of memory for each pixel that a deployment accepts: 16-bit RGBA or CMYK coefficients at once (8), and the
   * rasters (7). Moving WebP and AVIF pictures of the largest size take more, and are declined where that is so: moving
   * WebP from 0.7 of that size.
   */
  bytesPerPixel: 16,
} as const;

/** The raster of RGB, and a second one while the picture is turned upright or grey is spread. */
const RASTER_BYTES = 7;
/** Working rows of the reduction to luma, for each pixel of the width. */
const ROW_BYTES = 8;
/**
 * Seconds of the processor for any image, and for each million pixels: some ten times what the slowest coding takes.
 */
const LEAST_SECONDS = 10;
const SECONDS_PER_MEGAPIXEL = 0.2;

const READERS: Readonly<Record<DecodableType, (bytes: Uint8Array) => CodedPicture>> = {
  "image/jpeg": readJpegHeader,
  "image/png": readPngHeader,
  "image/webp": readWebpHeader,
  "image/gif": readGifHeader,
  "image/tiff": readTiffHeader,
  "image/avif": readAvifHeader,
};

export interface DecodeOptions {
  readonly acceptedTypes: readonly string[];
  readonly maxImagePixels: number;
}

/** What decoding an image takes at most, known before it begins. */
export interface DecodeCost {
  /** Beyond what a decoder at rest holds, the posted bytes aside. */
  readonly memoryBytes: number;
  /** The processor's. */
  readonly seconds: number;
}

/**
 * Reads the headers of an image and decides whether it may be decoded: nothing is decoded for it.
 *
 * @throws {ImageDeclined} for bytes of no accepted type, an unreadable header, too many pixels, or a file that costs
 *   more than pictures of its size do
 */
export function decodeCost(image: Uint8Array, options: DecodeOptions): DecodeCost {
  const type = sniffMediaType(image);
  if (type === null || !options.acceptedTypes.includes(type)) throw undecodable();
  const { width, height, codecBytes, passes, entries, exifFields } = READERS[type](image);
  const pixels = width * height;
  if (pixels > options.maxImagePixels) throw tooManyPixels();
  if (passes > DECODE_LIMITS.passes || entries > DECODE_LIMITS.entries) throw tooCostly();
  if (exifFields > MOST_EXIF_FIELDS) throw tooCostly();
  const memoryBytes = codecBytes + RASTER_BYTES * pixels + ROW_BYTES * width;
  if (memoryBytes > DECODE_LIMITS.bytesPerPixel * Math.max(LEAST_PIXELS, options.maxImagePixels)) {
    throw tooCostly();
  }
  return { memoryBytes, seconds: LEAST_SECONDS + (SECONDS_PER_MEGAPIXEL * pixels) / 1e6 };
}

/** A deployment that accepts small pictures only has no tighter bound on memory than this many pixels give. */
const LEAST_PIXELS = 16_000_000;
