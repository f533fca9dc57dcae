import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { KEY_TYPE, type KeyType, type VerifierKey, verifierKey } from "@colophon/log";

/** What stands before the seed in the PKCS#8 form of an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_KEY_BYTES = 32;

/** An Ed25519 key that signs notes, under whatever name. */
export class LogSigner {
  readonly #key: KeyObject;
  readonly #publicKey: Uint8Array;

  /** @param seed 32 bytes */
  constructor(seed: Buffer) {
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
    const spki = createPublicKey(this.#key).export({ format: "der", type: "spki" });
    this.#publicKey = Uint8Array.from(spki.subarray(-PUBLIC_KEY_BYTES));
  }

  /** The public key as readers of a log, or of a witness, know it. */
  keyOf(name: string, type: KeyType = KEY_TYPE.ed25519): VerifierKey {
    return verifierKey(name, type, this.#publicKey);
  }

  readonly sign = (message: Uint8Array): Uint8Array => sign(null, message, this.#key);
}
