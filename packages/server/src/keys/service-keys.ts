import { randomBytes } from "node:crypto";
import { createTrustChain, openRecordSigner, type RecordSigner, type TrustChain } from "@colophon/engine";
import { type Database, type Write, writing } from "../store/database.ts";
import { insertSealedKey, insertTrustChain, lockKeys, readSealedKey, readTrustChain } from "../store/keys.ts";
import { packetKeyName } from "../store/packet-keys.ts";
import { LogSigner } from "./log-signer.ts";
import { type OpenVault, PacketSeal } from "./packet-seal.ts";
import { openingKeys, Vault } from "./vault.ts";

/** Every key of the deployment, opened. They live in the database, sealed under the key-encryption key. */
export interface ServiceKeys {
  readonly signer: RecordSigner;
  /** Seals registration packets at rest. */
  readonly packets: PacketSeal;
  /** Keys the residual signatures inside the packets. */
  readonly residualKey: Buffer;
  /** Authenticates sequence tickets. */
  readonly ticketKey: Buffer;
  /** Seals query images pooled on disk, by way of a key per image. */
  readonly queries: Vault;
  /** Signs the log's checkpoints. */
  readonly log: LogSigner;
}

const TRUST_VERSION = 1;

/** Under which names the keys are stored, but for the trust chain's and those for packets. */
export const KEY_NAMES = {
  residualKey: "packet residual",
  ticketKey: "sequence ticket",
  queries: "query pool",
  log: "log signing",
} as const;

/**
 * Opens the deployment's keys, making those that are missing. All of them are made in one transaction, by one
 * process at a time, so that neither a race nor a crash leaves half a chain.
 * @param keyPlace what holds the key-encryption key, for that line
 * @throws Error with one clear line when the key-encryption key is not the one the keys were sealed under
 */
export async function openServiceKeys(
  database: Database,
  openVault: OpenVault,
  { trustDomain, keyPlace }: { readonly trustDomain: string; readonly keyPlace: string },
): Promise<ServiceKeys> {
  const vault = await openVault();
  return openingKeys({ of: "database", keyName: keyPlace }, async () => {
    const keys = await writing(database, async (write) => {
      await lockKeys(write);
      await secret(write, vault, packetKeyName(1));
      return {
        signer: await openRecordSigner(await trustChain(write, vault, trustDomain)),
        residualKey: await secret(write, vault, KEY_NAMES.residualKey),
        ticketKey: await secret(write, vault, KEY_NAMES.ticketKey),
        queries: new Vault(await secret(write, vault, KEY_NAMES.queries)),
        log: new LogSigner(await secret(write, vault, KEY_NAMES.log)),
      };
    });
    const packets = await PacketSeal.open(database, openVault);
    if (packets === null) throw new Error("The deployment has no key for packets.");
    return { ...keys, packets };
  });
}

/** A secret of 32 random bytes under a name. */
async function secret(write: Write, vault: Vault, name: string): Promise<Buffer> {
  const sealed = await readSealedKey(write, name);
  if (sealed !== null) return vault.open(sealed, name);
  const key = randomBytes(32);
  await insertSealedKey(write, name, vault.seal(key, name));
  return key;
}

async function trustChain(
  write: Write,
  vault: Vault,
  trustDomain: string,
): Promise<Omit<TrustChain, "rootKey"> & { readonly trustVersion: number }> {
  const stored = await readTrustChain(write);
  if (stored !== null) {
    return {
      trustVersion: stored.trustVersion,
      trustDomain: stored.trustContext,
      rootCertificate: stored.rootCertificate,
      intermediateCertificate: stored.intermediateCertificate,
      intermediateKey: vault.open(stored.sealedIntermediateKey, "intermediate"),
      provenanceKey: vault.open(stored.sealedProvenanceKey, "provenance"),
    };
  }
  const chain = await createTrustChain({ trustDomain, now: new Date() });
  await insertTrustChain(write, {
    trustVersion: TRUST_VERSION,
    trustContext: chain.trustDomain,
    rootCertificate: Buffer.from(chain.rootCertificate),
    intermediateCertificate: Buffer.from(chain.intermediateCertificate),
    sealedRootKey: vault.seal(chain.rootKey, "root"),
    sealedIntermediateKey: vault.seal(chain.intermediateKey, "intermediate"),
    sealedProvenanceKey: vault.seal(chain.provenanceKey, "provenance"),
  });
  return { ...chain, trustVersion: TRUST_VERSION };
}
