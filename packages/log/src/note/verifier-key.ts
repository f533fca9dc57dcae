import { concat, fromBase64, sha256, toBase64, toHex, toUtf8 } from "@colophon/formats";

/** What a key signs, by its byte in C2SP signed-note: the text of a note, or a checkpoint with the time it was seen. */
export const KEY_TYPE = { ed25519: 0x01, cosignature: 0x04 } as const;
export type KeyType = (typeof KEY_TYPE)[keyof typeof KEY_TYPE];

/** A public key that signs notes. */
export interface VerifierKey {
  /** Of a log its origin; neither spaces nor a plus. */
  readonly name: string;
  readonly type: KeyType;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Eight hex digits. */
  readonly id: string;
}

const VKEY = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)\n?$/;
const SPACE_OR_PLUS = /[\s\u0085+]/u;
const PUBLIC_KEY_BYTES = 32;

/** Whether a key may have this name. */
export function isKeyName(name: string): boolean {
  return name !== "" && name.isWellFormed() && !SPACE_OR_PLUS.test(name);
}

/** The key of this name. Throws a SyntaxError when the name, or the number of its bytes, is not possible. */
export function verifierKey(name: string, type: KeyType, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name)) throw new SyntaxError("not the name of a key");
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new SyntaxError("not an Ed25519 key");
  const id = toHex(sha256(concat(toUtf8(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, 4));
  return { name, type, publicKey, id };
}

/** The key as one line (vkey): name, id and key, with a plus between them. */
export function writeVkey({ name, type, publicKey, id }: VerifierKey): string {
  return `${name}+${id}+${toBase64(concat(Uint8Array.of(type), publicKey))}`;
}

/**
 * The key in a vkey, with the end of its line or without. Throws a SyntaxError on another text, on a type other than
 * Ed25519 notes and cosignatures, and on an id that is not the key's.
 */
export function parseVkey(text: string): VerifierKey {
  const [, name = "", id, base64] = VKEY.exec(text) ?? [];
  if (base64 === undefined) throw new SyntaxError("not a verifier key");
  const [type, ...publicKey] = fromBase64(base64);
  const known = Object.values(KEY_TYPE).find((value) => value === type);
  if (known === undefined) throw new SyntaxError("a verifier key of an unknown type");
  const key = verifierKey(name, known, Uint8Array.from(publicKey));
  if (key.id !== id) throw new SyntaxError("a verifier key with another key's id");
  return key;
}
