import { to } from "pg-copy-streams";
import type { Database } from "./database.ts";

/**
 * What stands before the first row of a binary COPY: signature, flags, and the length of an extension that there is
 * not.
 */
const HEADER = 19;
const FIELDS = 2;
/** The length of what is null. */
const NULL = -1;

/** A number, and the bytes beside it. */
export interface CopiedRow {
  readonly no: number;
  readonly bytes: Buffer | null;
}

/**
 * The rows of a query of two columns, an `int` and a `bytea`, by binary COPY: as values of a row bytes come as text, at
 * least a third longer, and are decoded one by one.
 * @param query without parameters, which COPY does not take
 */
export async function copiedRows(database: Database, query: string): Promise<readonly CopiedRow[]> {
  const all = await copied(database, `copy (${query}) to stdout (format binary)`);
  const rows: CopiedRow[] = [];
  for (let at = HEADER; all.readInt16BE(at) === FIELDS; ) {
    const no = all.readInt32BE(at + 6);
    const length = all.readInt32BE(at + 10);
    at += 14;
    rows.push({ no, bytes: length === NULL ? null : all.subarray(at, at + length) });
    if (length !== NULL) at += length;
  }
  return rows;
}

/** All that a COPY sends. A connection on which it broke off is closed. */
async function copied(database: Database, statement: string): Promise<Buffer> {
  const client = await database.pool.connect();
  try {
    const chunks = (await client.query(to(statement)).toArray()) as Buffer[];
    client.release();
    return Buffer.concat(chunks);
  } catch (error) {
    client.release(true);
    throw error;
  }
}
