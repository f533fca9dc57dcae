import { type Insertable, type Selectable, sql } from "kysely";
import type { Read, Write } from "./database.ts";
import { LOCKS } from "./locks.ts";
import type { TrustChainTable } from "./tables/tables.ts";

/** A trust chain as stored, its private keys sealed. */
export type StoredTrustChain = Selectable<TrustChainTable>;

/** Waits for its turn to make keys; it lasts until the transaction ends. */
export async function lockKeys(write: Write): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.keys})`.execute(write);
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

/** Stores a sealed key under a name, in the place of one that is there. */
export async function putSealedKey(write: Write, name: string, sealed: Buffer): Promise<void> {
  await write
    .insertInto("sealedKey")
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ sealed }))
    .execute();
}

/** Whether the deployment has keys that a key-encryption key has sealed. */
export async function hasSealedKeys(read: Read): Promise<boolean> {
  const row = await read.selectFrom("sealedKey").select("name").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** The trust chain that the deployment signs under, the latest one; null when it has none yet. All have one root. */
export async function readTrustChain(read: Read): Promise<StoredTrustChain | null> {
  const row = await read
    .selectFrom("trustChain")
    .selectAll()
    .orderBy("trustVersion", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores the deployment's trust chain. */
export async function insertTrustChain(write: Write, chain: Insertable<TrustChainTable>): Promise<void> {
  await write.insertInto("trustChain").values(chain).execute();
}

/** Every sealed key by its name. */
export async function sealedKeys(
  read: Read,
): Promise<readonly { readonly name: string; readonly sealed: Buffer }[]> {
  return read.selectFrom("sealedKey").select(["name", "sealed"]).orderBy("name").execute();
}

/** Stores a key that was sealed again. */
export async function replaceSealedKey(write: Write, name: string, sealed: Buffer): Promise<void> {
  await write.updateTable("sealedKey").set({ sealed }).where("name", "=", name).execute();
}

/** Every trust chain, in order. */
export function trustChains(read: Read): Promise<readonly StoredTrustChain[]> {
  return read.selectFrom("trustChain").selectAll().orderBy("trustVersion").execute();
}

/** Stores the private keys of a chain that were sealed again; an empty one was deleted. */
export async function replaceChainKeys(
  write: Write,
  trustVersion: number,
  keys: Partial<Pick<StoredTrustChain, "sealedRootKey" | "sealedIntermediateKey" | "sealedProvenanceKey">>,
): Promise<void> {
  await write.updateTable("trustChain").set(keys).where("trustVersion", "=", trustVersion).execute();
}
