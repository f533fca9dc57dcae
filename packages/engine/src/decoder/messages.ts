import type { DecodeCost, DecodeOptions } from "../image/coded/decode-cost.ts";
import type { DeclineName } from "../image/coded/header/declined.ts";
import type { Picture } from "../image/coded/read-picture.ts";

/*
 * What a service and a decoder say to each other over two pipes. To the decoder: a length in four bytes (little-endian)
 * and so many bytes of an image, then, once it has said what decoding them costs, one byte: `DECODE` or `DROP`. From
 * the decoder: messages, each the lengths of two parts in four bytes each, a JSON text, and the raster that goes with
 * it, which may be empty.
 */

export const DECODE = 1;
export const DROP = 0;

/** Bytes of a length. */
export const LENGTH_BYTES = 4;

/** What a decoder is started with. */
export type DecoderSetting = DecodeOptions;

/** What a decoder says. */
export type DecoderMessage =
  /** It serves; the limits of libvips' cache, which must be 0. */
  | { readonly kind: "ready"; readonly cacheLimits: readonly number[] }
  | { readonly kind: "cost"; readonly cost: DecodeCost }
  | {
      readonly kind: "declined";
      readonly name: DeclineName;
      readonly message: string;
      readonly residentBytes: number;
    }
  | ({ readonly kind: "decoded"; readonly residentBytes: number } & CodedDescription)
  | { readonly kind: "dropped"; readonly residentBytes: number }
  /** The image took more than its cost said, and the process ends itself. */
  | { readonly kind: "exhausted"; readonly exceeded: "memory" | "time" };

/** A picture without its raster, which follows; hashes in hex. */
export interface CodedDescription {
  readonly width: number;
  readonly height: number;
  readonly contentHash: string;
  readonly pixelHash: string;
  readonly quantisation: number;
  readonly lumaWidth: number;
  readonly lumaHeight: number;
}

/** Frames a message; the raster goes as it is, after it. */
export function encodeMessage(message: DecoderMessage, rasterBytes: number): Uint8Array {
  const text = Buffer.from(JSON.stringify(message));
  const lengths = Buffer.alloc(2 * LENGTH_BYTES);
  lengths.writeUInt32LE(text.length, 0);
  lengths.writeUInt32LE(rasterBytes, LENGTH_BYTES);
  return Buffer.concat([lengths, text]);
}

export function describe(picture: Picture): CodedDescription {
  const { width, height, contentHash, pixelHash, quantisation, luma } = picture;
  return {
    width,
    height,
    contentHash: Buffer.from(contentHash).toString("hex"),
    pixelHash: Buffer.from(pixelHash).toString("hex"),
    quantisation,
    lumaWidth: luma.width,
    lumaHeight: luma.height,
  };
}

/** The picture of a description and the raster that came with it. */
export function pictureOf(description: CodedDescription, raster: Uint8Array): Picture {
  const { width, height, contentHash, pixelHash, quantisation, lumaWidth, lumaHeight } = description;
  return {
    width,
    height,
    contentHash: Uint8Array.from(Buffer.from(contentHash, "hex")),
    pixelHash: Uint8Array.from(Buffer.from(pixelHash, "hex")),
    quantisation,
    luma: { width: lumaWidth, height: lumaHeight, data: raster },
  };
}
