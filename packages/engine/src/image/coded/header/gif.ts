import { undecodable } from "./declined.ts";
import { type CodedPicture, Numbers } from "./coded-picture.ts";

const SCREEN = 6;
const FIRST_BLOCK = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
/** The screen and the frame drawn on it, RGBA. */
const PIXEL_BYTES = 8;

/** Reads a GIF file's screen and counts its frames and extensions, which the decoder lists before the first frame. */
export function readGifHeader(bytes: Uint8Array): CodedPicture {
  const numbers = new Numbers(bytes, true);
  let [width, height] = [numbers.u16(SCREEN), numbers.u16(SCREEN + 2)];
  let entries = 0;
  let at = FIRST_BLOCK + tableBytes(numbers.u8(SCREEN + 4));
  for (; at < numbers.length; entries += 1) {
    const kind = numbers.u8(at);
    if (kind === IMAGE) {
      // A frame that reaches beyond the screen makes the screen larger.
      width = Math.max(width, numbers.u16(at + 1) + numbers.u16(at + 5));
      height = Math.max(height, numbers.u16(at + 3) + numbers.u16(at + 7));
      at = pastSubBlocks(numbers, at + 11 + tableBytes(numbers.u8(at + 9)));
    } else if (kind === EXTENSION) {
      at = pastSubBlocks(numbers, at + 2);
    } else {
      break;
    }
  }
  if (width === 0 || height === 0) throw undecodable();
  return { width, height, codecBytes: PIXEL_BYTES * width * height, passes: 1, entries, exifFields: 0 };
}

/** Bytes of the colour table that a packed field announces. */
function tableBytes(packed: number): number {
  return packed >= 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

function pastSubBlocks(numbers: Numbers, from: number): number {
  let at = from;
  while (at < numbers.length && numbers.u8(at) !== 0) at += 1 + numbers.u8(at);
  return at + 1;
}
