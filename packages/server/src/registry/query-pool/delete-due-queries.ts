import { type Database, writing } from "../../store/database.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import {
  dueQueries,
  type PooledQuery,
  recordDeletions,
  unknownFiles,
} from "../../store/slots/pooled-queries.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database" | "pool">;

const BATCH = 100;

/**
 * Deletes the query images that are due in this process's pool, of one slot or of all, looks whether they are gone,
 * and ledgers what it saw. What is not gone stays due for the next sweep.
 * @returns how many were verified absent
 */
export async function deleteDueQueries(needs: Needs, slotId: string | null): Promise<number> {
  let verified = 0;
  for (;;) {
    const due = await dueQueries(needs.database, needs.pool.id, BATCH, slotId);
    const absent = await deleteBatch(needs, due);
    verified += absent;
    if (due.length < BATCH || absent === 0) return verified;
  }
}

async function deleteBatch({ database, pool }: Needs, due: readonly PooledQuery[]): Promise<number> {
  if (due.length === 0) return 0;
  const gone = await pool.delete(due.map((query) => query.fileName));
  const deletions = due.map((query) => ({ query, absent: gone.has(query.fileName) }));
  for (const accountId of new Set(due.map((query) => query.accountId))) {
    await writing(database, async (write) => {
      await lockAccount(write, accountId);
      await recordDeletions(
        write,
        deletions.filter(({ query }) => query.accountId === accountId),
      );
    });
  }
  return gone.size;
}

/**
 * Deletes files of the pool that no row knows, as a database restored from an older copy leaves them. A row is
 * always written before its file and outlives it, so no file of an upload under way is ever among them.
 */
export async function deleteStrayFiles(database: Database, pool: Needs["pool"]): Promise<number> {
  const strays = await unknownFiles(database, await pool.list());
  return (await pool.delete(strays)).size;
}
