import { type OperationNodeSource, sql } from "kysely";
import type { Write } from "./database.ts";

/** A statement that changes rows, not executed. */
export type Part = OperationNodeSource;

/**
 * Executes statements that do not depend on each other as one: a round trip instead of several. They see the same rows,
 * none what another of them changes, and come in no order, so that nobody else may wait for the rows of two of them but
 * in the transaction that holds the account.
 */
export async function together(write: Write, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  const named = parts.map((part, at) => sql`${sql.ref(`part${at}`)} as (${part})`);
  await sql`with ${sql.join(named)} select`.execute(write);
}
