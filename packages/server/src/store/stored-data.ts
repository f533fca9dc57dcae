import { sql } from "kysely";
import type { Read } from "./database.ts";
import type { Tables } from "./tables/tables.ts";

/** The tables that hold sealed packets or parts of them, each with its key. */
const PACKET_KEYS = {
  feature: { key: "imageNo", sealed: "packet" },
  rankingPart: { key: "imageNo", sealed: "part" },
  slotEntry: { key: "entryId", sealed: "packet" },
  framePacket: { key: "packetId", sealed: "packet" },
} as const;

export type StoredPackets = keyof typeof PACKET_KEYS;

/** What one query of a consistency rule yields: a row for every breach, with the breach as `what`. */
export async function queryBreaches(read: Read, query: string): Promise<readonly string[]> {
  const { rows } = await sql.raw<{ what: string }>(query).execute(read);
  return rows.map(({ what }) => what);
}

/** Whether a table has any row. */
export async function hasRows(read: Read, table: keyof Tables): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ${sql.table(table)}) as found`.execute(read);
  return rows[0]?.found === true;
}

/** The next sealed packets of a table after a key, in order of the keys. */
export async function packetsAfter(
  read: Read,
  table: StoredPackets,
  after: number,
  limit: number,
): Promise<readonly { id: number; packet: Buffer }[]> {
  const key = sql.ref(PACKET_KEYS[table].key);
  const sealed = sql.ref(PACKET_KEYS[table].sealed);
  const { rows } = await sql<{ id: number; packet: Buffer }>`
    select ${key} as id, ${sealed} as packet from ${sql.table(table)}
    where ${key} > ${after} and ${sealed} is not null order by ${key} limit ${limit}`.execute(read);
  return rows;
}
