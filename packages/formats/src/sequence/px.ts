import { blake3 as nobleBlake3 } from "@noble/hashes/blake3.js";
import { concat, fromHex, joined, toHex, toUtf8, uint16, uint32 } from "../bytes/encoding.ts";
import { blake3, blake3Hex } from "../bytes/hashes.ts";
import { MAX_FRAME_ID, type PxFrame } from "./px-frame.ts";
import { uuidFromBytes, uuidToBytes } from "../bytes/uuid.ts";

/** The rule of the container format that bytes break. */
export type PxRule =
  /** Too short for its own header and trailer, or bytes left over. */
  | "size"
  | "magic"
  | "version"
  | "type"
  /** The table does not fit, or a bucket does not start where the one before it ends, or reaches into the trailer. */
  | "bucketBounds"
  | "bucketKind"
  | "bucketRepeated"
  /** The frame's type does not carry these buckets. */
  | "bucketsOfType"
  | "frameId"
  | "links"
  | "gapRange"
  | "trailer";

/** Bytes that are not a valid PX container, and the first rule they were found to break. */
export class PxError extends Error {
  override readonly name = "PxError";
  readonly rule: PxRule;

  constructor(rule: PxRule) {
    super(`not a PX container: ${rule}`);
    this.rule = rule;
  }
}

/** A container that was read: the frame, and its hash as `frameHash` computes it. */
export interface PxContainer {
  readonly frame: PxFrame;
  readonly frameHash: string;
}

const MAGIC = 0x8950580a;
const VERSION = 1;
const HEADER = 36;
const TABLE_ENTRY = 12;
const TRAILER = 32;
const NO_LINK = 0xffffffff;
const TYPES = ["HEAD", "BODY", "END", "GAP"] as const;
const BUCKET_KINDS: readonly string[] = ["IMAG", "GAPR"];
/** The one bucket a frame of each type may carry; undefined where it may carry none. */
const BUCKETS_OF_TYPE: Record<PxFrame["type"], readonly (string | undefined)[]> = {
  HEAD: [undefined],
  BODY: [undefined, "IMAG"],
  END: [undefined],
  GAP: ["GAPR"],
};
const GAP_RANGE_SIZE = 8;

/** The frame hash of a container: BLAKE3-256 of all its bytes, lowercase hex. */
export function frameHash(container: Uint8Array): string {
  return blake3Hex(container);
}

/**
 * The sequence hash, lowercase hex: BLAKE3-256 of byte 01, the uint32 count of BODY frames, then per BODY in walk order
 * its uint32 frame id and the 32 bytes of its original image hash.
 */
export function sequenceHash(bodies: readonly { frameId: number; originalImageHash: string }[]): string {
  const parts = bodies.flatMap((body) => [uint32(body.frameId), fromHex(body.originalImageHash)]);
  return blake3Hex(joined([Uint8Array.of(1), uint32(bodies.length), ...parts]));
}

/** Writes a frame as a container. Throws a PxError when the frame breaks a rule of its type. */
export function encodeFrame(frame: PxFrame): Uint8Array<ArrayBuffer> {
  checkFrame(frame);
  const buckets = bucketsOf(frame);
  let offset = HEADER + TABLE_ENTRY * buckets.length;
  const table = buckets.map(({ kind, bytes }) => {
    const entry = concat(toUtf8(kind), uint32(offset), uint32(bytes.length));
    offset += bytes.length;
    return entry;
  });
  const signed = concat(
    uint32(MAGIC),
    Uint8Array.of(VERSION, TYPES.indexOf(frame.type) + 1),
    uint16(buckets.length),
    uuidToBytes(frame.sequenceId),
    uint32(frame.frameId),
    uint32(frame.prev ?? NO_LINK),
    uint32(frame.next ?? NO_LINK),
    ...table,
    ...buckets.map(({ bytes }) => bytes),
  );
  return concat(signed, blake3(signed));
}

/**
 * Reads a container; an image is a view into it. Every length is checked against the bytes at hand before it is used.
 * Throws a PxError that names the rule broken.
 */
export function readFrame(container: Uint8Array): PxContainer {
  const { length } = container;
  if (length < HEADER + TRAILER) throw new PxError("size");
  const view = new DataView(container.buffer, container.byteOffset, length);
  if (view.getUint32(0) !== MAGIC) throw new PxError("magic");
  if (view.getUint8(4) !== VERSION) throw new PxError("version");
  const type = TYPES[view.getUint8(5) - 1];
  if (type === undefined) throw new PxError("type");
  const buckets = readBuckets(container, view);
  const frame = assemble(type, buckets, {
    sequenceId: uuidFromBytes(container.subarray(8, 24)),
    frameId: view.getUint32(24),
    prev: link(view.getUint32(28)),
    next: link(view.getUint32(32)),
  });
  checkFrame(frame);
  return { frame, frameHash: checkTrailer(container) };
}

