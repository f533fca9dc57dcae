import { sql } from "kysely";
import type { Read } from "./database.ts";

/** The tables that hold sealed packets, each with its key. */
const PACKET_KEYS = { feature: "imageNo", slotEntry: "entryId", framePacket: "packetId" } as const;

/** What one query of a consistency rule yields: a row for every breach, with the breach as `what`. */
export async function queryBreaches(read: Read, query: string): Promise<readonly string[]> {
  const { rows } = await sql.raw<{ what: string }>(query).execute(read);
  return rows.map(({ what }) => what);
}

/** The next sealed packets of a table after a key, in order of the keys. */
export async function packetsAfter(
  read: Read,
  table: keyof typeof PACKET_KEYS,
  after: number,
  limit: number,
): Promise<readonly { id: number; packet: Buffer }[]> {
  const key = sql.ref(PACKET_KEYS[table]);
  const { rows } = await sql<{ id: number; packet: Buffer }>`
    select ${key} as id, packet from ${sql.table(table)}
    where ${key} > ${after} and packet is not null order by ${key} limit ${limit}`.execute(read);
  return rows;
}
