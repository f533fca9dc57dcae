import { isReadablePacket } from "@colophon/engine";
import { sql } from "kysely";
import { PacketSeal } from "../engine/packet-seal.ts";
import type { Vault } from "../keys/vault.ts";
import type { Read } from "../store/database.ts";
import type { Breach } from "./breach.ts";

/** Packets in memory at once. */
const PAGE = 200;

/** Where packets are stored, and what a row is called. */
const STORES = [
  { table: "feature", key: "image_no", name: "original" },
  { table: "slot_entry", key: "entry_id", name: "entry" },
  { table: "frame_packet", key: "packet_id", name: "packet" },
] as const;

/**
 * Opens every stored packet and reads it as a look-up does. A packet that cannot be read leaves its original found by
 * the same bytes and the same pixels only. Takes a few minutes for a million.
 * @param vault the deployment's key for packets; null when it has none yet
 */
export async function checkPackets(read: Read, vault: Vault | null): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  const seal = vault === null ? null : new PacketSeal(vault);
  for (const { table, key, name } of STORES) {
    for (let after = -1; ; ) {
      const { rows } = await sql<{ id: number; packet: Buffer }>`
        select ${sql.ref(key)} as id, packet from ${sql.table(table)}
        where ${sql.ref(key)} > ${after} and packet is not null order by ${sql.ref(key)} limit ${PAGE}`.execute(
        read,
      );
      for (const { id, packet } of rows) {
        const fault = faultOf(packet, seal);
        if (fault !== null)
          breaches.push({ rule: "a stored packet can be read", what: `${name} ${id}: ${fault}` });
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
  }
  return breaches;
}

function faultOf(sealed: Buffer, seal: PacketSeal | null): string | null {
  const packet = seal?.open(sealed) ?? null;
  if (packet === null) return "its seal does not open";
  const readable = isReadablePacket(packet);
  packet.fill(0);
  return readable ? null : "it is of another version or vocabulary";
}
