import { sql } from "kysely";
import type { Write } from "../database.ts";
import { storedTables } from "./catalog.ts";

interface Definition {
  readonly statement: string;
}

/**
 * Prepares an empty schema to be filled whole: tables empty, no trigger fires, no index or reference is kept meanwhile,
 * which is faster and lets tables come in any order.
 * @returns what puts all of that back, checking every reference and every index as it does
 */
export async function openForLoading(write: Write): Promise<() => Promise<void>> {
  const tables = await storedTables(write);
  const references = await sql<Definition & { table: string; name: string }>`
    select conrelid::regclass::text as table, quote_ident(conname) as name,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as statement
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(write);
  const indexes = await sql<Definition & { name: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as statement
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and not exists (
      select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))`.execute(write);
  for (const { table, name } of references.rows) {
    await run(write, `alter table ${table} drop constraint ${name}`);
  }
  for (const { name } of indexes.rows) await run(write, `drop index ${name}`);
  for (const { name } of tables) {
    await sql`alter table ${sql.table(name)} disable trigger user`.execute(write);
    await sql`truncate ${sql.table(name)}`.execute(write);
  }
  return async () => {
    for (const { statement } of [...indexes.rows, ...references.rows]) await run(write, statement);
    for (const { name } of tables) {
      await sql`alter table ${sql.table(name)} enable trigger user`.execute(write);
      await sql`analyze ${sql.table(name)}`.execute(write);
    }
  };
}

/** Sequences go on after the last number that they gave out. */
export async function setSequences(write: Write, values: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, last] of Object.entries(values)) {
    await sql`select setval(format('%I.%I', current_schema(), ${name}::text)::regclass, ${last})`.execute(
      write,
    );
  }
}

async function run(write: Write, statement: string): Promise<void> {
  await sql.raw(statement).execute(write);
}
