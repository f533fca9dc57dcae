import { undecodable } from "./declined.ts";
import { type CodedPicture, Numbers } from "./coded-picture.ts";
import { ExifFields } from "./exif.ts";

const FIRST_CHUNK = 12;
const CHUNK_HEADER = 8;
/** A picture by itself and a copy, RGBA each; measured, 5.3 bytes a pixel at most. */
const STILL_PIXEL_BYTES = 8;
/** Of an animation the canvas, the one before, the frame drawn on it, and a copy. */
const ANIMATED_PIXEL_BYTES = 16;
/** The flag of an animation in an extended header. */
const ANIMATION = 0x02;

/**
 * Reads a WebP file's chunks (RFC 9649): the canvas or the single picture, whether it moves, and how many there are.
 */
export function readWebpHeader(bytes: Uint8Array): CodedPicture {
  const numbers = new Numbers(bytes, true);
  let size: { readonly width: number; readonly height: number } | null = null;
  let isAnimated = false;
  let chunks = 0;
  const exif = new ExifFields();
  for (let at = FIRST_CHUNK; at + CHUNK_HEADER <= numbers.length; ) {
    size ??= sizeIn(numbers, at);
    isAnimated ||= movesIn(numbers, at);
    chunks += 1;
    const length = numbers.u32(at + 4);
    if (numbers.tag(at) === "EXIF") exif.add(bytes.subarray(at + CHUNK_HEADER, at + CHUNK_HEADER + length));
    at += CHUNK_HEADER + length + (length % 2);
  }
  if (size === null || size.width === 0 || size.height === 0) throw undecodable();
  const pixelBytes = isAnimated ? ANIMATED_PIXEL_BYTES : STILL_PIXEL_BYTES;
  const codecBytes = pixelBytes * size.width * size.height;
  return { ...size, codecBytes, passes: 1, entries: chunks, exifFields: exif.count };
}

/** Whether the chunk says that the picture moves, or is one of its frames. */
function movesIn(numbers: Numbers, at: number): boolean {
  const tag = numbers.tag(at);
  return tag === "ANMF" || (tag === "VP8X" && (numbers.u8(at + CHUNK_HEADER) & ANIMATION) !== 0);
}

function sizeIn(numbers: Numbers, at: number): { width: number; height: number } | null {
  const data = at + CHUNK_HEADER;
  switch (numbers.tag(at)) {
    case "VP8X":
      return { width: numbers.u24(data + 4) + 1, height: numbers.u24(data + 7) + 1 };
    case "VP8L": {
      const packed = numbers.u32(data + 1);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { width: numbers.u16(data + 6) & 0x3fff, height: numbers.u16(data + 8) & 0x3fff };
    default:
      return null;
  }
}
