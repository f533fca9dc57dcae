import { isReadablePacket } from "@colophon/engine";
import type { PacketSeal } from "../keys/packet-seal.ts";
import type { Read } from "../store/database.ts";
import { packetsAfter, type StoredPackets } from "../store/stored-data.ts";
import type { Breach } from "./breach.ts";
import { pages } from "./pages.ts";

/** Packets in memory at once. */
const PAGE = 200;

type Fault = (sealed: Buffer, seal: PacketSeal | null) => Promise<string | null>;

/** Where packets, and ranking parts made of them, are stored, and what a row is called. */
const STORES: readonly { readonly table: StoredPackets; readonly name: string; readonly fault: Fault }[] = [
  { table: "feature", name: "original", fault: packetFault },
  { table: "rankingPart", name: "ranking part of original", fault: partFault },
  { table: "slotEntry", name: "entry", fault: packetFault },
  { table: "framePacket", name: "packet", fault: packetFault },
];

/**
 * Opens every stored packet and ranking part and reads it as a look-up does. A packet that cannot be read leaves its
 * original found by the same bytes and the same pixels only. Takes a few minutes for a million.
 * @param seal the deployment's keys for packets; null when it has none yet, or one does not open
 */
export async function checkPackets(read: Read, seal: PacketSeal | null): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for (const { table, name, fault: faultOf } of STORES) {
    for await (const page of pages("id", -1, (after) => packetsAfter(read, table, after, PAGE))) {
      for (const { id, packet } of page) {
        const fault = await faultOf(packet, seal);
        if (fault !== null) {
          breaches.push({ rule: "a stored packet can be read", what: `${name} ${id}: ${fault}` });
        }
      }
    }
  }
  return breaches;
}

const SEAL_BROKEN = "its seal does not open";

async function packetFault(sealed: Buffer, seal: PacketSeal | null): Promise<string | null> {
  const packet = seal && (await seal.open(sealed));
  if (packet === null) return SEAL_BROKEN;
  const readable = isReadablePacket(packet);
  packet.fill(0);
  return readable ? null : "it is of another version or vocabulary";
}

async function partFault(sealed: Buffer, seal: PacketSeal | null): Promise<string | null> {
  const part = seal && (await seal.openRankingPart(sealed));
  part?.fill(0);
  return part === null ? SEAL_BROKEN : null;
}
