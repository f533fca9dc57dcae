import { extendTiles, leafHash, rootOf, writeEntry } from "@colophon/log";
import type { Write } from "../store/database.ts";
import { firstPending, type PendingEntry, placeEntries, placesOf } from "../store/log/entries.ts";
import { appendEntries, edgeOf, type LogTree, setHead, tileReader, writeTiles } from "../store/log/tree.ts";

/** Entries that one transaction gives their places. */
const BATCH = 1024;

/**
 * Gives entries that wait their places in the tree, in the order of their numbers, and extends its tiles. It is this
 * transaction's turn.
 * @returns whether more may wait
 */
export async function enterPending(write: Write, tree: LogTree): Promise<boolean> {
  const pending = await firstPending(write, BATCH);
  if (pending.length === 0) return false;
  const places = new Map(
    await placesOf(
      write,
      pending.flatMap(({ ends }) => ends ?? []),
    ),
  );
  for (const [i, { entryNo }] of pending.entries()) places.set(entryNo, tree.size + i);
  const entries = pending.map((entry) => entryBytes(entry, places));
  const tiles = extendTiles(tree.size, await edgeOf(write, tree), entries.map(leafHash));
  await writeTiles(write, tiles);
  await appendEntries(write, tree.size, entries);
  await placeEntries(
    write,
    pending.map(({ entryNo }) => entryNo),
    tree.size,
  );
  const size = tree.size + entries.length;
  await setHead(write, size, await rootOf(size, tileReader(write)));
  return pending.length === BATCH;
}

function entryBytes({ at, commitment, ends }: PendingEntry, places: ReadonlyMap<number, number>): Uint8Array {
  if (commitment !== null) return writeEntry({ kind: "published", at, commitment });
  const place = places.get(ends ?? NaN);
  if (place === undefined) throw new Error("A take-down ends an entry that the log never had.");
  return writeEntry({ kind: "takenDown", at, ends: place });
}
