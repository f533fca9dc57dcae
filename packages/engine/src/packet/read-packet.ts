import type { StoredOriginal } from "./original.ts";
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
