import { toHex, toUtf8 } from "@colophon/formats";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  consistencyProof,
  extendTiles,
  type FilledTile,
  inclusionProof,
  leafHash,
  type ReadTiles,
  rootOf,
  TILE_WIDTH,
  tileAt,
  tilePath,
  tilesOf,
  verifyConsistency,
  verifyInclusion,
} from "../src/index.ts";
import { naivePath, naiveProof, naiveRoot } from "./naive-tree.ts";

const MOST = 700;
const entries = Array.from({ length: MOST }, (_, i) => toUtf8(`entry ${i}`));
const leaves = entries.map(leafHash);
const hex = (hashes: readonly Uint8Array[]): string[] =>
  hashes.map((hash) => Buffer.from(hash).toString("hex"));

/** A log that keeps its tiles as a service does: the widest form of each. */
class Tiles {
  readonly #tiles = new Map<string, FilledTile>();
  size = 0;

  append(more: readonly Uint8Array[]): void {
    const edge = [...this.#tiles.values()].filter(({ width }) => width < TILE_WIDTH);
    for (const tile of extendTiles(this.size, edge, more)) {
      this.#tiles.set(`${tile.level}/${tile.index}`, tile);
    }
    this.size += more.length;
  }

  /** Serves a tile as wide as asked for, as from an earlier checkpoint. */
  readonly read: ReadTiles = async (asked) =>
    asked.map(({ level, index, width }) => {
      const hashes = this.#tiles.get(`${level}/${index}`)?.hashes ?? new Uint8Array();
      if (hashes.length < 32 * width) throw new Error(`no ${tilePath({ level, index, width })}`);
      return hashes.slice(0, 32 * width);
    });

  get paths(): string[] {
    return [...this.#tiles.values()].map(tilePath);
  }
}

const full = new Tiles();
full.append(leaves);
const size = fc.integer({ min: 1, max: MOST });

test("tiles are the same in whatever steps a log grows", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 }), (steps) => {
      const grown = new Tiles();
      for (const step of steps) grown.append(leaves.slice(grown.size, grown.size + step));
      const atOnce = new Tiles();
      atOnce.append(leaves.slice(0, grown.size));
      expect(grown.paths.toSorted()).toEqual(atOnce.paths.toSorted());
      expect(grown.paths.toSorted()).toEqual([...tilesOf(grown.size)].map(tilePath).toSorted());
    }),
    { numRuns: 30 },
  );
});

test("roots are RFC 6962's, at every size that the log had", async () => {
  for (let n = 0; n <= 40; n += 1) {
    expect(toHex(await rootOf(n, full.read))).toBe(hex([naiveRoot(entries.slice(0, n))])[0]);
  }
  for (const n of [255, 256, 257, 511, 512, 513, MOST]) {
    expect(toHex(await rootOf(n, full.read))).toBe(hex([naiveRoot(entries.slice(0, n))])[0]);
  }
});

test("inclusion proofs are RFC 6962's, and hold for their entry and place alone", async () => {
  await fc.assert(
    fc.asyncProperty(size, fc.nat(), fc.nat(), async (n, at, elsewhere) => {
      const index = at % n;
      const tree = { size: n, root: naiveRoot(entries.slice(0, n)) };
      const proof = await inclusionProof(index, n, full.read);
      expect(hex(proof)).toEqual(hex(naivePath(index, entries.slice(0, n))));
      expect(verifyInclusion(leaves[index]!, index, tree, proof)).toBe(true);
      const other = elsewhere % MOST;
      expect(verifyInclusion(leaves[other]!, index, tree, proof)).toBe(other === index);
      expect(verifyInclusion(leaves[index]!, other, tree, proof)).toBe(other === index);
      expect(verifyInclusion(leaves[index]!, index, tree, [...proof, tree.root])).toBe(false);
      expect(verifyInclusion(leaves[index]!, index, tree, proof.slice(1))).toBe(proof.length === 0);
    }),
    { numRuns: 60 },
  );
});

test("consistency proofs are RFC 6962's, and hold between their trees alone", async () => {
  await fc.assert(
    fc.asyncProperty(size, fc.nat(), fc.nat(), async (n, before, flipped) => {
      const old = before % (n + 1);
      const was = { size: old, root: naiveRoot(entries.slice(0, old)) };
      const now = { size: n, root: naiveRoot(entries.slice(0, n)) };
      const proof = await consistencyProof(old, n, full.read);
      expect(hex(proof)).toEqual(hex(naiveProof(old, entries.slice(0, n))));
      expect(verifyConsistency(was, now, proof)).toBe(true);
      expect(verifyConsistency(now, was, proof)).toBe(old === n);
      expect(verifyConsistency(was, now, [...proof, now.root])).toBe(false);
      if (old === 0 || old === n) return;
      const forked = { size: old, root: naiveRoot(entries.slice(1, old + 1)) };
      expect(verifyConsistency(forked, now, proof)).toBe(false);
      const broken = proof.map((hash, i) => (i === flipped % proof.length ? leaves[0]! : hash));
      expect(verifyConsistency(was, now, broken)).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test("a proof asks for each tile once, and for no more than the tree's height of them", async () => {
  for (const n of [1, 256, 70_000, 16_777_217]) {
    let asked = 0;
    const read: ReadTiles = (tiles) => {
      asked = tiles.length;
      expect(new Set(tiles.map(tilePath)).size).toBe(asked);
      for (const { level, index, width } of tiles) expect(tileAt(level, index, n)?.width).toBe(width);
      return Promise.resolve(tiles.map(({ width }) => new Uint8Array(32 * width)));
    };
    await inclusionProof(n - 1, n, read);
    await inclusionProof(0, n, read);
    expect(asked).toBeLessThanOrEqual(2 * 4);
  }
});

test("what is no tree, no entry and no earlier size is refused", async () => {
  for (const [index, n] of [
    [0, 0],
    [5, 5],
    [-1, 5],
    [0.5, 5],
    [0, -1],
    [0, 2 ** 53],
  ] as const) {
    await expect(async () => inclusionProof(index, n, full.read)).rejects.toThrow(RangeError);
    expect(verifyInclusion(leaves[0]!, index, { size: n, root: leaves[0]! }, [])).toBe(false);
  }
  await expect(async () => consistencyProof(6, 5, full.read)).rejects.toThrow(RangeError);
  expect(() => extendTiles(3, [], leaves.slice(0, 1))).toThrow(RangeError);
});
