import { startFailure } from "./start-failure.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { startEmbeddedPostgres } from "./store/embedded/embedded-postgres.ts";

/** One for the statements in front, one for a transaction. */
const CONNECTIONS = 2;

/** What a command prints to. */
export interface Out {
  write(text: string): unknown;
}

/** The database of a deployment, whether or not its service runs; it is let go with the stack. */
export async function opened(
  stack: AsyncDisposableStack,
  dataDir: string,
  databaseUrl: string | null,
): Promise<Database> {
  const address =
    databaseUrl === null
      ? stack.use(await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } }))
          .connection
      : { connectionString: databaseUrl };
  const database = openDatabase(address, CONNECTIONS, () => {});
  stack.defer(() => database.destroy());
  return database;
}

/**
 * Runs a command, and says in one line why it came to nothing.
 * @param work gives the exit code where it is not 0
 * @returns the exit code: 1 when it came to nothing
 */
export async function reporting(
  out: Out,
  otherwise: string,
  work: () => Promise<number | void>,
): Promise<number> {
  try {
    return (await work()) ?? 0;
  } catch (error) {
    out.write(`${otherwise}: ${startFailure(error).replace(/^Colophon did not start: /, "")}\n`);
    return 1;
  }
}
