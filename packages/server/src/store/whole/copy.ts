import type { Readable, Writable } from "node:stream";
import type { PoolClient } from "pg";
import { escapeIdentifier } from "pg";
import { from, to } from "pg-copy-streams";
import type { StoredTable } from "./catalog.ts";

/** The rows of a table as PostgreSQL's binary COPY sends them. */
export function copyOut(client: PoolClient, { name, columns }: StoredTable): Readable {
  const list = columns.map(escapeIdentifier).join(", ");
  return client.query(to(`copy (select ${list} from ${escapeIdentifier(name)}) to stdout (format binary)`));
}

/** Takes the rows of a table that was emptied in this transaction, as `copyOut` gave them. */
export function copyIn(client: PoolClient, { name, columns }: StoredTable): Writable {
  const list = columns.map(escapeIdentifier).join(", ");
  return client.query(from(`copy ${escapeIdentifier(name)} (${list}) from stdin (format binary, freeze)`));
}
