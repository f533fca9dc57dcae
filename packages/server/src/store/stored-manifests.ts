import type { StoredManifest } from "@colophon/formats";

/** A manifest as the tables of manifests hold it, its place among those of its subject included. */
export interface ManifestRow {
  readonly position: number;
  readonly kind: string;
  readonly form: StoredManifest["form"];
  readonly stored: Buffer;
}

/** Manifests as rows, in their order. Their bytes are shared, not copied. */
export function manifestRows(manifests: readonly StoredManifest[]): ManifestRow[] {
  return manifests.map(({ kind, form, stored }, position) => ({
    position,
    kind,
    form,
    stored: Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength),
  }));
}

/** Bytes that manifests take together. */
export function storedLength(manifests: readonly StoredManifest[]): number {
  return manifests.reduce((sum, { stored }) => sum + stored.length, 0);
}
