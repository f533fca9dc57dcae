import { createHash } from "node:crypto";
import type { QueryPool } from "../custody/query-pool.ts";
import type { Vault } from "../keys/vault.ts";
import { QUERY_KEY_SEAL } from "../registry/query-pool/pooled-query-key.ts";
import type { Database } from "../store/database.ts";
import { type HeldQuery, heldQueries, unknownFiles } from "../store/slots/pooled-queries.ts";
import type { Breach } from "./breach.ts";

/** Whether a file is what its row says. */
type IsWhole = (query: HeldQuery) => Promise<boolean>;

/**
 * Compares the query images on disk with the rows that note them: no file without its row, none missing, and none
 * altered.
 * @param isWhole reads a file that is there; null leaves it at the names
 */
export async function checkPool(
  database: Database,
  pool: QueryPool,
  isWhole: IsWhole | null,
): Promise<readonly Breach[]> {
  const held = await heldQueries(database, pool.id);
  const onDisk = await pool.list();
  const present = new Set(onDisk);
  const breaches = (await unknownFiles(database, onDisk)).map((what) => ({
    rule: "a file of the query pool has its row",
    what,
  }));
  const faulty: Breach[] = [];
  for (const query of held) {
    const what = query.fileName;
    if (!present.has(what)) faulty.push({ rule: "a held query has its file", what });
    else if (isWhole !== null && !(await isWhole(query))) {
      faulty.push({ rule: "the file of a held query is what was uploaded", what });
    }
  }
  // Those that were answered or removed meanwhile are rightly gone.
  const still = faulty.length === 0 ? [] : await heldQueries(database, pool.id);
  const names = new Set(still.map(({ fileName }) => fileName));
  return [...breaches, ...faulty.filter(({ what }) => names.has(what))];
}

/**
 * Reads a query image as its answer will.
 * @param vault the deployment's key for query images; null when it does not open
 */
export function imageReader(pool: QueryPool, vault: Vault | null): IsWhole {
  return async ({ fileName, sealedKey, imageHash }) => {
    const key = sealedKey && (vault?.tryOpen(sealedKey, QUERY_KEY_SEAL) ?? null);
    if (key === null) return false;
    const hash = createHash("sha256");
    const into = { append: (bytes: Uint8Array) => hash.update(bytes) };
    return (await pool.read(fileName, key, into)) && hash.digest().equals(imageHash);
  };
}
