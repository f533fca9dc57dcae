import { stat } from "node:fs/promises";
import { FileNotMoved } from "./config/secret-files.ts";
import { errorCode } from "./error-code.ts";
import { failureReason } from "./start-failure.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { tryDatabase } from "./store/database-setting.ts";
import { CommitLost } from "./store/database-fault.ts";
import { clusterPaths } from "./store/embedded/cluster.ts";
import { startEmbeddedPostgres } from "./store/embedded/embedded-postgres.ts";
import { schemaVersion } from "./store/migrate.ts";

/** One for the statements in front, one for a transaction. */
const CONNECTIONS = 2;

/** What a command prints to. */
export interface Out {
  write(text: string): unknown;
}

/**
 * The database of a deployment that is there, whether or not its service runs; it is let go with the stack.
 * @param earlierToo a command that reads rows as they are takes the schema of an earlier build too
 * @throws Error when there is no registry, a half restored one, or one of another build
 */
export async function openedDeployment(
  stack: AsyncDisposableStack,
  dataDir: string,
  databaseUrl: string | null,
  { earlierToo = false }: { readonly earlierToo?: boolean } = {},
): Promise<Database> {
  if (databaseUrl === null && !(await isInDataDir(dataDir, clusterPaths(dataDir).base))) {
    throw new Error(`There is no registry in ${dataDir}.`);
  }
  const database = await opened(stack, dataDir, databaseUrl);
  const version = await schemaVersion(database);
  if (version === "none") throw new Error("There is no registry in this database.");
  if (version === "earlier" && !earlierToo) {
    throw new Error(
      "The registry is of an earlier build: start its service once with this one, and run this again.",
    );
  }
  return database;
}

/**
 * Whether a path of the data directory, or that itself, is there.
 * @throws Error with one clear line where this user may not know
 */
export async function isInDataDir(dataDir: string, path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) !== "EACCES") return false;
    throw new Error(`This user may not read ${dataDir}: run the command as the user that runs the service.`, {
      cause: error,
    });
  }
}

/** The database that a deployment has or will have, empty or not; it is let go with the stack. */
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
  if (databaseUrl !== null) await tryDatabase(database);
  return database;
}

/** What a command says where it comes to nothing. */
interface Reporting {
  readonly out: Out;
  /** How things are then. */
  readonly otherwise: string;
  /** Aborted when its user ends it: what broke off then is not named. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a command, and says in one line why it came to nothing.
 * @param work gives the exit code where it is not 0
 * @returns the exit code: 1 when it came to nothing, or may have
 */
export async function reporting(reported: Reporting, work: () => Promise<number | void>): Promise<number> {
  try {
    return (await work()) ?? 0;
  } catch (error) {
    reported.out.write(`${lineOf(error, reported)}\n`);
    return 1;
  }
}

function lineOf(error: unknown, { otherwise, signal }: Reporting): string {
  if (error instanceof CommitLost) {
    return "Whether that was done is not known: the database went away before it said so.";
  }
  if (error instanceof FileNotMoved) return `It is done but for one file: ${error.message}`;
  if (signal?.aborted === true) return `${otherwise}: interrupted.`;
  return `${otherwise}: ${failureReason(error)}`;
}
