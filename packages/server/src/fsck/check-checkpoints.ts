import {
  ForgedSignature,
  isSameHash,
  openCheckpoint,
  type ReadTiles,
  rootOf,
  type VerifierKey,
} from "@colophon/log";
import { type Database, type Read, reading } from "../store/database.ts";
import { allCheckpoints, type SignedCheckpoint } from "../store/log/checkpoints.ts";
import { type LogTree, readTile, readTree } from "../store/log/tree.ts";
import type { LogSigner } from "../keys/log-signer.ts";
import { originLine } from "../transparency/origin.ts";
import type { Breach } from "./breach.ts";

const RULE = "a checkpoint is signed by the log, and of its tree";
const HASH_BYTES = 32;

/**
 * Every checkpoint that is kept is signed by the log's key, and its root is that of the tree when it had as many
 * entries; a tree with entries has one.
 * @param signer the log's key; null when it does not open
 */
export function checkCheckpoints(database: Database, signer: LogSigner | null): Promise<readonly Breach[]> {
  return reading(database, async (read) => {
    const tree = await readTree(read);
    if (tree === null || signer === null) return [];
    const key = signer.keyOf(originLine(tree));
    const checkpoints = await allCheckpoints(read);
    const breaches: Breach[] = [];
    if (checkpoints.length === 0 && tree.size > 0) breaches.push({ rule: RULE, what: "there is none" });
    for (const checkpoint of checkpoints) {
      const fault = await faultOf(read, tree, key, checkpoint);
      if (fault !== null) breaches.push({ rule: RULE, what: `checkpoint ${checkpoint.size}: ${fault}` });
    }
    return breaches;
  });
}

async function faultOf(
  read: Read,
  tree: LogTree,
  key: VerifierKey,
  { size, note, cosignatures }: SignedCheckpoint,
): Promise<string | null> {
  try {
    const { checkpoint } = openCheckpoint(note + cosignatures, key);
    if (checkpoint.size !== size) return `it states ${checkpoint.size} entries`;
    if (size > tree.size) return `the tree has ${tree.size} entries`;
    return isSameHash(await rootOf(size, tilesOf(read)), checkpoint.root) ? null : "its root is another one";
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ForgedSignature) return error.message;
    throw error;
  }
}

/** A tile that is missing has zeros: then the root is another one. */
function tilesOf(read: Read): ReadTiles {
  return async (tiles) => {
    const hashes: Uint8Array[] = [];
    for (const tile of tiles) {
      hashes.push((await readTile(read, tile)) ?? new Uint8Array(HASH_BYTES * tile.width));
    }
    return hashes;
  };
}
