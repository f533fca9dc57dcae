import { Kysely, PostgresDialect } from "kysely";
import type { PoolClient } from "pg";
import { CamelCaseNames } from "../tables/camel-case-names.ts";
import type { Database, Write } from "../database.ts";
import type { Tables } from "../tables/tables.ts";

/** A transaction, and the connection it is on, for what is no statement with rows: COPY. */
export interface OpenTransaction {
  readonly write: Write;
  readonly client: PoolClient;
}

/**
 * Runs `work` in one transaction, all of it or nothing. When it fails, its connection is closed: a COPY may be under
 * way on it.
 */
export async function onOneConnection<T>(
  database: Database,
  settings: { readonly isolation: "read committed" | "repeatable read"; readonly readOnly: boolean },
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  const lent = { query: client.query.bind(client), release: (): void => {} };
  const pool = { options: {}, connect: () => Promise.resolve(lent), end: () => Promise.resolve() };
  const alone = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCaseNames()],
  });
  let failure: { readonly error: unknown } | null = null;
  try {
    const result = await alone
      .transaction()
      .setIsolationLevel(settings.isolation)
      .setAccessMode(settings.readOnly ? "read only" : "read write")
      .execute(async (write) => {
        try {
          return await work({ write, client });
        } catch (error) {
          failure = { error };
          client.release(true);
          throw error;
        }
      });
    client.release();
    return result;
  } catch (error) {
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
    client.release(true);
    throw error;
  }
}
