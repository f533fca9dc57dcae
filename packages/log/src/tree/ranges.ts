/** The entries from `start` on and before `end`; the tree's hash of them is one node, or the right edge of the tree. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A full binary subtree: `2 ** height` entries, the `index`th such subtree from the left. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
}

/** The height of the largest full subtree with at most `entries` entries, which are at least one. */
function heightWithin(entries: number): number {
  let height = 0;
  while (2 ** (height + 1) <= entries) height += 1;
  return height;
}

/** How many of `entries`, which are at least two, lie left of a tree's root: the largest power of two below. */
function leftOf(entries: number): number {
  return 2 ** heightWithin(entries - 1);
}

/** Whether a tree of `size` entries has an entry `index`. */
export function hasEntry(size: number, index: number): boolean {
  return Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size;
}

/** Whether a tree of `size` entries may have had `oldSize`. */
export function hasGrownFrom(oldSize: number, size: number): boolean {
  return Number.isSafeInteger(size) && Number.isSafeInteger(oldSize) && oldSize >= 0 && oldSize <= size;
}

/**
 * The ranges whose hashes prove that the entry `index` is in a tree of `size` entries, from the leaf's sibling up (PATH
 * of RFC 6962, 2.1.1). Throws a RangeError unless 0 <= index < size.
 */
export function inclusionRanges(index: number, size: number): Range[] {
  if (!hasEntry(size, index)) throw new RangeError("not an entry of the tree");
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + leftOf(end - start);
    ranges.unshift(index < middle ? { start: middle, end } : { start, end: middle });
    if (index < middle) end = middle;
    else start = middle;
  }
  return ranges;
}

/**
 * The ranges whose hashes prove that a tree of `size` entries begins with the one of `oldSize` (PROOF of RFC 6962,
 * 2.1.2); none for an empty tree, which every tree begins with. Throws a RangeError unless 0 <= oldSize <= size.
 */
export function consistencyRanges(oldSize: number, size: number): Range[] {
  if (!hasGrownFrom(oldSize, size)) throw new RangeError("not an earlier size of the tree");
  const ranges: Range[] = [];
  if (oldSize === 0) return ranges;
  let [start, end] = [0, size];
  while (end > oldSize) {
    const middle = start + leftOf(end - start);
    ranges.unshift(oldSize <= middle ? { start: middle, end } : { start, end: middle });
    if (oldSize <= middle) end = middle;
    else start = middle;
  }
  // The old tree itself is known to who checks, so it is no part of the proof.
  return start === 0 ? ranges : [{ start, end }, ...ranges];
}

/** The full subtrees that a range of a tree consists of, left to right. */
export function subtreesOf({ start, end }: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = start; at < end; ) {
    const height = heightWithin(end - at);
    subtrees.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return subtrees;
}
