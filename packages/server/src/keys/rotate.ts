import { renewIntermediate } from "@colophon/engine";
import { type Database, type Write, writing } from "../store/database.ts";
import {
  insertTrustChain,
  lockKeys,
  readTrustChain,
  replaceChainKeys,
  replaceSealedKey,
  sealedKeys,
  type StoredTrustChain,
  trustChains,
} from "../store/keys.ts";
import type { Vault } from "./vault.ts";

/** The private keys of a chain, and the purposes that they are sealed for. */
export const CHAIN_KEYS = [
  ["sealedRootKey", "root"],
  ["sealedIntermediateKey", "intermediate"],
  ["sealedProvenanceKey", "provenance"],
] as const;

/**
 * Seals every key of the deployment under another key-encryption key: all of them, or none. Those that are sealed under
 * it already are left as they are.
 * @throws SealBroken when neither opens them
 */
export async function resealKeys(database: Database, current: Vault, next: Vault): Promise<void> {
  await writing(database, async (write) => {
    await lockKeys(write);
    const keys = await sealedKeys(write);
    if (keys.every(({ name, sealed }) => next.opens(sealed, name))) return;
    for (const { name, sealed } of keys) {
      await replaceSealedKey(write, name, next.seal(current.open(sealed, name), name));
    }
    for (const chain of await trustChains(write)) await resealChain(write, chain, current, next);
  });
}

async function resealChain(
  write: Write,
  chain: StoredTrustChain,
  current: Vault,
  next: Vault,
): Promise<void> {
  const resealed: Partial<Record<(typeof CHAIN_KEYS)[number][0], Buffer>> = {};
  for (const [column, purpose] of CHAIN_KEYS) {
    const sealed = chain[column];
    if (sealed.length > 0) resealed[column] = next.seal(current.open(sealed, purpose), purpose);
  }
  await replaceChainKeys(write, chain.trustVersion, resealed);
}

/**
 * Gives the deployment another intermediate under its root, and deletes the private key of the one before. Records that
 * are signed already keep their chain.
 * @returns the version of the new chain
 * @throws Error when there is no chain yet; SealBroken
 */
export function rotateIntermediate(database: Database, vault: Vault): Promise<number> {
  return writing(database, async (write) => {
    await lockKeys(write);
    const chain = await readTrustChain(write);
    if (chain === null) throw new Error("The deployment has no keys yet: start its service once.");
    const { createdAt: _, ...kept } = chain;
    const rootKey = vault.open(chain.sealedRootKey, "root");
    const renewed = await renewIntermediate({ trustDomain: chain.trustContext, rootKey }, new Date());
    rootKey.fill(0);
    const trustVersion = chain.trustVersion + 1;
    await insertTrustChain(write, {
      ...kept,
      trustVersion,
      intermediateCertificate: Buffer.from(renewed.intermediateCertificate),
      sealedIntermediateKey: vault.seal(renewed.intermediateKey, "intermediate"),
    });
    await replaceChainKeys(write, chain.trustVersion, { sealedIntermediateKey: Buffer.alloc(0) });
    return trustVersion;
  });
}
