import { webcrypto } from "node:crypto";

/** A key pair whose public half is at hand as its 32 raw bytes. */
export interface Ed25519Pair {
  readonly privateKey: webcrypto.CryptoKey;
  readonly publicKey: Uint8Array;
}

/** A fresh key pair; a private key that is not extractable never leaves the crypto library. */
export async function generateEd25519(options: { extractable: boolean }): Promise<Ed25519Pair> {
  const pair = await webcrypto.subtle.generateKey("Ed25519", options.extractable, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new TypeError("expected a key pair");
  const raw = await webcrypto.subtle.exportKey("raw", pair.publicKey);
  return { privateKey: pair.privateKey, publicKey: new Uint8Array(raw) };
}

/** The signing key in a PKCS#8 document (RFC 8410), no longer extractable. */
export async function importEd25519(pkcs8: Uint8Array): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey("pkcs8", Uint8Array.from(pkcs8), "Ed25519", false, ["sign"]);
}

/** An Ed25519 signature (RFC 8032): 64 bytes. */
export async function signEd25519(key: webcrypto.CryptoKey, message: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await webcrypto.subtle.sign("Ed25519", key, message));
}

/** 128 random bits for a certificate's serial number. */
export function randomSerialNumber(): Uint8Array {
  return webcrypto.getRandomValues(new Uint8Array(16));
}
