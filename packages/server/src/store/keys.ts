import { type Insertable, type Selectable, sql } from "kysely";
import type { Read, Write } from "./database.ts";
import type { TrustChainTable } from "./tables.ts";

/** Advisory lock number of the deployment's keys. */
const KEYS_LOCK = 0x636c_7003;

/** A trust chain as stored, its private keys sealed. */
export type StoredTrustChain = Selectable<TrustChainTable>;

/** Waits for its turn to make keys; it lasts until the transaction ends. */
export async function lockKeys(write: Write): Promise<void> {
  await sql`select pg_advisory_xact_lock(${KEYS_LOCK})`.execute(write);
}

/** The sealed key under a name; null when there is no such key. */
export async function readSealedKey(read: Read, name: string): Promise<Buffer | null> {
  const row = await read.selectFrom("sealedKey").select("sealed").where("name", "=", name).executeTakeFirst();
  return row?.sealed ?? null;
}

/** Stores a sealed key under a new name. */
export async function insertSealedKey(write: Write, name: string, sealed: Buffer): Promise<void> {
  await write.insertInto("sealedKey").values({ name, sealed }).execute();
}

/** Whether the deployment has keys that a key-encryption key has sealed. */
export async function hasSealedKeys(read: Read): Promise<boolean> {
  const row = await read.selectFrom("sealedKey").select("name").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** The deployment's trust chain; null when it has none yet. */
export async function readTrustChain(read: Read): Promise<StoredTrustChain | null> {
  const row = await read.selectFrom("trustChain").selectAll().executeTakeFirst();
  return row ?? null;
}

/** Stores the deployment's trust chain. */
export async function insertTrustChain(write: Write, chain: Insertable<TrustChainTable>): Promise<void> {
  await write.insertInto("trustChain").values(chain).execute();
}