interface Bucket {
  readonly kind: string;
  readonly bytes: Uint8Array;
}

interface RawHeader {
  readonly sequenceId: string;
  readonly frameId: number;
  readonly prev: number | null;
  readonly next: number | null;
}

function readBuckets(container: Uint8Array, view: DataView): Bucket[] {
  const count = view.getUint16(6);
  const end = container.length - TRAILER;
  let offset = HEADER + TABLE_ENTRY * count;
  if (offset > end) throw new PxError("bucketBounds");
  const buckets: Bucket[] = [];
  for (let entry = HEADER; entry < HEADER + TABLE_ENTRY * count; entry += TABLE_ENTRY) {
    const kind = String.fromCharCode(...container.subarray(entry, entry + 4));
    const size = view.getUint32(entry + 8);
    if (!BUCKET_KINDS.includes(kind)) throw new PxError("bucketKind");
    if (buckets.some((bucket) => bucket.kind === kind)) throw new PxError("bucketRepeated");
    if (view.getUint32(entry + 4) !== offset || size > end - offset) throw new PxError("bucketBounds");
    buckets.push({ kind, bytes: container.subarray(offset, offset + size) });
    offset += size;
  }
  if (offset !== end) throw new PxError("size");
  return buckets;
}

function assemble(type: PxFrame["type"], buckets: readonly Bucket[], header: RawHeader): PxFrame {
  const { sequenceId, frameId, prev, next } = header;
  const [bucket, ...more] = buckets;
  if (more.length > 0 || !BUCKETS_OF_TYPE[type].includes(bucket?.kind)) throw new PxError("bucketsOfType");
  if (type === "HEAD") {
    if (frameId !== 0) throw new PxError("frameId");
    if (prev !== null || next !== null) throw new PxError("links");
    return { type, sequenceId, frameId, prev, next };
  }
  if (prev === null) throw new PxError("links");
  if (type === "END") {
    if (next !== null) throw new PxError("links");
    return { type, sequenceId, frameId, prev, next };
  }
  if (next === null) throw new PxError("links");
  const bytes = bucket?.bytes ?? null;
  if (type === "BODY") return { type, sequenceId, frameId, prev, next, image: bytes };
  return { type, sequenceId, frameId, prev, next, ...readRange(bytes) };
}

function readRange(bytes: Uint8Array | null): { from: number; to: number } {
  if (bytes?.length !== GAP_RANGE_SIZE) throw new PxError("gapRange");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { from: view.getUint32(0), to: view.getUint32(4) };
}

/** The rules of a frame's own values, for frames written and frames read alike. */
function checkFrame(frame: PxFrame): void {
  const { frameId, prev, next } = frame;
  if (!isFrameId(frameId)) throw new PxError("frameId");
  if (prev !== null && !isFrameId(prev)) throw new PxError("links");
  if (next !== null && !isFrameId(next)) throw new PxError("links");
  if ((prev !== null && prev >= frameId) || (next !== null && next <= frameId)) throw new PxError("links");
  if (frame.type === "BODY" && frame.image?.length === 0) throw new PxError("bucketBounds");
  if (frame.type === "GAP") {
    if (frame.from !== frameId || frame.to < frame.from || frame.to >= frame.next) {
      throw new PxError("gapRange");
    }
  }
}

function bucketsOf(frame: PxFrame): Bucket[] {
  if (frame.type === "GAP") return [{ kind: "GAPR", bytes: concat(uint32(frame.from), uint32(frame.to)) }];
  if (frame.type === "BODY" && frame.image !== null) return [{ kind: "IMAG", bytes: frame.image }];
  return [];
}

/** Compares the trailer and answers the frame hash, in one pass over the bytes. */
function checkTrailer(container: Uint8Array): string {
  const end = container.length - TRAILER;
  const trailer = container.subarray(end);
  const hasher = nobleBlake3.create({}).update(container.subarray(0, end));
  if (toHex(hasher.clone().digest()) !== toHex(trailer)) throw new PxError("trailer");
  return toHex(hasher.update(trailer).digest());
}

function link(value: number): number | null {
  return value === NO_LINK ? null : value;
}

function isFrameId(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_FRAME_ID;
}
