import { isReadablePacket } from "@colophon/engine";
import type { PacketSeal } from "../keys/packet-seal.ts";
import type { Read } from "../store/database.ts";
import { packetsAfter } from "../store/stored-data.ts";
import type { Breach } from "./breach.ts";

/** Packets in memory at once. */
const PAGE = 200;

/** Where packets are stored, and what a row is called. */
const STORES = [
  { table: "feature", name: "original" },
  { table: "slotEntry", name: "entry" },
  { table: "framePacket", name: "packet" },
] as const;

/**
 * Opens every stored packet and reads it as a look-up does. A packet that cannot be read leaves its original found by
 * the same bytes and the same pixels only. Takes a few minutes for a million.
 * @param seal the deployment's keys for packets; null when it has none yet
 */
export async function checkPackets(read: Read, seal: PacketSeal | null): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for (const { table, name } of STORES) {
    for (let after = -1; ; ) {
      const page = await packetsAfter(read, table, after, PAGE);
      for (const { id, packet } of page) {
        const fault = await faultOf(packet, seal);
        if (fault !== null) {
          breaches.push({ rule: "a stored packet can be read", what: `${name} ${id}: ${fault}` });
        }
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
  }
  return breaches;
}

async function faultOf(sealed: Buffer, seal: PacketSeal | null): Promise<string | null> {
  const packet = seal && (await seal.open(sealed));
  if (packet === null) return "its seal does not open";
  const readable = isReadablePacket(packet);
  packet.fill(0);
  return readable ? null : "it is of another version or vocabulary";
}
