import { Socket } from "node:net";
import { type ControlledTransaction, Kysely, PostgresDialect, type Transaction } from "kysely";
import { type CustomTypesConfig, types as defaultTypes } from "pg";
import { CamelCaseNames } from "./tables/camel-case-names.ts";
import { databaseFault } from "./database-fault.ts";
import { FairPool } from "./fair-pool.ts";
import { isCommitted, leaveMark } from "./lost-commit.ts";
import type { Tables } from "./tables/tables.ts";

/** Where PostgreSQL listens: a URL of the operator's, or the embedded server's socket. */
export type DatabaseAddress =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** Reads outside a transaction. Never give it to a function that writes: those take a `Write`. */
export class Database extends Kysely<Tables> {
  /** The connections, for what is no statement with rows: COPY. */
  readonly pool: FairPool;
  readonly #sockets: Sockets;

  constructor(pool: FairPool, sockets: Sockets) {
    super({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCaseNames()] });
    this.pool = pool;
    this.#sockets = sockets;
  }

  /** Closes the connections; nothing of them keeps the process afterwards. */
  override async destroy(): Promise<void> {
    await super.destroy();
    // Kysely ends a pool only once it has asked it for something.
    await this.pool.end();
    this.#sockets.unref();
  }

  /** The database does not answer: from now on every statement fails at once, those under way included. */
  interrupt(): void {
    this.pool.isInterrupted = true;
    this.#sockets.cut();
  }

  /** The database answers again: ends an interruption. */
  resume(): void {
    this.#sockets.allow();
    this.pool.isInterrupted = false;
  }
}

/** The sockets of a pool, so that all can be cut when the server behind them has stopped answering. */
class Sockets {
  readonly #open = new Set<Socket>();
  #isCut = false;

  /** A socket for a new connection; one made during an interruption is cut as it is used. */
  make(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    if (this.#isCut) process.nextTick(() => socket.destroy());
    return socket;
  }

  /** The driver forgets a connection whose sign-in it gave up itself, and leaves its socket open. */
  unref(): void {
    for (const socket of this.#open) socket.unref();
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  allow(): void {
    this.#isCut = false;
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
 * A connection that nobody had for so long is closed. A new one is a new process of the database's, which has to find
 * its tables and to map all that the others have in memory once more.
 */
const IDLE_MS = 600_000;

/**
 * What every session sets. A look-up's vote takes some tens of milliseconds over many small index scans: the planner
 * takes it for longer, and workers or compiled code would cost more than they save. Servers that hold parts of the
 * index count their postings themselves. A session whose client cannot be reached any more ends within a minute, and
 * its locks with it.
 */
const SESSION = [
  "-c jit=off -c max_parallel_workers_per_gather=0 -c enable_partitionwise_aggregate=on",
  "-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3",
].join(" ");

/**
 * Opens the connection pool.
 * @param onLost is told of connections that break while idle; the pool replaces them by itself.
 */
export function openDatabase(
  address: DatabaseAddress,
  connections: number,
  onLost: (error: Error) => void,
): Database {
  const sockets = new Sockets();
  const config = {
    ...address,
    types,
    stream: () => sockets.make(),
    options: SESSION,
    max: connections,
    connectionTimeoutMillis: CONNECTION_PATIENCE_MS,
    idleTimeoutMillis: IDLE_MS,
    application_name: "colophon",
  };
  const pool = new FairPool(config, onLost);
  return new Database(pool, sockets);
}

/**
 * Runs `work` in one READ COMMITTED transaction: all of it, or nothing. When the database goes away during the COMMIT,
 * it is asked afterwards which of the two it was.
 * @throws CommitLost when it cannot be asked in time
 */
export async function writing<T>(database: Database, work: (write: Write) => Promise<T>): Promise<T> {
  const attempt: { done: Done<T> | null } = { done: null };
  try {
    return await database.transaction().execute(async (write) => {
      const result = await work(write);
      attempt.done = { result, mark: await leaveMark(write) };
      return result;
    });
  } catch (error) {
    const { done } = attempt;
    // Once the work is done, only the COMMIT is left to fail.
    if (done === null || done.mark === null || databaseFault(error) !== "away") throw error;
    if (await isCommitted(database, done.mark, error)) return done.result;
    throw error;
  }
}

/** Work that has been done in a transaction, and the mark that it has left. */
interface Done<T> {
  readonly result: T;
  readonly mark: string | null;
}

/** Runs `work` on one snapshot of the database, which no write under way shows through. */
export function reading<T>(database: Database, work: (read: Read) => Promise<T>): Promise<T> {
  return database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
}
