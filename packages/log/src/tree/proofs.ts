import { isSameHash, nodeHash } from "./hashing.ts";
import { consistencyRanges, hasEntry, hasGrownFrom, inclusionRanges } from "./ranges.ts";

/** A tree as a checkpoint states it. */
export interface TreeHead {
  /** Entries. */
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

/**
 * Whether `proof` shows that `leaf` (a leaf hash) is entry `index` of the tree (RFC 6962, 2.1.1). A proof that is too
 * long or too short is just no.
 */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  tree: TreeHead,
  proof: readonly Uint8Array[],
): boolean {
  if (!hasEntry(tree.size, index)) return false;
  const ranges = inclusionRanges(index, tree.size);
  if (proof.length !== ranges.length) return false;
  const root = proof.reduce(
    (hash, sibling, i) => (ranges[i]!.start > index ? nodeHash(hash, sibling) : nodeHash(sibling, hash)),
    leaf,
  );
  return isSameHash(root, tree.root);
}

/**
 * Whether `proof` shows that the tree `now` begins with all of the tree `old` (RFC 6962, 2.1.2). Every tree begins with
 * the empty one.
 */
export function verifyConsistency(old: TreeHead, now: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (!hasGrownFrom(old.size, now.size)) return false;
  if (old.size === now.size) return proof.length === 0 && isSameHash(old.root, now.root);
  if (old.size === 0) return proof.length === 0;
  const ranges = consistencyRanges(old.size, now.size);
  if (proof.length !== ranges.length) return false;
  // Where the old tree is a node of the new one, the proof starts from it; else from the last node they share.
  const isNode = ranges[0]!.start === old.size;
  const shared = isNode ? old.root : proof[0]!;
  let [oldRoot, root] = [shared, shared];
  for (let i = isNode ? 0 : 1; i < proof.length; i += 1) {
    const hash = proof[i]!;
    const isLeft = ranges[i]!.start < old.size;
    if (isLeft) oldRoot = nodeHash(hash, oldRoot);
    root = isLeft ? nodeHash(hash, root) : nodeHash(root, hash);
  }
  return isSameHash(oldRoot, old.root) && isSameHash(root, now.root);
}
