import { BITS_STRIDE } from "../features/binarise.ts";
import type { Features } from "../features/features.ts";
import { firstFeatures } from "../features/join-features.ts";
import type { StoredOriginal } from "./original.ts";
import { VOCABULARY_VERSION } from "../learned/vocabulary-file.ts";

/**
 * Version of the packets that are made: of the layout below and of what is in it. Those of version 3 do not say what
 * blocks show, and have one number less; those of versions 1 and 2 have two less, and no points of small rasters; those
 * of version 1 have points described by every sample instead of every second. All are compared alike. Any other is
 * refused by name, never guessed at.
 */
export const PACKET_VERSION = 4;
const READ_VERSIONS: readonly number[] = [1, 2, 3, PACKET_VERSION];

/** The first versions whose packets say how many points are the original's own, and what blocks show. */
const WITH_OWN_POINTS = 3;
const WITH_KINDS = 4;

/** Most points of an original, those of its small rasters included. */
export const MAX_PACKET_POINTS = 600;

/*
 * Little-endian, one piece:
 *
 *     0  3  "CLP"
 *     3  1  version
 *     4  2  vocabulary version
 *     6  2  raster width     8  2  raster height, pixels
 *    10  2  points (n)
 *    12  2  bytes of the whole-picture signature (a)
 *    14  2  bytes of the residual signature (b)
 *    16 16  packet id
 *    32  2 points of the main raster, the first of all
 *    34  2  bytes of what the blocks show (c)
 *    36  5n positions: x 12 bits and y 12 bits in eighths of a pixel from the raster's edge, angle 8 bits in 1/256
 *           of a turn, size 8 bits in 1/24 of a doubling
 *    .. 16n descriptors, 128 bits each
 *    ..  2n word tags
 *    ..  a  whole-picture signature
 *    ..  b  residual signature
 *    ..  c  what the blocks show
 */
const MAGIC = [0x43, 0x4c, 0x50] as const;
const PACKET_ID_AT = 16;
const OWN_POINTS_AT = 32;
const KINDS_AT = 34;
const HEADER = 36;
const PACKET_ID = 16;
const POSITION = 5;
const PER_POINT = POSITION + 4 * BITS_STRIDE + 2;
const MAX_SIDE = 511;
const MAX_SIGNATURE = 8192;
const POSITION_STEPS = 8;
const ANGLE_STEPS = 256 / (2 * Math.PI);
const SIZE_STEPS = 24;

/** Bytes of the numbers that a packet begins with. */
function headerOf(version: number): number {
  if (version >= WITH_KINDS) return HEADER;
  return version >= WITH_OWN_POINTS ? KINDS_AT : OWN_POINTS_AT;
}

/** Whether packets of a version can be read. */
export function isReadVersion(version: number): boolean {
  return READ_VERSIONS.includes(version);
}

/** The bytes are not a registration packet of a version and vocabulary that are read. */
export class PacketUnreadable extends Error {
  override readonly name = "PacketUnreadable";

  constructor() {
    super("The bytes are not a registration packet that this engine reads.");
  }
}

function positionStep(position: number, side: number): number {
  return Math.min(side * POSITION_STEPS, Math.max(0, Math.round((position + 0.5) * POSITION_STEPS)));
}

function writePositions(view: DataView, features: Features): void {
  for (let i = 0, at = HEADER; i < features.count; i += 1, at += POSITION) {
    const x = positionStep(features.x[i]!, features.width);
    const y = positionStep(features.y[i]!, features.height);
    view.setUint8(at, x & 255);
    view.setUint8(at + 1, (x >> 8) | ((y & 15) << 4));
    view.setUint8(at + 2, y >> 4);
    view.setUint8(at + 3, Math.round(features.angle[i]! * ANGLE_STEPS) & 255);
    const size = Math.round(SIZE_STEPS * Math.log2(features.size[i]!));
    view.setUint8(at + 4, Math.min(255, Math.max(0, size)));
  }
}

/**
 * Packs one original. Positions, angles and sizes are rounded to the packet's steps.
 *
 * @throws {RangeError} for more points, a larger raster or longer signatures than the layout holds
 */
export function encodePacket(original: StoredOriginal): Uint8Array {
  const { features, placing, wordTags, whole, residual, kinds, packetId } = original;
  const { width, height, count, bits } = placing;
  const fits =
    packetId.length === PACKET_ID &&
    count <= MAX_PACKET_POINTS &&
    Math.max(width, height) <= MAX_SIDE &&
    Math.max(whole.length, residual.length, kinds.length) <= MAX_SIGNATURE;
  if (!fits) throw new RangeError("The original does not fit a registration packet.");
  const packet = new Uint8Array(HEADER + count * PER_POINT + whole.length + residual.length + kinds.length);
  const view = new DataView(packet.buffer);
  packet.set([...MAGIC, PACKET_VERSION]);
  for (const [i, value] of [
    VOCABULARY_VERSION,
    width,
    height,
    count,
    whole.length,
    residual.length,
  ].entries()) {
    view.setUint16(4 + 2 * i, value, true);
  }
  packet.set(packetId, PACKET_ID_AT);
  view.setUint16(OWN_POINTS_AT, features.count, true);
  view.setUint16(KINDS_AT, kinds.length, true);
  writePositions(view, placing);
  let at = HEADER + count * POSITION;
  for (let i = 0; i < count * BITS_STRIDE; i += 1, at += 4) view.setUint32(at, bits[i]!, true);
  for (let i = 0; i < count; i += 1, at += 2) view.setUint16(at, wordTags[i]!, true);
  packet.set(whole, at);
  packet.set(residual, at + whole.length);
  packet.set(kinds, at + whole.length + residual.length);
  return packet;
}

