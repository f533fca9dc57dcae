import { copiedRows } from "../copied-rows.ts";
import type { Database } from "../database.ts";

/** The sealed packets of originals, by number; those that were withdrawn meanwhile are missing. */
export async function sealedPackets(
  database: Database,
  imageNos: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  if (imageNos.length === 0) return new Map();
  const rows = await copiedRows(
    database,
    `select image_no, packet from feature where image_no = any('{${imageNos.join(",")}}')`,
  );
  return new Map(rows.flatMap(({ no, bytes }) => (bytes === null ? [] : [[no, bytes]])));
}
