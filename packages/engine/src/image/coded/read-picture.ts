import { setImmediate } from "node:timers/promises";
import { COMPARISON_SIDE, type Luma } from "../luma.ts";
import { blake3 } from "../../wasm/blake3.ts";
import { decodeImage, discardRaster } from "./decode.ts";
import type { DecodeOptions } from "./decode-cost.ts";
import { jpegQuantisation } from "./jpeg-quantisation.ts";
import { hashPixels } from "../pixel-hash.ts";
import { lumaOf } from "../raster.ts";

/** All that is needed of an image's bytes and of its full raster. */
export interface Picture {
  /** Upright full-size picture, pixels. */
  readonly width: number;
  readonly height: number;
  /** BLAKE3-256 of the image's bytes. */
  readonly contentHash: Uint8Array;
  /** SHA-256 of the decoded picture in the canonical form of `hashPixels`. */
  readonly pixelHash: Uint8Array;
  /** `jpegQuantisation` of the image's bytes. */
  readonly quantisation: number;
  /** The upright picture at no more than `COMPARISON_SIDE`; its holder zeroes it. */
  readonly luma: Luma;
}

/**
 * Decodes an image whose cost was accepted. The full raster is zeroed and its memory given back before this returns.
 *
 * @throws {ImageDeclined} for bytes that do not decode
 */
export async function readPicture(image: Uint8Array, options: DecodeOptions): Promise<Picture> {
  const raster = await decodeImage(image, options);
  try {
    return {
      width: raster.width,
      height: raster.height,
      contentHash: blake3(image),
      pixelHash: hashPixels(raster),
      quantisation: jpegQuantisation(image),
      luma: lumaOf(raster, COMPARISON_SIDE),
    };
  } finally {
    discardRaster(raster);
    // The memory of a raster goes back between two turns of the event loop.
    await setImmediate();
  }
}
