import { randomBytes } from "node:crypto";
import { createTrustChain, openRecordSigner, type RecordSigner, type TrustChain } from "@colophon/engine";
import { sql } from "kysely";
import { type Database, type Read, type Write, writing } from "../store/database.ts";
import { SealBroken, Vault } from "./vault.ts";

/** Every key of the deployment, opened. They live in the database, sealed under the key-encryption key. */
export interface ServiceKeys {
  readonly signer: RecordSigner;
  /** Seals registration packets at rest. */
  readonly packets: Vault;
  /** Keys the residual signatures inside the packets. */
  readonly residualKey: Buffer;
  /** Authenticates sequence tickets. */
  readonly ticketKey: Buffer;
  /** Seals query images pooled on disk, by way of a key per image. */
  readonly queries: Vault;
}

const KEYS_LOCK = 0x636c_7003;
const TRUST_VERSION = 1;
const PACKET_KEY = "packet encryption";

/**
 * Opens the deployment's keys, making those that are missing. All of them are made in one transaction, by one
 * process at a time, so that neither a race nor a crash leaves half a chain.
 * @throws Error with one clear line when the key-encryption key is not the one the keys were sealed under
 */
export async function openServiceKeys(
  database: Database,
  vault: Vault,
  trustDomain: string,
): Promise<ServiceKeys> {
  try {
    return await writing(database, async (write) => {
      await sql`select pg_advisory_xact_lock(${KEYS_LOCK})`.execute(write);
      return {
        signer: await openRecordSigner(await trustChain(write, vault, trustDomain)),
        packets: new Vault(await secret(write, vault, PACKET_KEY)),
        residualKey: await secret(write, vault, "packet residual"),
        ticketKey: await secret(write, vault, "sequence ticket"),
        queries: new Vault(await secret(write, vault, "query pool")),
      };
    });
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new Error("COLOPHON_KEY_ENCRYPTION_KEY does not open the keys of this database.", { cause: error });
  }
}

/**
 * The key of the packets alone, read and never made; null while the deployment has none.
 * @throws SealBroken when the key-encryption key is not the one it was sealed under
 */
export async function packetVault(read: Read, vault: Vault): Promise<Vault | null> {
  const row = await read
    .selectFrom("sealed_key")
    .select("sealed")
    .where("name", "=", PACKET_KEY)
    .executeTakeFirst();
  return row ? new Vault(vault.open(row.sealed, PACKET_KEY)) : null;
}

/** Whether the deployment has keys that a key-encryption key has sealed. */
export async function hasSealedKeys(read: Read): Promise<boolean> {
  const row = await read.selectFrom("sealed_key").select("name").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** A secret of 32 random bytes under a name. */
async function secret(write: Write, vault: Vault, name: string): Promise<Buffer> {
  const row = await write
    .selectFrom("sealed_key")
    .select("sealed")
    .where("name", "=", name)
    .executeTakeFirst();
  if (row) return vault.open(row.sealed, name);
  const key = randomBytes(32);
  await write
    .insertInto("sealed_key")
    .values({ name, sealed: vault.seal(key, name) })
    .execute();
  return key;
}

async function trustChain(
  write: Write,
  vault: Vault,
  trustDomain: string,
): Promise<Omit<TrustChain, "rootKey">> {
  const row = await write.selectFrom("trust_chain").selectAll().executeTakeFirst();
  if (row) {
    return {
      trustDomain: row.trust_context,
      rootCertificate: row.root_certificate,
      intermediateCertificate: row.intermediate_certificate,
      intermediateKey: vault.open(row.sealed_intermediate_key, "intermediate"),
      provenanceKey: vault.open(row.sealed_provenance_key, "provenance"),
    };
  }
  const chain = await createTrustChain({ trustDomain, now: new Date() });
  await write
    .insertInto("trust_chain")
    .values({
      trust_version: TRUST_VERSION,
      trust_context: chain.trustDomain,
      root_certificate: Buffer.from(chain.rootCertificate),
      intermediate_certificate: Buffer.from(chain.intermediateCertificate),
      sealed_root_key: vault.seal(chain.rootKey, "root"),
      sealed_intermediate_key: vault.seal(chain.intermediateKey, "intermediate"),
      sealed_provenance_key: vault.seal(chain.provenanceKey, "provenance"),
    })
    .execute();
  return chain;
}