/** Every size that a packet can say. */
const SIZES = Float32Array.from({ length: 256 }, (_, step) => 2 ** (step / SIZE_STEPS));

function readPositions(packet: Uint8Array, from: number, features: Features): void {
  const { width, height, count } = features;
  for (let i = 0, at = from; i < count; i += 1, at += POSITION) {
    const middle = packet[at + 1]!;
    const x = packet[at]! | ((middle & 15) << 8);
    const y = (middle >> 4) | (packet[at + 2]! << 4);
    if (x > width * POSITION_STEPS || y > height * POSITION_STEPS) throw new PacketUnreadable();
    features.x[i] = x / POSITION_STEPS - 0.5;
    features.y[i] = y / POSITION_STEPS - 0.5;
    features.angle[i] = packet[at + 3]! / ANGLE_STEPS;
    features.size[i] = SIZES[packet[at + 4]!]!;
  }
}

/** What the numbers say that a packet begins with, and how many bytes they take. */
interface Header {
  readonly length: number;
  readonly width: number;
  readonly height: number;
  readonly count: number;
  /** Points of the main raster. */
  readonly own: number;
  readonly wholeLength: number;
  readonly residualLength: number;
}

/** @throws {PacketUnreadable} also where the packet is not as long as its header says */
function readHeader(packet: Uint8Array): Header {
  const version = packet[3]!;
  const length = headerOf(version);
  if (packet.length < length) throw new PacketUnreadable();
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  const field = (i: number): number => view.getUint16(4 + 2 * i, true);
  const [vocabulary, width, height, count] = [field(0), field(1), field(2), field(3)];
  const [wholeLength, residualLength] = [field(4), field(5)];
  const own = version >= WITH_OWN_POINTS ? view.getUint16(OWN_POINTS_AT, true) : count;
  const kindsLength = version >= WITH_KINDS ? view.getUint16(KINDS_AT, true) : 0;
  const readable =
    MAGIC.every((byte, i) => packet[i] === byte) &&
    isReadVersion(version) &&
    vocabulary === VOCABULARY_VERSION &&
    Math.min(width, height) >= 1 &&
    Math.max(width, height) <= MAX_SIDE &&
    count <= MAX_PACKET_POINTS &&
    Math.max(wholeLength, residualLength, kindsLength) <= MAX_SIGNATURE &&
    own <= count &&
    packet.length === length + count * PER_POINT + wholeLength + residualLength + kindsLength;
  if (!readable) throw new PacketUnreadable();
  return { length, width, height, count, own, wholeLength, residualLength };
}

/**
 * Unpacks what `encodePacket` made. The signatures are views on `packet`, everything else is copied. The response of
 * the points is not stored: it reads 0.
 *
 * @throws {PacketUnreadable} for anything else, and for nothing but that
 */
export function decodePacket(packet: Uint8Array): StoredOriginal {
  const { length: header, width, height, count, own, wholeLength, residualLength } = readHeader(packet);
  const column = (): Float32Array => new Float32Array(count);
  const places = header + count * POSITION;
  const tags = places + 4 * BITS_STRIDE * count;
  const signatures = tags + 2 * count;
  const kinds = signatures + wholeLength + residualLength;
  // Numbers are copied as they lie: every machine that this runs on is little-endian, as WebAssembly is. A Buffer's own
  // `slice` is a view.
  const copied = (from: number, to: number): Uint8Array => Uint8Array.prototype.slice.call(packet, from, to);
  const bits = new Uint32Array(copied(places, tags).buffer);
  const placing: Features = {
    width,
    height,
    count,
    x: column(),
    y: column(),
    size: column(),
    angle: column(),
    response: column(),
    bits,
  };
  readPositions(packet, header, placing);
  return {
    packetId: copied(PACKET_ID_AT, PACKET_ID_AT + PACKET_ID),
    features: own === count ? placing : firstFeatures(placing, own),
    placing,
    wordTags: new Uint16Array(copied(tags, signatures).buffer),
    whole: packet.subarray(signatures, signatures + wholeLength),
    residual: packet.subarray(signatures + wholeLength, kinds),
    kinds: packet.subarray(kinds),
  };
}
