import { fromHex, sha256, toHex, toUtf8 } from "@colophon/formats";
import {
  consistencyProof,
  extendTiles,
  type FilledTile,
  hashesAt,
  inclusionProof,
  leafHash,
  type ReadTiles,
  rootOf,
  TILE_WIDTH,
  type Tile,
  tilePath,
} from "@colophon/log";

/** The tiles of a tree with these leaf hashes, to be read at any size up to theirs. */
export function tilesOver(leaves: readonly Uint8Array[]): ReadTiles {
  const tiles = new Map<string, FilledTile>();
  for (const tile of extendTiles(0, [], leaves)) tiles.set(`${tile.level} ${tile.index}`, tile);
  const read = ({ level, index, width }: Tile): Uint8Array =>
    tiles.get(`${level} ${index}`)!.hashes.subarray(0, 32 * width);
  return (asked) => Promise.resolve(asked.map(read));
}

/** Entries of the trees that RFC 6962's first implementation has tested itself with since 2013. */
const ENTRIES: readonly Uint8Array[] = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
].map(fromHex);
const LARGE = 70_000;

/** Roots and proofs of small trees, whole, and some of a tree of 70,000 entries. */
export async function logTreeVectors(): Promise<object> {
  const leaves = ENTRIES.map(leafHash);
  const read = tilesOver(leaves);
  const sizes = [...leaves.keys(), leaves.length];
  const pairs = sizes.flatMap((size) => sizes.filter((old) => old <= size).map((old) => ({ old, size })));
  return {
    entries: ENTRIES.map(toHex),
    leafHashes: leaves.map(toHex),
    roots: await Promise.all(sizes.map(async (size) => ({ size, root: toHex(await rootOf(size, read)) }))),
    inclusion: await Promise.all(
      pairs.filter(({ old, size }) => old < size).map(({ old, size }) => inclusionVector(old, size, read)),
    ),
    consistency: await Promise.all(pairs.map(({ old, size }) => consistencyVector(old, size, read))),
    large: await largeTree(),
  };
}

async function largeTree(): Promise<object> {
  const read = tilesOver(Array.from({ length: LARGE }, (_, index) => leafHash(toUtf8(String(index)))));
  const indices = [0, 255, 256, 65_535, 65_536, LARGE - 1];
  return {
    entry: "the index in decimal",
    size: LARGE,
    root: toHex(await rootOf(LARGE, read)),
    inclusion: await Promise.all(indices.map((index) => inclusionVector(index, LARGE, read))),
    consistency: await Promise.all([1, 256, 65_536].map((old) => consistencyVector(old, LARGE, read))),
  };
}

async function inclusionVector(index: number, size: number, read: ReadTiles): Promise<object> {
  return { index, size, proof: (await inclusionProof(index, size, read)).map(toHex) };
}

async function consistencyVector(oldSize: number, size: number, read: ReadTiles): Promise<object> {
  return { oldSize, size, proof: (await consistencyProof(oldSize, size, read)).map(toHex) };
}

/** Names of tiles and bundles, what is none, and which tiles a tree has. */
export function logTileVectors(): object {
  const names = [
    { level: 0, index: 0, width: 256 },
    { level: 0, index: 273, width: 112 },
    { level: 1, index: 1_234_067, width: 256 },
    { level: 63, index: 999, width: 1 },
    { level: 2, index: 1000, width: 255 },
    { level: "entries", index: 0, width: 1 },
    { level: "entries", index: 1_234_067_000, width: 256 },
  ] as const;
  const refused = [
    "tile/0/0",
    "tile/0/0001",
    "tile/0/x000/001",
    "tile/0/001/x002",
    "tile/0/001/002",
    "tile/00/001",
    "tile/64/001",
    "tile/-1/001",
    "tile/0/001.p/0",
    "tile/0/001.p/256",
    "tile/0/001.p/01",
    "tile/0/001.p/5/",
    "tile/0/001.p/",
    "tile/0/../001",
    "tile/data/001",
    "tile/entries/001.p/300",
    "checkpoint",
  ];
  return {
    paths: names.map((name) => ({ ...name, path: tilePath(name) })),
    refused,
    trees: [1, 255, 256, 257, 65_536, LARGE].map((size) => ({ size, levels: levelsOf(size) })),
  };
}

/** How many full tiles each level has, and how wide the last one is that is not full. */
function levelsOf(size: number): object[] {
  const levels: object[] = [];
  for (let level = 0; hashesAt(level, size) > 0; level += 1) {
    const hashes = hashesAt(level, size);
    levels.push({ full: Math.floor(hashes / TILE_WIDTH), partial: hashes % TILE_WIDTH });
  }
  return levels;
}

/** Some bytes that look like chance and are the same on every run. */
export function vectorBytes(name: string): Uint8Array {
  return sha256(toUtf8(`colophon vector bytes ${name}`));
}
