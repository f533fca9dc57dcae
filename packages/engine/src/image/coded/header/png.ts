import { undecodable } from "./declined.ts";
import { type CodedPicture, Numbers } from "./coded-picture.ts";
import { ExifFields } from "./exif.ts";

/** Samples a pixel by colour type (ISO/IEC 15948, 11.2.2). */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const FIRST_CHUNK = 8;
const CHUNK_FRAME = 12;
/** A palette or one transparent colour is spread to RGBA. */
const MOST_SAMPLES = 4;

/**
 * Reads a PNG file's header and counts its chunks.
 * @throws {ImageDeclined} for a file that does not begin with a header
 */
export function readPngHeader(bytes: Uint8Array): CodedPicture {
  const numbers = new Numbers(bytes, false);
  const at = FIRST_CHUNK + 8;
  const [width, height, depth] = [numbers.u32(at), numbers.u32(at + 4), numbers.u8(at + 8)];
  const samples = SAMPLES[numbers.u8(at + 9)];
  if (numbers.tag(FIRST_CHUNK + 4) !== "IHDR" || samples === undefined) throw undecodable();
  if (width === 0 || height === 0) throw undecodable();
  const interlaced = numbers.u8(at + 12) !== 0;
  const pixelBytes = MOST_SAMPLES * (depth === 16 ? 2 : 1);
  return {
    width,
    height,
    // Rows one after the other, or all of them until the last pass.
    codecBytes: pixelBytes * width * (interlaced ? height : 2),
    passes: 1,
    ...readChunks(bytes, numbers),
  };
}

/** Chunks but those of pixel data, which come in any number. */
function readChunks(bytes: Uint8Array, numbers: Numbers): Pick<CodedPicture, "entries" | "exifFields"> {
  let entries = 0;
  const exif = new ExifFields();
  for (let at = FIRST_CHUNK; at + CHUNK_FRAME <= numbers.length; ) {
    const [length, tag] = [numbers.u32(at), numbers.tag(at + 4)];
    if (tag === "IEND") break;
    if (tag !== "IDAT" && tag !== "fdAT") entries += 1;
    if (tag === "eXIf") exif.add(bytes.subarray(at + 8, at + 8 + length));
    at += CHUNK_FRAME + length;
  }
  return { entries, exifFields: exif.count };
}
