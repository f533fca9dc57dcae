import { undecodable } from "./declined.ts";
import { type CodedPicture, Numbers } from "./coded-picture.ts";
import { AvifExif } from "./avif-exif.ts";

/**
 * Boxes on the way to the sizes of a file's items and to what these are (ISO/IEC 23008-12, 6.5.3), and what precedes
 * their children.
 */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0, iinf: 6 };
/** A list of items counts them in two bytes more from version 1 on. */
const LONG_LIST = 8;
/** Planes of the picture and its alpha in up to 16 bits, and RGBA. */
const PIXEL_BYTES = 9;

/** Reads the sizes that an AVIF file gives of its items; the largest one bounds the picture. */
export function readAvifHeader(bytes: Uint8Array): CodedPicture {
  const sizes: { readonly width: number; readonly height: number }[] = [];
  const numbers = new Numbers(bytes, false);
  const exif = new AvifExif(bytes, numbers);
  const entries = visitBoxes(numbers, 0, numbers.length, (tag, at, end) => {
    if (tag === "ispe") sizes.push({ width: numbers.u32(at + 4), height: numbers.u32(at + 8) });
    exif.visit(tag, at, end);
  });
  const pixels = Math.max(0, ...sizes.map(({ width, height }) => width * height));
  const largest = sizes.find(({ width, height }) => width * height === pixels);
  if (largest === undefined || pixels === 0) throw undecodable();
  const codecBytes = PIXEL_BYTES * pixels;
  return { ...largest, codecBytes, passes: 1, entries, exifFields: exif.countFields() };
}

/** Calls back for every box with where its contents begin and end; returns how many there were. */
function visitBoxes(
  numbers: Numbers,
  from: number,
  to: number,
  visit: (tag: string, at: number, end: number) => void,
): number {
  let boxes = 0;
  for (let box = from; box + 8 <= to; boxes += 1) {
    const [length, tag] = [numbers.u32(box), numbers.tag(box + 4)];
    // A length of 1 announces one of 64 bits, behind the tag; 0 is the last box of the file.
    const isLong = length === 1;
    const at = box + (isLong ? 16 : 8);
    const size = isLong ? 2 ** 32 * numbers.u32(box + 8) + numbers.u32(box + 12) : length;
    const end = length === 0 ? to : Math.min(to, Math.max(at, box + size));
    visit(tag, at, end);
    const before = tag === "iinf" && numbers.u8(at) > 0 ? LONG_LIST : CONTAINERS[tag];
    if (before !== undefined) boxes += visitBoxes(numbers, at + before, end, visit);
    box = end;
  }
  return boxes;
}
