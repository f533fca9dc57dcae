import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

const NONCE = 12;
const TAG = 16;

/** What was sealed does not open: another key, another purpose, or altered bytes. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
  constructor() {
    super("Sealed bytes do not open under this key.");
  }
}

/**
 * Does work that opens the keys of a database or a backup.
 * @param keyName names the key-encryption key in that line
 * @throws Error with one clear line where it is not the one that they were sealed under
 */
export async function openingKeys<T>(
  {
    of,
    keyName = "The key-encryption key",
  }: { readonly of: "backup" | "database"; readonly keyName?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new Error(`${keyName} does not open the keys of this ${of}.`, { cause: error });
  }
}

/**
 * Seals bytes for storage under one key: AES-256-GCM with a random nonce. A seal is bound to its purpose, so that
 * one row's bytes cannot stand in for another's. Layout: nonce (12), ciphertext, tag (16).
 */
export class Vault {
  /** Not its bytes: making a key of them takes longer than opening a kilobyte. */
  readonly #key: KeyObject;

  /** @param key 32 bytes */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  seal(plain: Uint8Array, purpose: string): Buffer {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    cipher.setAAD(Buffer.from(purpose));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws SealBroken */
  open(sealed: Uint8Array, purpose: string): Buffer {
    const plain = this.tryOpen(sealed, purpose);
    if (plain === null) throw new SealBroken();
    return plain;
  }

  /** Whether the seal opens; what was sealed is erased again. */
  opens(sealed: Uint8Array, purpose: string): boolean {
    const plain = this.tryOpen(sealed, purpose);
    plain?.fill(0);
    return plain !== null;
  }

  /** Null when the seal does not open. */
  tryOpen(sealed: Uint8Array, purpose: string): Buffer | null {
    if (sealed.length < NONCE + TAG) return null;
    const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, NONCE));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
    try {
      const plain = decipher.update(sealed.subarray(NONCE, sealed.length - TAG));
      // Checks the tag; of this mode nothing is left to decipher.
      decipher.final();
      return plain;
    } catch {
      return null;
    }
  }
}
