import { sql } from "kysely";
import type { Read } from "../database.ts";

/** A table as a backup has it. */
export interface StoredTable {
  readonly name: string;
  /** In the order in which rows hold them. */
  readonly columns: readonly string[];
}

/** Every table of the schema that holds rows on this server, with its columns. */
export async function storedTables(read: Read): Promise<readonly StoredTable[]> {
  const { rows } = await sql<StoredTable>`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`.execute(read);
  return rows;
}

/** The last number that each sequence of the schema gave out; those that gave none are missing. */
export async function sequenceValues(read: Read): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ name: string; last: number }>`
    select sequencename as name, last_value as last from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`.execute(read);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}
