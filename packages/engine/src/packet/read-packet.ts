import type { StoredOriginal } from "./original.ts";
import { encodeRankingPart } from "./ranking-part.ts";
import { decodePacket, PacketUnreadable } from "./registration-packet.ts";

/** What a stored packet says; null when it is not one of this version and vocabulary. */
export function readPacket(packet: Uint8Array): StoredOriginal | null {
  try {
    return decodePacket(packet);
  } catch (error) {
    if (error instanceof PacketUnreadable) return null;
    throw error;
  }
}

/** Whether this engine can still compare with a stored packet, which an earlier version may have made. */
export function isReadablePacket(packet: Uint8Array): boolean {
  return readPacket(packet) !== null;
}

/**
 * What ranking needs of a stored packet and the words that its original is filed under; null when the packet cannot be
 * read.
 */
export function makeRankingPart(packet: Uint8Array, words: Int32Array): Uint8Array | null {
  const original = readPacket(packet);
  return original === null ? null : encodeRankingPart(original, words);
}
