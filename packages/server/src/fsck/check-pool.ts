import type { QueryPool } from "../custody/query-pool.ts";
import type { Database } from "../store/database.ts";
import { heldFiles, unknownFiles } from "../store/slots/pooled-queries.ts";
import type { Breach } from "./breach.ts";

/** Compares the query images on disk with the rows that note them: no file without its row, none missing. */
export async function checkPool(database: Database, pool: QueryPool): Promise<readonly Breach[]> {
  const held = await heldFiles(database, pool.id);
  const onDisk = await pool.list();
  const present = new Set(onDisk);
  const strays = await unknownFiles(database, onDisk);
  return [
    ...strays.map((what) => ({ rule: "a file of the query pool has its row", what })),
    ...held.filter((name) => !present.has(name)).map((what) => ({ rule: "a held query has its file", what })),
  ];
}
