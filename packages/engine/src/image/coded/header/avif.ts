import { undecodable } from "./declined.ts";
import { type CodedPicture, Numbers } from "./coded-picture.ts";

/** Boxes on the way to the sizes of a file's items (ISO/IEC 23008-12, 6.5.3), and what precedes their children. */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 };
/** Planes of the picture and its alpha in up to 16 bits, and RGBA. */
const PIXEL_BYTES = 9;

/** Reads the sizes that an AVIF file gives of its items; the largest one bounds the picture. */
export function readAvifHeader(bytes: Uint8Array): CodedPicture {
  const sizes: { readonly width: number; readonly height: number }[] = [];
  const numbers = new Numbers(bytes, false);
  const entries = visitBoxes(numbers, 0, numbers.length, (at) => {
    sizes.push({ width: numbers.u32(at + 12), height: numbers.u32(at + 16) });
  });
  const pixels = Math.max(0, ...sizes.map(({ width, height }) => width * height));
  const largest = sizes.find(({ width, height }) => width * height === pixels);
  if (largest === undefined || pixels === 0) throw undecodable();
  return { ...largest, codecBytes: PIXEL_BYTES * pixels, passes: 1, entries, exifFields: 0 };
}

/** Calls back for every `ispe` box; returns how many boxes there were. */
function visitBoxes(numbers: Numbers, from: number, to: number, size: (at: number) => void): number {
  let boxes = 0;
  for (let at = from; at + 8 <= to; boxes += 1) {
    const [length, tag] = [numbers.u32(at), numbers.tag(at + 4)];
    // A length of 1 announces one of 64 bits, which no box here needs; 0 is the last box of the file.
    const end = length === 0 ? to : Math.min(to, at + Math.max(8, length));
    const before = CONTAINERS[tag];
    if (tag === "ispe") size(at);
    if (before !== undefined) boxes += visitBoxes(numbers, at + 8 + before, end, size);
    at = length === 1 ? to : end;
  }
  return boxes;
}
