import { fromUtf8, toBase64 } from "@colophon/formats";
import { openCheckpoint, type OpenCheckpoint } from "../note/checkpoint.ts";
import type { VerifierKey } from "../note/verifier-key.ts";
import { readBundle } from "../tree/bundles.ts";
import type { LogTrust } from "../record/verify-log-proof.ts";
import type { TreeHead } from "../tree/proofs.ts";
import { isSameHash, leafHash } from "../tree/hashing.ts";
import { tilePath } from "../tree/tile-paths.ts";
import { rootOf } from "../tree/tile-tree.ts";
import { extendTiles, type FilledTile, TILE_WIDTH } from "../tree/tiles.ts";
import { AuditFailure } from "./audit-failure.ts";
import { type AuditState, EntryLedger } from "./entry-ledger.ts";

/** Fetches what a log serves at a path below its prefix: `checkpoint`, `tile/0/000`. Rejects when it cannot be had. */
export type ReadLog = (path: string) => Promise<Uint8Array>;

/** Is told after every few bundles how far an audit has come, and how far it goes. */
export type OnProgress = (size: number, of: number) => Promise<void> | void;

/** Bundles that are fetched at once. */
const AT_ONCE = 8;

/**
 * Walks a whole log: every entry is well-formed and ends no other than a published one, once; every tile is that of the
 * entries; the checkpoint is signed and its root that of the tree. An audit that goes on where one of an earlier
 * checkpoint stopped shows that nothing before has changed.
 */
export class LogAudit {
  readonly #entries: EntryLedger;
  #edge: readonly FilledTile[];

  /** @param state of an earlier audit of the same log; null begins with the first entry */
  constructor(state: AuditState | null = null) {
    this.#entries = new EntryLedger(state);
    this.#edge = state?.edge ?? [];
  }

  /** Where the audit has come to, to go on from. */
  get state(): AuditState {
    return { kinds: this.#entries.kinds, edge: this.#edge };
  }

  /** How many publications are not ended, and how many are. */
  get counts(): EntryLedger["counts"] {
    return this.#entries.counts;
  }

  /** Entries walked so far. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Walks to the log's latest checkpoint, signed by the log's key.
   * @throws AuditFailure, also when it is forged in the name of a known witness
   */
  async run(
    read: ReadLog,
    { logKey, witnessKeys = [] }: LogTrust,
    onProgress?: OnProgress,
  ): Promise<OpenCheckpoint> {
    const opened = await openLatest(read, logKey, witnessKeys);
    await this.walk(read, opened.checkpoint, onProgress);
    return opened;
  }

  /**
   * Walks to a head of the tree that the caller believes.
   * @throws AuditFailure
   */
  async walk(read: ReadLog, { size, root }: TreeHead, onProgress: OnProgress = () => {}): Promise<void> {
    if (size < this.size) throw new AuditFailure(`The log had ${this.size} entries, and has ${size} now.`);
    while (this.size < size) {
      await this.#step(read, size);
      await onProgress(this.size, size);
    }
    const edge = new Map(this.#edge.map((tile) => [tile.level, tile.hashes]));
    const own = await rootOf(size, (tiles) => Promise.resolve(tiles.map(({ level }) => edge.get(level)!)));
    if (!isSameHash(own, root)) {
      throw new AuditFailure(
        `The checkpoint of ${size} entries is not of the entries that the log has shown.`,
      );
    }
  }

  /** Takes the next bundles, and compares the tiles that they complete. */
  async #step(read: ReadLog, size: number): Promise<void> {
    const from = this.size;
    const first = Math.floor(from / TILE_WIDTH);
    const last = Math.min(first + AT_ONCE, Math.ceil(size / TILE_WIDTH));
    const bundles = await Promise.all(
      Array.from({ length: last - first }, async (_, i) => {
        const index = first + i;
        const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
        const entries = readEntries(await read(tilePath({ level: "entries", index, width })), index, width);
        return i === 0 ? entries.slice(from - index * TILE_WIDTH) : entries;
      }),
    );
    const entries = bundles.flat();
    const tiles = extendTiles(from, this.#edge, entries.map(leafHash));
    await Promise.all(
      tiles
        .filter(({ width }) => width === TILE_WIDTH || from + entries.length === size)
        .map((tile) => compare(read, tile)),
    );
    for (const entry of entries) this.#entries.take(entry);
    const changed = new Map([...this.#edge, ...tiles].map((tile) => [tile.level, tile]));
    this.#edge = [...changed.values()].filter(({ width }) => width < TILE_WIDTH);
  }
}

async function openLatest(
  read: ReadLog,
  logKey: VerifierKey,
  witnessKeys: readonly VerifierKey[],
): Promise<OpenCheckpoint> {
  const bytes = await read("checkpoint");
  try {
    return openCheckpoint(fromUtf8(bytes), logKey, witnessKeys);
  } catch (error) {
    throw new AuditFailure(error instanceof Error ? error.message : "The checkpoint cannot be read.");
  }
}

function readEntries(bundle: Uint8Array, index: number, width: number): Uint8Array[] {
  let entries: Uint8Array[];
  try {
    entries = readBundle(bundle);
  } catch {
    throw new AuditFailure(`The bundle ${index} of entries cannot be read.`);
  }
  if (entries.length !== width) throw new AuditFailure(`The bundle ${index} has not ${width} entries.`);
  return entries;
}

async function compare(read: ReadLog, tile: FilledTile): Promise<void> {
  const path = tilePath(tile);
  if (toBase64(await read(path)) !== toBase64(tile.hashes)) {
    throw new AuditFailure(`The log's ${path} is not that of its entries.`);
  }
}
