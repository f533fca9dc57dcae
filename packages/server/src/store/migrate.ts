import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import type { Database, Read, Write } from "./database.ts";
import { LOCKS } from "./locks.ts";

const FOLDER = new URL("../../migrations/", import.meta.url);

const HALF_RESTORED = "A restore into this database did not come to its end: run colophon restore again.";

/** The migrations that this build knows, in their order. */
export async function knownMigrations(): Promise<readonly string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).toSorted();
}

/**
 * Brings the schema up to date, forward only, each migration in a transaction of its own. Processes that start at once
 * take turns. A database migrated by a newer build is refused, and so is one whose restore did not come to its end.
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const names = await knownMigrations();
  if (await isUpToDate(database, names)) return [];
  const applied: string[] = [];
  for (const name of names) {
    const isNew = await changingSchema(database, async (write) => {
      await lockSchema(write);
      if (await isHalfRestored(write)) {
        throw new Error(HALF_RESTORED);
      }
      await assertKnown(write, names);
      return applyOnce(write, name);
    });
    if (isNew) applied.push(name);
  }
  return applied;
}

/** Whether the schema has had just these migrations, and no restore is under way. */
async function isUpToDate(read: Read, names: readonly string[]): Promise<boolean> {
  if (await isHalfRestored(read)) return false;
  const applied = await appliedMigrations(read);
  return applied.length === names.length && names.every((name) => applied.includes(name));
}

/**
 * Runs `work` in one transaction that leaves no mark: the table of marks may not be there yet. What became of a lost
 * COMMIT is seen by the next attempt.
 */
export function changingSchema<T>(database: Database, work: (write: Write) => Promise<T>): Promise<T> {
  return database.transaction().execute(work);
}

/** Waits for the turn to change the schema; it lasts until the transaction ends. */
export async function lockSchema(write: Write): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.schema})`.execute(write);
}

/** Applies a migration that the schema does not have yet. @returns whether it was new */
export async function applyOnce(write: Write, name: string): Promise<boolean> {
  await sql`create table if not exists schema_migration (
    name text primary key, applied_at timestamptz(3) not null default now())`.execute(write);
  if ((await appliedMigrations(write)).includes(name)) return false;
  await sql.raw(await readFile(new URL(name, FOLDER), "utf8")).execute(write);
  await sql`insert into schema_migration (name) values (${name})`.execute(write);
  return true;
}

/** The migrations that the schema has had. */
export async function appliedMigrations(read: Read): Promise<readonly string[]> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('schema_migration') is not null as is_there`.execute(read);
  if (rows[0]?.isThere !== true) return [];
  const done = await sql<{ name: string }>`select name from schema_migration order by name`.execute(read);
  return done.rows.map(({ name }) => name);
}

/**
 * Whether a database has no schema at all, that of an earlier build or that of this one.
 * @throws Error when it is a newer build's, or a restore into it did not come to its end
 */
export async function schemaVersion(read: Read): Promise<"none" | "earlier" | "current"> {
  if (await isHalfRestored(read)) throw new Error(HALF_RESTORED);
  const known = await knownMigrations();
  await assertKnown(read, known);
  const applied = await appliedMigrations(read);
  if (applied.length === 0) return "none";
  return applied.length < known.length ? "earlier" : "current";
}

/** Whether a restore into this database has begun and not come to its end. */
export async function isHalfRestored(read: Read): Promise<boolean> {
  const { rows } = await sql<{ half: boolean }>`
    select to_regclass('restore_unfinished') is not null as half`.execute(read);
  return rows[0]?.half === true;
}

async function assertKnown(read: Read, known: readonly string[]): Promise<void> {
  const unknown = (await appliedMigrations(read)).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`The database carries migration ${unknown}, which this build does not know.`);
  }
}
