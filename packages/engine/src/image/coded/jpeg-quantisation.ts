const START_OF_IMAGE = 0xffd8;
const QUANTISATION = 0xdb;
const START_OF_SCAN = 0xda;
/** AC terms averaged, from the lowest frequency on. */
const TERMS = 10;

/** Mean of the first ten AC terms of table 0 in a DQT segment's payload; null when the segment does not hold it. */
function meanOfTable0(segment: Uint8Array): number | null {
  let at = 0;
  while (at < segment.length) {
    const wide = segment[at]! >> 4 !== 0;
    const size = wide ? 128 : 64;
    if (at + 1 + size > segment.length) return null;
    if ((segment[at]! & 15) === 0) {
      let sum = 0;
      for (let k = 1; k <= TERMS; k += 1) {
        sum += wide ? segment[at + 1 + 2 * k]! * 256 + segment[at + 2 + 2 * k]! : segment[at + 1 + k]!;
      }
      return sum / TERMS;
    }
    at += 1 + size;
  }
  return null;
}

/**
 * How coarsely a JPEG file's luma is quantised: the mean of the ten lowest AC terms of its quantisation table 0
 * (ISO/IEC 10918-1, B.2.4.1), 1 for the finest; 0 for anything that is not a JPEG with such a table.
 */
export function jpegQuantisation(bytes: Uint8Array): number {
  if (bytes.length < 4 || bytes[0]! * 256 + bytes[1]! !== START_OF_IMAGE) return 0;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) return 0;
    const length = bytes[at + 2]! * 256 + bytes[at + 3]!;
    if (marker === QUANTISATION) {
      const mean = meanOfTable0(bytes.subarray(at + 4, Math.min(bytes.length, at + 2 + length)));
      if (mean !== null) return mean;
    }
    at += 2 + length;
  }
  return 0;
}
