import type { ReportedResource } from "./report.ts";

/** A small picture within a store, that its signer put there. */
export interface Thumbnail {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp"];
const MOST_BYTES = 1_048_576;

/** The bytes of a thumbnail; null without one, and for one of another type or too large. */
export function thumbnailOf(
  { format, identifier }: ReportedResource = {},
  read: (uri: string) => Uint8Array,
): Thumbnail | null {
  if (format === undefined || identifier === undefined || !TYPES.includes(format)) return null;
  try {
    const bytes = read(identifier);
    return bytes.length > MOST_BYTES ? null : { type: format, bytes: Uint8Array.from(bytes) };
  } catch {
    // The library throws what its language makes of "there is none".
    return null;
  }
}
