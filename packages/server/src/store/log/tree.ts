import {
  edgeTiles,
  EMPTY_ROOT,
  type FilledTile,
  readBundle,
  type ReadTiles,
  TILE_WIDTH,
  type Tile,
  writeBundle,
} from "@colophon/log";
import { sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { LOCKS } from "../locks.ts";

/** The tree and whose it is. */
export interface LogTree {
  /** Of the first generation; a later one has its number behind it. */
  readonly origin: string;
  readonly generation: number;
  readonly size: number;
  readonly root: Buffer;
}

/** Whether it is this transaction's turn to enter or sign; its turn lasts until it ends. */
export async function tryLockLog(write: Write): Promise<boolean> {
  const { rows } = await sql<{
    taken: boolean;
  }>`select pg_try_advisory_xact_lock(${LOCKS.log}) as taken`.execute(write);
  return rows[0]?.taken === true;
}

/** Waits for the turn to enter or sign. */
export async function lockLog(write: Write): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.log})`.execute(write);
}

/** The tree; null before the log was first opened. */
export async function readTree(read: Read): Promise<LogTree | null> {
  const row = await read.selectFrom("logTree").selectAll().executeTakeFirst();
  return row ?? null;
}

/**
 * Begins the first tree of a database, or one that takes the place of all there was: live records are entered again.
 */
export async function beginTree(
  write: Write,
  origin: Pick<LogTree, "origin" | "generation">,
): Promise<LogTree> {
  await sql`insert into log_pending (entry_no, at, commitment)
    select entry_no, signed_at, commitment from log_nonce join record using (image_no) order by image_no
    on conflict do nothing`.execute(write);
  // A take-down that is not entered yet, of a record that the new tree never had.
  await sql`delete from log_pending as orphan where ends is not null
    and not exists (select from log_pending where entry_no = orphan.ends)`.execute(write);
  for (const table of ["logEntry", "logTile", "logBundle", "logCheckpoint", "logTree"] as const) {
    await write.deleteFrom(table).execute();
  }
  const tree = { ...origin, size: 0, root: Buffer.from(EMPTY_ROOT) };
  await write.insertInto("logTree").values(tree).execute();
  return tree;
}

/** The tiles of the tree's right edge that are not full. */
export async function edgeOf(read: Read, { size }: LogTree): Promise<readonly FilledTile[]> {
  const tiles = edgeTiles(size);
  const hashes = await tileReader(read)(tiles);
  return tiles.map((tile, i) => ({ ...tile, hashes: hashes[i]! }));
}

/** Writes tiles that are new or wider. */
export async function writeTiles(write: Write, tiles: readonly FilledTile[]): Promise<void> {
  await sql`insert into log_tile (level, tile_no, hashes)
    select * from unnest(${tiles.map(({ level }) => level)}::int[], ${tiles.map(({ index }) => index)}::bigint[],
      ${tiles.map(({ hashes }) => Buffer.from(hashes))}::bytea[])
    on conflict (level, tile_no) do update set hashes = excluded.hashes`.execute(write);
}

/** Writes the bundles of entries that follow on `size`. */
export async function appendEntries(
  write: Write,
  size: number,
  entries: readonly Uint8Array[],
): Promise<void> {
  for (let at = 0; at < entries.length; ) {
    const tileNo = Math.floor((size + at) / TILE_WIDTH);
    const end = at + TILE_WIDTH - ((size + at) % TILE_WIDTH);
    const bundle = Buffer.from(writeBundle(entries.slice(at, end)));
    await sql`insert into log_bundle (tile_no, entries) values (${tileNo}, ${bundle})
      on conflict (tile_no) do update set entries = log_bundle.entries || excluded.entries`.execute(write);
    at = end;
  }
}

/** Moves the head of the tree on. */
export async function setHead(write: Write, size: number, root: Uint8Array): Promise<void> {
  await write
    .updateTable("logTree")
    .set({ size, root: Buffer.from(root) })
    .execute();
}

/** Reads tiles for proofs. Throws when one is missing, which only damage brings about. */
export function tileReader(read: Read): ReadTiles {
  return async (tiles) => {
    if (tiles.length === 0) return [];
    const { rows } = await sql<{ hashes: Buffer | null }>`
      select substring(hashes for asked.width * 32) as hashes
      from unnest(${tiles.map(({ level }) => level)}::int[], ${tiles.map(({ index }) => index)}::bigint[],
        ${tiles.map(({ width }) => width)}::int[]) with ordinality as asked (level, tile_no, width, n)
      left join log_tile using (level, tile_no) order by n`.execute(read);
    return rows.map(({ hashes }, i) => {
      if (hashes === null || hashes.length < 32 * tiles[i]!.width) {
        throw new Error("A tile of the log is missing.");
      }
      return hashes;
    });
  };
}

/** A tile as wide as asked for; null when the tree has none so wide. */
export async function readTile(read: Read, { level, index, width }: Tile): Promise<Buffer | null> {
  const row = await read
    .selectFrom("logTile")
    .select("hashes")
    .where("level", "=", level)
    .where("tileNo", "=", index)
    .executeTakeFirst();
  return row === undefined || row.hashes.length < 32 * width ? null : row.hashes.subarray(0, 32 * width);
}

/** The entries of a bundle; null when there is none. */
export async function readBundleEntries(read: Read, index: number): Promise<readonly Uint8Array[] | null> {
  const row = await read
    .selectFrom("logBundle")
    .select("entries")
    .where("tileNo", "=", index)
    .executeTakeFirst();
  return row === undefined ? null : readBundle(row.entries);
}

/** A bundle of so many entries; null when there are fewer. */
export async function readEntries(read: Read, index: number, width: number): Promise<Uint8Array | null> {
  const entries = await readBundleEntries(read, index);
  return entries === null || entries.length < width ? null : writeBundle(entries.slice(0, width));
}

/** Whether there is anything to enter, or to sign. */
export async function isBehind(read: Read): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`select exists(select from log_pending)
    or (select size from log_tree) is distinct from (select max(size) from log_checkpoint) as behind`.execute(
    read,
  );
  return rows[0]?.behind === true;
}
