import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { ENTRY_FAILURES } from "@colophon/contract";
import { PacketSeal } from "../keys/packet-seal.ts";
import { openingKeys, type Vault } from "../keys/vault.ts";
import { originLine } from "../transparency/origin.ts";
import type { Database, Write } from "../store/database.ts";
import { beginTree, readTree } from "../store/log/tree.ts";
import { joinParts } from "../store/index/index-parts.ts";
import { applyOnce, knownMigrations } from "../store/migrate.ts";
import { type StoredTable, storedTables } from "../store/whole/catalog.ts";
import { copyIn } from "../store/whole/copy.ts";
import { openForLoading, setSequences } from "../store/whole/loading.ts";
import { loseQueries, restoring } from "../store/whole/restoring.ts";
import type { OpenTransaction } from "../store/whole/one-connection.ts";
import type { BackupReader } from "./read-backup.ts";

/** How a backup is loaded. */
export interface LoadOptions {
  /** Opens the keys of the backup. */
  readonly vault: Vault;
  /** Of the data directory whose process sees to the files of open look-up slots. */
  readonly poolId: string;
  /** Nothing was signed after the backup: the log goes on where it ended. */
  readonly logGoesOn: boolean;
  /** Puts the key-encryption key where the service finds it: all is loaded by then, and nothing committed. */
  readonly keepKey: () => Promise<void>;
}

/** What a restore has made. */
export interface LoadSummary {
  /** Query images of open look-up slots, which no backup holds. */
  readonly lostQueries: number;
  /** The log's identity from now on; null where there is no log yet. */
  readonly origin: string | null;
}

/**
 * Fills an empty database from a backup, in one transaction: all of it, or nothing.
 * @throws Error with one clear line when the database is not empty, or the backup damaged, of a newer build or sealed
 * under another key
 */
export async function loadBackup(
  database: Database,
  backup: BackupReader,
  options: LoadOptions,
): Promise<LoadSummary> {
  const known = await knownMigrations();
  const { header } = backup;
  const unknown = header.migrations.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`The backup carries migration ${unknown}, which this build does not know.`);
  }
  return restoring(database, async (transaction) => {
    const { write } = transaction;
    for (const name of known.filter((migration) => header.migrations.includes(migration))) {
      await applyOnce(write, name);
    }
    assertSameTables(await storedTables(write), header.tables);
    const close = await openForLoading(write);
    await copyAll(transaction, backup);
    await close();
    await setSequences(write, header.sequences);
    await openingKeys({ of: "backup" }, () => PacketSeal.open(write, () => Promise.resolve(options.vault)));
    for (const name of known) await applyOnce(write, name);
    await joinParts(write);
    const lostQueries = await loseQueries(write, options.poolId, ENTRY_FAILURES.noQueryImage);
    const origin = await logOrigin(write, options.logGoesOn);
    await options.keepKey();
    return { lostQueries, origin };
  });
}

/** The rows of every table, each by one COPY, which its pieces feed as they come. */
async function copyAll({ client }: OpenTransaction, backup: BackupReader): Promise<void> {
  const tables = new Map(backup.header.tables.map((table) => [table.name, table]));
  let name: string | null = null;
  let into: Writable | null = null;
  for await (const piece of backup.pieces()) {
    if (piece.table !== name) {
      await end(into);
      const table = tables.get(piece.table);
      if (table === undefined) throw new Error("The backup is damaged: a table comes twice, or is unknown.");
      tables.delete(piece.table);
      name = piece.table;
      into = copyIn(client, table);
      // What waits for it is told as well.
      into.on("error", () => {});
    }
    if (into !== null) await feed(into, piece.bytes);
  }
  await end(into);
  if (tables.size > 0) throw new Error("The backup is damaged: a table is missing.");
}

async function feed(into: Writable, bytes: Buffer): Promise<void> {
  if (into.errored !== null) throw into.errored;
  if (!into.write(bytes)) await once(into, "drain");
}

async function end(into: Writable | null): Promise<void> {
  if (into === null) return;
  into.end();
  await finished(into);
}

function assertSameTables(made: readonly StoredTable[], wanted: readonly StoredTable[]): void {
  if (shapeOf(made) !== shapeOf(wanted)) {
    throw new Error("The backup has other tables than its migrations make: this build cannot restore it.");
  }
}

function shapeOf(tables: readonly StoredTable[]): string {
  return tables
    .map(({ name, columns }) => `${name}(${columns.join(",")})`)
    .toSorted()
    .join();
}

/** The log that the restored registry keeps: another one, unless nothing was signed since. */
async function logOrigin(write: Write, goesOn: boolean): Promise<string | null> {
  const tree = await readTree(write);
  if (tree === null) return null;
  const { origin, generation } = tree;
  return originLine(goesOn ? tree : await beginTree(write, { origin, generation: generation + 1 }));
}
