import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

const HASH = /^[0-9a-f]{64}$/;
const CHUNK = 0x8000;

/** Whether `text` is a hash as this service writes one: exactly 64 lowercase hex characters. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** Lowercase hex of `bytes`. */
export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** The bytes of an even-length hex text, either case; throws on anything else. */
export function fromHex(text: string): Uint8Array {
  return hexToBytes(text);
}

/** Padded base64 (RFC 4648 section 4) of `bytes`. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/** Base64url without padding (RFC 4648 section 5) of `bytes`. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The bytes of a padded base64 text (RFC 4648 section 4). Strict: no whitespace, no missing padding, and the
 * unused bits of the last character are zero, so that one byte string has one text. Throws a SyntaxError otherwise.
 */
export function fromBase64(text: string): Uint8Array {
  const bytes = Uint8Array.from(decodeLeniently(text), (character) => character.charCodeAt(0));
  if (toBase64(bytes) !== text) throw new SyntaxError("not canonical base64");
  return bytes;
}

function decodeLeniently(text: string): string {
  try {
    return atob(text);
  } catch {
    throw new SyntaxError("not base64");
  }
}

const encoder = new TextEncoder();

/** UTF-8 bytes of `text`. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of strict UTF-8 `bytes`, a byte order mark kept as U+FEFF; throws a TypeError on invalid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Two bytes, big-endian; throws a RangeError when `value` does not fit. */
export function uint16(value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff) throw new RangeError("not a uint16");
  return Uint8Array.of(value >>> 8, value & 0xff);
}

/** Four bytes, big-endian; throws a RangeError when `value` does not fit. */
export function uint32(value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) throw new RangeError("not a uint32");
  return Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

/** Eight bytes, big-endian; throws a RangeError on anything but an integer from 0 to 2^53 - 1. */
export function uint64(value: number): Uint8Array {
  if (!Number.isSafeInteger(value)) throw new RangeError("not a uint64");
  return concat(uint32(Math.floor(value / 2 ** 32)), uint32(value % 2 ** 32));
}

/** The parts one after the other, in one new array. */
export function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joined(parts);
}

/** The same of a list, however long: so many arguments may be more than the stack has room for. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
