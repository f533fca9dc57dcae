import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { type Database, writing } from "./database.ts";

const FOLDER = new URL("../../migrations/", import.meta.url);

/** Advisory lock numbers of this service; `pg_locks` shows them. */
const MIGRATION_LOCK = 0x636c_7001;

/**
 * Brings the schema up to date, forward only, each migration in a transaction of its own. Processes that start
 * at once take turns. A database migrated by a newer build is refused.
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).toSorted();
  const applied: string[] = [];
  for (const name of names) {
    if (await applyOnce(database, name, names)) applied.push(name);
  }
  return applied;
}

function applyOnce(database: Database, name: string, known: readonly string[]): Promise<boolean> {
  return writing(database, async (write) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(write);
    await sql`create table if not exists schema_migration (
      name text primary key, applied_at timestamptz(3) not null default now())`.execute(write);
    const done = await sql<{ name: string }>`select name from schema_migration`.execute(write);
    const unknown = done.rows.find((row) => !known.includes(row.name));
    if (unknown)
      throw new Error(`The database carries migration ${unknown.name}, which this build does not know.`);
    if (done.rows.some((row) => row.name === name)) return false;
    await sql.raw(await readFile(new URL(name, FOLDER), "utf8")).execute(write);
    await sql`insert into schema_migration (name) values (${name})`.execute(write);
    return true;
  });
}
