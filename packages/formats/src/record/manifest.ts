import { concat, fromUtf8, toHex, toUtf8, uint16, uint32 } from "../bytes/encoding.ts";
import { countJsonValues } from "../bytes/json-text.ts";
import { blake3, blake3Hex } from "../bytes/hashes.ts";
import { opensWithSuperbox, unwrapJson, wrapJson } from "../jumbf/jumbf.ts";

/** The two forms in which a manifest is posted and returned. */
export type ManifestForm = "json" | "jumbf";

/** A manifest as it is kept: its kind as stated, its form, and the bytes its hash is taken of. */
export interface StoredManifest {
  readonly kind: string;
  readonly form: ManifestForm;
  /** JUMBF in both forms: for `json` the superbox around the posted text, for `jumbf` the posted bytes. */
  readonly stored: Uint8Array;
}

const FORMS: ReadonlyMap<string, ManifestForm> = new Map([
  ["application/json", "json"],
  ["application/jumbf", "jumbf"],
  ["application/c2pa", "jumbf"],
]);
const KIND = /^[A-Za-z0-9._-]{1,64}$/;

/** Whether `kind` is a well-formed manifest kind: 1 to 64 characters of A-Z a-z 0-9 . _ - */
export function isManifestKind(kind: string): boolean {
  return KIND.test(kind);
}

/** The form a part's Content-Type declares, its parameters and case ignored; null for any type not accepted. */
export function manifestForm(contentType: string): ManifestForm | null {
  const [type = ""] = contentType.split(";", 1);
  return FORMS.get(type.trim().toLowerCase()) ?? null;
}

/** Whether a posted manifest body is what its form says; any depth of nesting is answered, never thrown. */
export function matchesForm(form: ManifestForm, payload: Uint8Array): boolean {
  return form === "json" ? isJsonObject(payload) : opensWithSuperbox(payload);
}

/** Whether `bytes` are exactly one JSON object (RFC 8259) in strict UTF-8, with no byte order mark. */
export function isJsonObject(bytes: Uint8Array): boolean {
  try {
    return fromUtf8(bytes).trimStart().startsWith("{") && countJsonValues(bytes) !== null;
  } catch {
    return false;
  }
}

/** The bytes kept for a posted manifest, over which its hash is taken. Expects a payload that matches its form. */
export function storedBytes(form: ManifestForm, kind: string, payload: Uint8Array): Uint8Array {
  return form === "json" ? wrapJson(kind, payload) : payload;
}

/** The payload as it was posted, byte for byte: the inverse of `storedBytes`, a view into `stored`. */
export function postedPayload(form: ManifestForm, stored: Uint8Array): Uint8Array {
  return form === "json" ? unwrapJson(stored).json : stored;
}

/** The hash of a manifest as published: BLAKE3-256 of its stored bytes, lowercase hex. */
export function manifestHash(stored: Uint8Array): string {
  return blake3Hex(stored);
}

/**
 * The digest of a whole manifest list, lowercase hex, or null for an empty one. BLAKE3-256 over, for each manifest in
 * order: uint16 length and kind; byte 0 (`json`) or 1 (`jumbf`); uint32 length and the stored bytes. `hash` may be a
 * faster BLAKE3-256 than the portable one.
 */
export function manifestsHash(
  manifests: readonly StoredManifest[],
  hash: (bytes: Uint8Array) => Uint8Array = blake3,
): string | null {
  if (manifests.length === 0) return null;
  const parts = manifests.flatMap(({ kind, form, stored }) => {
    const label = toUtf8(kind);
    const formByte = Uint8Array.of(form === "json" ? 0 : 1);
    return [uint16(label.length), label, formByte, uint32(stored.length), stored];
  });
  return toHex(hash(concat(...parts)));
}
