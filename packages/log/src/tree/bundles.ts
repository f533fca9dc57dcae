import { concat, uint16 } from "@colophon/formats";

/**
 * The entries below a tile of level 0 as C2SP tlog-tiles has them: each after its length as a uint16. Throws a
 * RangeError on one above 65,535 bytes.
 */
export function writeBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concat(...entries.flatMap((entry) => [uint16(entry.length), entry]));
}

/** The entries of a bundle, as views of its bytes. Throws a SyntaxError when the last one is cut short. */
export function readBundle(bytes: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + (bytes[at]! << 8) + (bytes[at + 1] ?? 0);
    if (at + 2 > bytes.length || end > bytes.length) throw new SyntaxError("an entry is cut short");
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
