import { createPrivateKey, X509Certificate } from "node:crypto";
import { messageOf } from "../error-message.ts";
import { LogSigner } from "../keys/log-signer.ts";
import { type OpenVault, PacketSeal } from "../keys/packet-seal.ts";
import { CHAIN_KEYS } from "../keys/rotate.ts";
import { KEY_NAMES } from "../keys/service-keys.ts";
import { SealBroken, Vault } from "../keys/vault.ts";
import { type Database, type Read, reading } from "../store/database.ts";
import { sealedKeys, type StoredTrustChain, trustChains } from "../store/keys.ts";
import { packetKeyName } from "../store/packet-keys.ts";
import { hasRows } from "../store/stored-data.ts";
import type { Breach } from "./breach.ts";

const RULE = "a key of the deployment is there, opens, and is that of its certificate";

/** Keys that must be there as soon as a table has rows: no start makes them again but as others. */
const NEEDED = [
  { name: packetKeyName(1), by: "feature" },
  { name: KEY_NAMES.residualKey, by: "feature" },
  { name: KEY_NAMES.ticketKey, by: "sequence" },
  { name: KEY_NAMES.queries, by: "pooledQuery" },
  { name: KEY_NAMES.log, by: "logCheckpoint" },
] as const;

/** What is wrong with the keys, and those that the rest of the data is checked with; null where one does not open. */
export interface CheckedKeys {
  readonly breaches: readonly Breach[];
  readonly packets: PacketSeal | null;
  readonly queries: Vault | null;
  readonly log: LogSigner | null;
}

/** Opens every key of a deployment. @throws SealBroken where the key-encryption key opens none of them */
export async function checkKeys(database: Database, openVault: OpenVault): Promise<CheckedKeys> {
  const { keys, chains, missing } = await reading(database, async (read) => {
    const stored = await sealedKeys(read);
    return { keys: stored, chains: await trustChains(read), missing: await missingKeys(read, stored) };
  });
  const faults = missing.map((name) => `${name}: it is missing`);
  const opened = new Map<string, Buffer>();
  let vault: Vault | null = null;
  try {
    if (keys.length + chains.length > 0) vault = await openVault();
  } catch (error) {
    faults.push(messageOf(error));
  }
  if (vault !== null) {
    for (const { name, sealed } of keys) {
      const key = vault.tryOpen(sealed, name);
      if (key === null) faults.push(`${name}: its seal does not open`);
      else opened.set(name, key);
    }
    if (keys.length > 0 && opened.size === 0) throw new SealBroken();
    for (const chain of chains) faults.push(...chainFaults(vault, chain, chain === chains.at(-1)));
  }
  const queries = opened.get(KEY_NAMES.queries);
  const log = opened.get(KEY_NAMES.log);
  return {
    breaches: faults.map((what) => ({ rule: RULE, what })),
    packets: vault && (await packetSeal(database, openVault)),
    queries: queries ? new Vault(queries) : null,
    log: log ? new LogSigner(log) : null,
  };
}

async function missingKeys(
  read: Read,
  stored: readonly { readonly name: string }[],
): Promise<readonly string[]> {
  const names = new Set(stored.map(({ name }) => name));
  const missing: string[] = [];
  for (const { name, by } of NEEDED) {
    if (!names.has(name) && (await hasRows(read, by))) missing.push(name);
  }
  return missing;
}

function chainFaults(vault: Vault, chain: StoredTrustChain, isLatest: boolean): readonly string[] {
  const certificates = certificatesOf(chain);
  if (certificates === null) return [`trust chain ${chain.trustVersion}: its certificates are damaged`];
  return CHAIN_KEYS.flatMap(([column, purpose]) => {
    // That of a chain before the latest is deleted.
    if (purpose === "intermediate" && chain[column].length === 0 && !isLatest) return [];
    const name = `trust chain ${chain.trustVersion}, ${purpose}`;
    const key = vault.tryOpen(chain[column], purpose);
    if (key === null) return [`${name}: its seal does not open`];
    const certificate = purpose === "provenance" ? null : certificates[purpose];
    const isItsKey =
      certificate === null ||
      certificate.checkPrivateKey(createPrivateKey({ key, format: "der", type: "pkcs8" }));
    return isItsKey ? [] : [`${name}: it is not the key of its certificate`];
  });
}

/** Null when they cannot be read, or the root has not signed the intermediate. */
function certificatesOf(
  chain: StoredTrustChain,
): { readonly root: X509Certificate; readonly intermediate: X509Certificate } | null {
  try {
    const root = new X509Certificate(chain.rootCertificate);
    const intermediate = new X509Certificate(chain.intermediateCertificate);
    return intermediate.verify(root.publicKey) ? { root, intermediate } : null;
  } catch {
    return null;
  }
}

async function packetSeal(database: Database, openVault: OpenVault): Promise<PacketSeal | null> {
  try {
    return await PacketSeal.open(database, openVault);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
