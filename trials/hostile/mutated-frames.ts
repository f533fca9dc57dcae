import { blake3, encodeFrame } from "@colophon/formats";
import type { Random } from "@colophon/testing/pictures.ts";
import { chance, flipped, pick, randomBytes } from "@colophon/testing/chance.ts";
import { bodyFrame, type TicketedSequence } from "@colophon/testing/sequence-client.ts";

/** What mutated frames are made of. */
export interface FrameMaterial {
  readonly sequence: TicketedSequence;
  readonly images: readonly Uint8Array[];
}

const TRAILER = 32;
const HEADER = 36;
/** Ids close together, so that frames meet. */
const MOST_ID = 24;
const NUMBERS = [0, 1, 2, 3, 36, 48, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff] as const;
/** Where the container's fields begin, each a uint32 but the first three. */
const FIELDS = [4, 5, 6, 24, 28, 32, 36, 40, 44] as const;

/** A frame that is sound, or mutated in one of many ways, its trailer made to fit or not. */
export function hostileFrame(random: Random, material: FrameMaterial): Uint8Array {
  const frame = Buffer.from(draft(random, material));
  if (chance(random, 0.4)) return frame;
  const mutated = mutate(random, frame);
  return chance(random, 0.75) ? withTrailer(mutated) : mutated;
}

function draft(random: Random, { sequence, images }: FrameMaterial): Uint8Array {
  const { sequenceId } = sequence;
  const below = (end: number): number => Math.floor(random() * end);
  const frameId = 1 + below(MOST_ID);
  const prev = chance(random, 0.6) ? frameId - 1 : below(frameId);
  const next = chance(random, 0.6) ? frameId + 1 : frameId + 1 + below(8);
  if (chance(random, 0.02)) {
    return encodeFrame({ type: "END", sequenceId, frameId: MOST_ID + 8, prev: frameId, next: null });
  }
  if (chance(random, 0.05)) {
    return encodeFrame({ type: "HEAD", sequenceId, frameId: 0, prev: null, next: null });
  }
  if (chance(random, 0.05)) {
    return encodeFrame({ type: "GAP", sequenceId, frameId, prev, next, from: frameId, to: next - 1 });
  }
  const image = chance(random, 0.4) ? null : Buffer.from(pick(random, images));
  const sound = image === null || chance(random, 0.6);
  return bodyFrame(sequence, frameId, sound ? image : flipped(random, image, 20), { prev, next });
}

function mutate(random: Random, frame: Buffer): Buffer {
  const way = random();
  if (way < 0.35) return withField(random, frame);
  if (way < 0.55) return flipped(random, frame, 1 + Math.floor(random() * 6));
  if (way < 0.7) return frame.subarray(0, Math.floor(random() * frame.length));
  if (way < 0.85) return Buffer.concat([frame, randomBytes(random, Math.floor(random() * 200))]);
  const cut = Math.floor(random() * frame.length);
  return Buffer.concat([frame.subarray(0, cut), randomBytes(random, 40), frame.subarray(cut)]);
}

/** A copy with one field of the header or the bucket table set to a number that may hurt. */
function withField(random: Random, frame: Buffer): Buffer {
  const copy = Buffer.from(frame);
  const at = pick(random, FIELDS);
  const value = pick(random, NUMBERS);
  if (at + 4 > copy.length) return copy;
  if (at === 6) copy.writeUInt16BE(value & 0xffff, at);
  else if (at < HEADER - 12) copy.writeUInt8(value & 0xff, at);
  else copy.writeUInt32BE(value, at);
  return copy;
}

/** The bytes with a trailer that fits what is before it. */
function withTrailer(frame: Buffer): Uint8Array {
  if (frame.length < TRAILER) return frame;
  const signed = frame.subarray(0, frame.length - TRAILER);
  return Buffer.concat([signed, blake3(signed)]);
}
