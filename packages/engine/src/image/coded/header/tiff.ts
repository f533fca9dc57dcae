import { undecodable } from "./declined.ts";
import { type CodedPicture, Numbers } from "./coded-picture.ts";

const LITTLE = 0x49;
const FIELD = 12;
const SHORT = 3;
const WIDTH = 256;
const LENGTH = 257;
const BITS = 258;
const SAMPLES = 277;
const STRIP_ROWS = 278;
const TILE_WIDTH = 322;
const TILE_LENGTH = 323;
/** Pages counted; more are not told apart. */
const MOST_PAGES = 100_000;

/** Reads the first directory of a TIFF file (TIFF 6.0, section 2) and counts the others. */
export function readTiffHeader(bytes: Uint8Array): CodedPicture {
  const numbers = new Numbers(bytes, bytes[0] === LITTLE);
  const first = numbers.u32(4);
  const fields = readFields(numbers, first);
  const [width, height] = [fields.get(WIDTH) ?? 0, fields.get(LENGTH) ?? 0];
  if (width === 0 || height === 0) throw undecodable();
  const pixelBytes = Math.ceil((fields.get(SAMPLES) ?? 1) * ((fields.get(BITS) ?? 1) / 8));
  const tile =
    (fields.get(TILE_WIDTH) ?? width) * (fields.get(TILE_LENGTH) ?? fields.get(STRIP_ROWS) ?? height);
  return {
    width,
    height,
    // Rows of tiles that are wider or taller than the picture, and the picture where it is read at once.
    codecBytes: Math.max(1, pixelBytes) * (width * height + 2 * tile),
    passes: 1,
    entries: countPages(numbers, first) + numbers.u16(first),
    exifFields: 0,
  };
}

/** The directory's fields by tag: the first value of each, for those kept here have one or equal ones. */
function readFields(numbers: Numbers, directory: number): ReadonlyMap<number, number> {
  const fields = new Map<number, number>();
  for (let i = 0; i < numbers.u16(directory); i += 1) {
    const at = directory + 2 + FIELD * i;
    const [type, count] = [numbers.u16(at + 2), numbers.u32(at + 4)];
    const inline = count * (type === SHORT ? 2 : 4) <= 4;
    const value = inline ? at + 8 : numbers.u32(at + 8);
    fields.set(numbers.u16(at), type === SHORT ? numbers.u16(value) : numbers.u32(value));
  }
  return fields;
}

function countPages(numbers: Numbers, first: number): number {
  let pages = 0;
  for (let at = first; at !== 0 && pages < MOST_PAGES; pages += 1) {
    at = numbers.u32(at + 2 + FIELD * numbers.u16(at));
  }
  return pages;
}
