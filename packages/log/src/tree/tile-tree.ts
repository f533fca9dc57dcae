import { EMPTY_ROOT, nodeHash } from "./hashing.ts";
import { consistencyRanges, inclusionRanges, type Range, subtreesOf } from "./ranges.ts";
import { tilePath } from "./tile-paths.ts";
import { hashIn, type Tile, tileWith } from "./tiles.ts";

/** Brings the hashes of the tiles asked for, in their order. */
export type ReadTiles = (tiles: readonly Tile[]) => Promise<readonly Uint8Array[]>;

/** The root of a tree of `size` entries, from its tiles. */
export async function rootOf(size: number, read: ReadTiles): Promise<Uint8Array> {
  if (size === 0) return EMPTY_ROOT;
  const [root] = await hashesOf([{ start: 0, end: size }], size, read);
  return root!;
}

/**
 * The proof that `index` is an entry of a tree of `size` entries, for `verifyInclusion`; from its tiles, all of them
 * asked for at once.
 */
export function inclusionProof(index: number, size: number, read: ReadTiles): Promise<Uint8Array[]> {
  return hashesOf(inclusionRanges(index, size), size, read);
}

/**
 * The proof that a tree of `size` entries begins with the one of `oldSize`, for `verifyConsistency`; from its tiles.
 */
export function consistencyProof(oldSize: number, size: number, read: ReadTiles): Promise<Uint8Array[]> {
  return hashesOf(consistencyRanges(oldSize, size), size, read);
}

async function hashesOf(ranges: readonly Range[], size: number, read: ReadTiles): Promise<Uint8Array[]> {
  const parts = ranges.map((range) =>
    subtreesOf(range).map((subtree) => ({ subtree, tile: tileWith(subtree, size) })),
  );
  const tiles = new Map(parts.flat().map(({ tile }) => [tilePath(tile), tile]));
  const found = await read([...tiles.values()]);
  const hashes = new Map([...tiles.keys()].map((path, i) => [path, found[i]!]));
  return parts.map((subtrees) =>
    subtrees
      .map(({ subtree, tile }) => hashIn(hashes.get(tilePath(tile))!, subtree))
      .reduceRight((right, left) => nodeHash(left, right)),
  );
}
