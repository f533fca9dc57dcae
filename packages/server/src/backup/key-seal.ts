import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { SealBroken, Vault } from "../keys/vault.ts";

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const PURPOSE = "colophon backup";
/** RFC 7914; 128 MiB and some tenths of a second for every guess. */
const COST = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 };

/** The key-encryption key as a backup holds it, in base64. */
export interface SealedKey {
  /** Of the key that scrypt (N = 131072, r = 8, p = 1) makes of the passphrase. */
  readonly salt: string;
  /** AES-256-GCM with additional data `colophon backup`: nonce (12), ciphertext, tag (16). */
  readonly sealed: string;
}

/** Seals a key under a passphrase. */
export async function sealKey(key: Buffer, passphrase: string): Promise<SealedKey> {
  const salt = randomBytes(SALT_BYTES);
  const vault = await vaultOf(passphrase, salt);
  return { salt: salt.toString("base64"), sealed: vault.seal(key, PURPOSE).toString("base64") };
}

/** @throws Error with one clear line when the passphrase is another one */
export async function openKey({ salt, sealed }: SealedKey, passphrase: string): Promise<Buffer> {
  const vault = await vaultOf(passphrase, Buffer.from(salt, "base64"));
  try {
    return vault.open(Buffer.from(sealed, "base64"), PURPOSE);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new Error("The passphrase does not open the key in this backup.", { cause: error });
  }
}

async function vaultOf(passphrase: string, salt: Buffer): Promise<Vault> {
  const derive: (secret: string, salt: Buffer, length: number, cost: object) => Promise<Buffer> =
    promisify(scrypt);
  return new Vault(await derive(passphrase.normalize("NFC"), salt, KEY_BYTES, COST));
}
