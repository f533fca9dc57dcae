import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256, toHex, toUtf8 } from "@colophon/formats";

/** An Ed25519 key made from a published seed: for vectors only. */
export interface VectorKey {
  readonly name: string;
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The key whose seed is the SHA-256 of `colophon vector key <name>`. */
export function vectorKey(name: string): VectorKey {
  const seed = sha256(toUtf8(`colophon vector key ${name}`));
  return { name, seed, publicKey: ed25519.getPublicKey(seed) };
}

export const rootKey: VectorKey = vectorKey("root");
export const intermediateKey: VectorKey = vectorKey("intermediate");
export const leafKey: VectorKey = vectorKey("leaf");
export const strangerKey: VectorKey = vectorKey("stranger");
export const logKeys: readonly VectorKey[] = ["log", "witness", "other witness"].map(vectorKey);

/** A deterministic Ed25519 signature (RFC 8032). */
export function sign(key: VectorKey, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, key.seed);
}

export function keyVectors(): object {
  const keys = [rootKey, intermediateKey, leafKey, strangerKey, ...logKeys];
  return keys.map(({ name, seed, publicKey }) => ({ name, seed: toHex(seed), publicKey: toHex(publicKey) }));
}
