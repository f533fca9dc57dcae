import { type ControlledTransaction, Kysely, PostgresDialect, type Transaction } from "kysely";
import { type CustomTypesConfig, Pool, types as defaultTypes } from "pg";
import type { Tables } from "./tables.ts";

/** Where PostgreSQL listens: a URL of the operator's, or the embedded server's socket. */
export type DatabaseAddress =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** Reads outside a transaction. Never give it to a function that writes: those take a `Write`. */
export class Database extends Kysely<Tables> {
  /** The connections, for what is no statement with rows: COPY. */
  readonly pool: Pool;

  constructor(pool: Pool) {
    super({ dialect: new PostgresDialect({ pool }) });
    this.pool = pool;
  }
}

/** A transaction under way. What writes demands one by type. */
export type Write = Transaction<Tables> | ControlledTransaction<Tables>;

/** Either; for functions that only read. */
export type Read = Database | Write;

const INT8 = 20;

/** `bigint` columns hold counts and sizes far below 2^53: read as numbers. */
const types: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === INT8
      ? (text: string) => Number(text)
      : defaultTypes.getTypeParser(oid, format)) as CustomTypesConfig["getTypeParser"],
};

/** A statement that waits longer for a connection fails as if the database were away. */
const CONNECTION_PATIENCE_MS = 30_000;

/**
 * What every session sets. A look-up's vote takes some tens of milliseconds over many small index scans: the planner takes it for longer, and workers
 * or compiled code would cost more than they save.
 */
const SESSION = "-c jit=off -c max_parallel_workers_per_gather=0";

/**
 * Opens the connection pool.
 * @param onLost is told of connections that break while idle; the pool replaces them by itself.
 */
export function openDatabase(
  address: DatabaseAddress,
  connections: number,
  onLost: (error: Error) => void,
): Database {
  const pool = new Pool({
    ...address,
    types,
    options: SESSION,
    max: connections,
    connectionTimeoutMillis: CONNECTION_PATIENCE_MS,
    application_name: "colophon",
  });
  pool.on("error", onLost);
  // One in use that breaks between two statements of a transaction tells only itself; the next statement fails.
  pool.on("connect", (client) => client.on("error", () => {}));
  return new Database(pool);
}

/** Runs `work` in one READ COMMITTED transaction: all of it, or nothing. */
export function writing<T>(database: Database, work: (write: Write) => Promise<T>): Promise<T> {
  return database.transaction().execute(work);
}

/** Runs `work` on one snapshot of the database, which no write under way shows through. */
export function reading<T>(database: Database, work: (read: Read) => Promise<T>): Promise<T> {
  return database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
}
