import { buffer } from "node:stream/consumers";
import { to } from "pg-copy-streams";
import type { Database } from "../database.ts";

/** What stands before the first row of a binary COPY: signature, flags, and the length of an extension that there is not. */
const HEADER = 19;
const FIELDS = 2;

/**
 * The sealed packets of originals, by number; those that were withdrawn meanwhile are missing. By binary COPY: as values of a row bytes
 * come as text, at least a third longer, and are decoded one by one.
 */
export async function sealedPackets(
  database: Database,
  imageNos: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  const packets = new Map<number, Buffer>();
  if (imageNos.length === 0) return packets;
  const rows = await copied(
    database,
    // COPY takes no parameters.
    `copy (select image_no, packet from feature where image_no = any('{${imageNos.join(",")}}'))
      to stdout (format binary)`,
  );
  let at = HEADER;
  while (rows.readInt16BE(at) === FIELDS) {
    const imageNo = rows.readInt32BE(at + 6);
    const length = rows.readInt32BE(at + 10);
    packets.set(imageNo, rows.subarray(at + 14, at + 14 + length));
    at += 14 + length;
  }
  return packets;
}

/** All that a COPY sends. A connection on which it broke off is closed. */
async function copied(database: Database, statement: string): Promise<Buffer> {
  const client = await database.pool.connect();
  try {
    const rows = await buffer(client.query(to(statement)));
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
