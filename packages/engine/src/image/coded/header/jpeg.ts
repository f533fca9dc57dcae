import { undecodable } from "./declined.ts";
import { type CodedPicture, Numbers } from "./coded-picture.ts";
import { ExifFields } from "./exif.ts";

const TEM = 0x01;
const RST0 = 0xd0;
const RST7 = 0xd7;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP1 = 0xe1;
const EXIF = "Exif";
/** Markers among those of frame headers that begin no frame: Huffman tables, reserved, arithmetic conditioning. */
const NO_FRAME: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);
/** Frames coded progressively, Huffman or arithmetic, differential or not. */
const PROGRESSIVE: ReadonlySet<number> = new Set([0xc2, 0xc6, 0xca, 0xce]);
const BLOCK = 8;
const BYTES_PER_BLOCK = 128;

interface Component {
  readonly id: number;
  /** Sampling factors. */
  readonly across: number;
  readonly down: number;
  /** Blocks of a scan of this component alone. */
  readonly blocks: number;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly progressive: boolean;
  readonly components: readonly Component[];
  /** Minimum coded units of a scan of several components. */
  readonly units: number;
}

/**
 * Reads a JPEG file's marker segments (ISO/IEC 10918-1, annex B) from the first to the end of the image: the frame, and
 * every scan, for a decoder visits the blocks of each scan, whatever the scan holds.
 *
 * @throws {ImageDeclined} for a file without a frame and a scan
 */
export function readJpegHeader(bytes: Uint8Array): CodedPicture {
  const numbers = new Numbers(bytes, false);
  let frame: Frame | null = null;
  let visits = 0;
  let scans = 0;
  let whole = false;
  let segments = 0;
  const exif = new ExifFields();
  for (let at = 2; ; ) {
    at = nextMarker(bytes, at);
    const marker = numbers.u8(at - 1);
    if (at > bytes.length || marker === EOI) break;
    // Markers without a segment: a scan may have one after each of its units.
    if (marker === TEM || (marker >= RST0 && marker <= RST7)) continue;
    if (marker === SOI) throw undecodable();
    segments += 1;
    const length = numbers.u16(at);
    if (length < 2) throw undecodable();
    if (marker === SOS) {
      if (frame === null) throw undecodable();
      const scanned = componentsOfScan(frame, numbers, at + 2);
      visits += blocksOf(frame, scanned);
      scans += 1;
      // A picture in one scan is decoded row by row: nothing after that scan is read.
      whole = scans === 1 && !frame.progressive && scanned.length === frame.components.length;
      if (whole) break;
    } else if (marker >= 0xc0 && marker < 0xd0 && !NO_FRAME.has(marker)) {
      if (frame !== null) throw undecodable();
      frame = readFrame(numbers, at, marker);
    }
    if (marker === APP1 && numbers.tag(at + 2) === EXIF) exif.add(bytes.subarray(at + 2, at + length));
    at += length;
  }
  if (frame === null || visits === 0) throw undecodable();
  const blocks = frame.components.reduce((sum, component) => sum + component.blocks, 0);
  const padded = blocksOf(frame, frame.components);
  const { width, height } = frame;
  return {
    width,
    height,
    codecBytes: whole ? 0 : BYTES_PER_BLOCK * Math.max(blocks, padded),
    passes: visits / Math.max(blocks, padded),
    entries: segments,
    exifFields: exif.count,
  };
}

/** The position after the next marker, past fill bytes and coded data; past the end of the file when there is none. */
function nextMarker(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  for (let at = from; at + 1 < length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1]!;
    if (next !== 0xff && next !== 0) return at + 2;
  }
  return length + 1;
}

function readFrame(numbers: Numbers, at: number, marker: number): Frame {
  const [height, width, count] = [numbers.u16(at + 3), numbers.u16(at + 5), numbers.u8(at + 7)];
  if (width === 0 || height === 0 || count === 0 || count > 4) throw undecodable();
  const factors = Array.from({ length: count }, (_, i) => {
    const sampling = numbers.u8(at + 9 + 3 * i);
    return { id: numbers.u8(at + 8 + 3 * i), across: sampling >> 4, down: sampling & 15 };
  });
  if (factors.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)) {
    throw undecodable();
  }
  const widest = Math.max(...factors.map(({ across }) => across));
  const tallest = Math.max(...factors.map(({ down }) => down));
  const components = factors.map(({ id, across, down }) => {
    const columns = Math.ceil(Math.ceil((width * across) / widest) / BLOCK);
    const rows = Math.ceil(Math.ceil((height * down) / tallest) / BLOCK);
    return { id, across, down, blocks: columns * rows };
  });
  const units = Math.ceil(width / (BLOCK * widest)) * Math.ceil(height / (BLOCK * tallest));
  return { width, height, progressive: PROGRESSIVE.has(marker), components, units };
}

function componentsOfScan(frame: Frame, numbers: Numbers, at: number): readonly Component[] {
  const ids = Array.from({ length: numbers.u8(at) }, (_, i) => numbers.u8(at + 1 + 2 * i));
  const scanned = ids.flatMap((id) => frame.components.find((component) => component.id === id) ?? []);
  if (scanned.length === 0 || scanned.length < ids.length) throw undecodable();
  return scanned;
}

/** Blocks a scan goes through: a single component's own, or those of every unit, filled up at the edges. */
function blocksOf(frame: Frame, components: readonly Component[]): number {
  const [first] = components;
  if (components.length === 1 && first !== undefined) return first.blocks;
  return frame.units * components.reduce((sum, { across, down }) => sum + across * down, 0);
}
