import type { Logger } from "pino";
import type { Config, Secrets } from "../config/environment.ts";
import { type Database, openDatabase } from "./database.ts";
import { tryDatabase } from "./database-setting.ts";
import { DatabaseWatch } from "./database-watch.ts";
import { startEmbeddedPostgres } from "./embedded/embedded-postgres.ts";
import { migrate } from "./migrate.ts";
import { ProcessLease } from "./process-lease.ts";

/** Connections to the database: image work is bounded by the workers, short statements want a few more. */
const CONNECTIONS = 16;

/**
 * The database of a service, as its process uses it. Disposing it closes every connection, then lets go of a server of
 * its own.
 */
export interface Store extends AsyncDisposable {
  readonly database: Database;
  /** By which the database knows this process. */
  readonly owner: number;
  readonly watch: DatabaseWatch;
  /** Stops the server that this process runs, if it runs one, whatever else is still under way. */
  stopServer(): Promise<void>;
}

/**
 * Opens the database that the operator names, else the one in the data directory: brings it to this build's schema,
 * takes the process's lease and watches over it.
 * @throws BadSetting, Error in one sentence where there is no such database to be had; nothing of it stays open then
 */
export async function openStore(
  { dataDir }: Pick<Config, "dataDir">,
  { databaseUrl }: Pick<Secrets, "databaseUrl">,
  log: Logger,
): Promise<Store> {
  await using opened = new AsyncDisposableStack();
  const server = databaseUrl === null ? opened.use(await startEmbeddedPostgres({ dataDir, log })) : null;
  const address = server?.connection ?? { connectionString: databaseUrl ?? "" };
  let watch: DatabaseWatch | null = null;
  const lost = (error: Error): void => {
    log.debug({ reason: error.name }, "database connection lost");
    watch?.look();
  };
  const database = openDatabase(address, CONNECTIONS, lost);
  opened.defer(() => database.destroy());
  if (server === null) await tryDatabase(database);
  await migrate(database);
  const lease = opened.use(await ProcessLease.take(address, lost));
  watch = opened.use(new DatabaseWatch(database, lease, log));
  const open = opened.move();
  return {
    database,
    owner: lease.owner,
    watch,
    stopServer: async () => server?.[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
