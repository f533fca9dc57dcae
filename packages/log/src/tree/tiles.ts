import { concat } from "@colophon/formats";
import { HASH_BYTES, nodeHash } from "./hashing.ts";
import type { Subtree } from "./ranges.ts";

/** Hashes in a full tile: eight levels of the tree. */
export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

/** A run of hashes of one level of the tree, named as C2SP tlog-tiles does. */
export interface Tile {
  /** 0 for leaves; at `level` a hash is that of a full subtree of `256 ** level` entries. */
  readonly level: number;
  readonly index: number;
  /** 1 to 256 hashes. */
  readonly width: number;
}

/** A tile with its hashes, 32 bytes each. */
export interface FilledTile extends Tile {
  readonly hashes: Uint8Array;
}

/** How many hashes a tree of `size` entries has at a level of tiles. */
export function hashesAt(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The `index`th tile of a level as wide as it is in a tree of `size` entries; null where it has none of its hashes. */
export function tileAt(level: number, index: number, size: number): Tile | null {
  const width = Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH);
  return width > 0 ? { level, index, width } : null;
}

/** All tiles of a tree of `size` entries, level by level. */
export function* tilesOf(size: number): Generator<Tile> {
  for (let level = 0; hashesAt(level, size) > 0; level += 1) {
    for (let index = 0; ; index += 1) {
      const tile = tileAt(level, index, size);
      if (tile === null) break;
      yield tile;
    }
  }
}

/** The tiles of a tree of `size` entries that are not full: at most one a level, where it ends. */
export function edgeTiles(size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; hashesAt(level, size) > 0; level += 1) {
    const tile = tileAt(level, Math.floor(hashesAt(level, size) / TILE_WIDTH), size);
    if (tile !== null) tiles.push(tile);
  }
  return tiles;
}

/** The tile in which a tree of `size` entries has what gives the hash of a full subtree. */
export function tileWith({ height, index }: Subtree, size: number): Tile {
  const level = Math.floor(height / TILE_HEIGHT);
  const first = index * 2 ** (height % TILE_HEIGHT);
  const tile = tileAt(level, Math.floor(first / TILE_WIDTH), size);
  if (tile === null) throw new RangeError("not a subtree of the tree");
  return tile;
}

/** The hash of a full subtree, from the tile that `tileWith` names. */
export function hashIn(hashes: Uint8Array, { height, index }: Subtree): Uint8Array {
  const count = 2 ** (height % TILE_HEIGHT);
  const first = (index * count) % TILE_WIDTH;
  return fullRoot(hashes.subarray(first * HASH_BYTES, (first + count) * HASH_BYTES));
}

/** The root above a full tile's hashes, or above any power of two of them. */
export function fullRoot(hashes: Uint8Array): Uint8Array {
  if (hashes.length === HASH_BYTES) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(fullRoot(hashes.subarray(0, middle)), fullRoot(hashes.subarray(middle)));
}

/**
 * The tiles that are new or wider once `leaves` (leaf hashes) follow in a tree of `size` entries, level by level.
 * `edge` holds the last tile of each level of the tree that is not full.
 */
export function extendTiles(
  size: number,
  edge: readonly FilledTile[],
  leaves: readonly Uint8Array[],
): FilledTile[] {
  const changed: FilledTile[] = [];
  let added = leaves;
  for (let level = 0; added.length > 0; level += 1) {
    const before = hashesAt(level, size);
    let hashes = edge.find((tile) => tile.level === level)?.hashes ?? new Uint8Array();
    if (hashes.length !== (before % TILE_WIDTH) * HASH_BYTES) {
      throw new RangeError("not the edge of the tree");
    }
    const above: Uint8Array[] = [];
    let index = Math.floor(before / TILE_WIDTH);
    for (let at = 0; at < added.length; index += 1) {
      const room = TILE_WIDTH - hashes.length / HASH_BYTES;
      hashes = concat(hashes, ...added.slice(at, at + room));
      at += room;
      changed.push({ level, index, width: hashes.length / HASH_BYTES, hashes });
      if (hashes.length === TILE_WIDTH * HASH_BYTES) {
        above.push(fullRoot(hashes));
        hashes = new Uint8Array();
      }
    }
    added = above;
  }
  return changed;
}
