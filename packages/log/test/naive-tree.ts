import { hash } from "node:crypto";

/** The trees of RFC 6962, 2.1, as its text defines them, recursion for recursion. */

function sha256(...parts: Uint8Array[]): Buffer {
  return hash("sha256", Buffer.concat(parts), "buffer");
}

export function naiveLeaf(entry: Uint8Array): Buffer {
  return sha256(Uint8Array.of(0), entry);
}

function split(n: number): number {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

/** MTH(D[n]). */
export function naiveRoot(entries: readonly Uint8Array[]): Buffer {
  if (entries.length === 0) return sha256();
  if (entries.length === 1) return naiveLeaf(entries[0]!);
  const k = split(entries.length);
  return sha256(Uint8Array.of(1), naiveRoot(entries.slice(0, k)), naiveRoot(entries.slice(k)));
}

/** PATH(m, D[n]). */
export function naivePath(m: number, entries: readonly Uint8Array[]): Buffer[] {
  if (entries.length === 1) return [];
  const k = split(entries.length);
  const [left, right] = [entries.slice(0, k), entries.slice(k)];
  return m < k ? [...naivePath(m, left), naiveRoot(right)] : [...naivePath(m - k, right), naiveRoot(left)];
}

/** PROOF(m, D[n]). */
export function naiveProof(m: number, entries: readonly Uint8Array[]): Buffer[] {
  return m === 0 ? [] : subProof(m, entries, true);
}

function subProof(m: number, entries: readonly Uint8Array[], isWhole: boolean): Buffer[] {
  if (m === entries.length) return isWhole ? [] : [naiveRoot(entries)];
  const k = split(entries.length);
  const [left, right] = [entries.slice(0, k), entries.slice(k)];
  return m <= k
    ? [...subProof(m, left, isWhole), naiveRoot(right)]
    : [...subProof(m - k, right, false), naiveRoot(left)];
}
