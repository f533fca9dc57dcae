import sharp from "sharp";
import type { Rgb } from "./raster.ts";

/** The decoders of libvips that read each media type; every other loader stays blocked. */
const LOADERS: Readonly<Record<string, readonly string[]>> = {
  "image/jpeg": ["VipsForeignLoadJpegBuffer"],
  "image/png": ["VipsForeignLoadPngBuffer"],
  "image/webp": ["VipsForeignLoadWebpBuffer"],
  "image/gif": ["VipsForeignLoadNsgifBuffer"],
  "image/tiff": ["VipsForeignLoadTiffBuffer"],
  "image/avif": ["VipsForeignLoadHeifBuffer"],
};

/** Why an image was declined. Messages are fixed sentences: nothing of the image enters them. */
export type DeclineName = "ImageUndecodable" | "ImageTooManyPixels" | "ImageTooSlow";

/** Thrown while one image is examined; carries no bytes, no metadata and no decoder message. */
export class ImageDeclined extends Error {
  override readonly name: DeclineName;

  constructor(name: DeclineName, message: string) {
    super(message);
    this.name = name;
  }
}

/** Media types this engine has decoders for. */
export const decodableTypes: readonly string[] = Object.keys(LOADERS);

let restricted = false;

/**
 * Sets libvips up for this process: no operation cache, one thread a picture, and no loader but those of the accepted
 * types. Call it before the first decode; later calls only add types. Types without a decoder here are ignored.
 */
export function restrictDecoders(acceptedTypes: readonly string[]): void {
  if (!restricted) {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ["VipsForeignLoad"] });
    restricted = true;
  }
  const operation = acceptedTypes.flatMap((type) => LOADERS[type] ?? []);
  if (operation.length > 0) sharp.unblock({ operation });
}

function hasAscii(image: Uint8Array, at: number, ascii: string): boolean {
  for (let i = 0; i < ascii.length; i++) if (image[at + i] !== ascii.charCodeAt(i)) return false;
  return true;
}

/** The media type the first bytes announce, or null. */
export function sniffMediaType(image: Uint8Array): string | null {
  if (hasAscii(image, 0, "\xff\xd8\xff")) return "image/jpeg";
  if (hasAscii(image, 0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (hasAscii(image, 0, "RIFF") && hasAscii(image, 8, "WEBP")) return "image/webp";
  if (hasAscii(image, 0, "GIF87a") || hasAscii(image, 0, "GIF89a")) return "image/gif";
  if (hasAscii(image, 0, "II*\0") || hasAscii(image, 0, "MM\0*")) return "image/tiff";
  if (hasAscii(image, 4, "ftypavif") || hasAscii(image, 4, "ftypavis")) return "image/avif";
  return null;
}

export interface DecodeOptions {
  readonly acceptedTypes: readonly string[];
  readonly maxImagePixels: number;
  /** Decoding stops after about this long, seconds. */
  readonly timeoutSeconds: number;
}

const undecodable = (): ImageDeclined =>
  new ImageDeclined("ImageUndecodable", "The bytes are not an image that an accepted decoder reads.");

/** An image whose header has been read and accepted. */
export interface ImageHeader {
  /** Pixels of the picture once decoded. */
  readonly pixels: number;
}

/** What libvips is told about every input: strict, first page only, profiles aside; our own check bounds the pixels. */
const INPUT = { failOn: "warning", ignoreIcc: true, limitInputPixels: false, pages: 1 } as const;

/**
 * Reads the header of an image and decides whether it may be decoded.
 *
 * @throws {ImageDeclined} for bytes of no accepted type, an unreadable header, or too many pixels
 */
export async function readHeader(image: Uint8Array, options: DecodeOptions): Promise<ImageHeader> {
  const type = sniffMediaType(image);
  if (type === null || !options.acceptedTypes.includes(type)) throw undecodable();
  const { width, height } = await sharp(image, INPUT)
    .metadata()
    .catch(() => {
      throw undecodable();
    });
  if (width * height > options.maxImagePixels) {
    throw new ImageDeclined("ImageTooManyPixels", "The image has more pixels than this deployment accepts.");
  }
  return { pixels: width * height };
}

/**
 * Decodes an image whose header was accepted to upright 8-bit RGB: the first frame or page, the orientation tag
 * applied, transparency laid on white, CMYK converted, 16-bit samples narrowed. Embedded RGB profiles are ignored: sample
 * values are taken as sRGB, so that the raster depends on the pixels alone. The caller owns the raster and discards it.
 *
 * @throws {ImageDeclined} for bytes that do not decode without a warning, or too slow a decode
 */
export async function decodeImage(image: Uint8Array, options: DecodeOptions): Promise<Rgb> {
  const pipeline = sharp(image, { ...INPUT, limitInputPixels: options.maxImagePixels, autoOrient: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .timeout({ seconds: options.timeoutSeconds })
    .raw({ depth: "uchar" });
  const { data, info } = await pipeline.toBuffer({ resolveWithObject: true }).catch((error: unknown) => {
    if (error instanceof Error && error.message.includes("timeout")) {
      throw new ImageDeclined("ImageTooSlow", "The image took too long to decode.");
    }
    throw undecodable();
  });
  return { width: info.width, height: info.height, data: threeChannels(data, info.channels) };
}

/** Zeroes a raster and gives its memory back now, not when the collector gets to it. The raster is empty afterwards. */
export function discardRaster({ data }: Rgb): void {
  data.fill(0);
  const { buffer } = data;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === data.byteLength) buffer.transfer(0);
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
  data.fill(0);
  return rgb;
}
