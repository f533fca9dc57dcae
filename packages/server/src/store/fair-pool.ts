import { AsyncLocalStorage } from "node:async_hooks";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { ConnectionTurns } from "./connection-turns.ts";
import { prepareStatements } from "./prepared.ts";

/** The account whose request is under way; null in the service's own work. */
const caller = new AsyncLocalStorage<string | null>();

/** Runs work on behalf of an account: what it asks of the database waits in that account's turn. */
export function onBehalfOf<T>(accountId: string, work: () => T): T {
  return caller.run(accountId, work);
}

/** Runs work that all accounts wait for, whichever of them began it. */
export function onBehalfOfAll<T>(work: () => T): T {
  return caller.run(null, work);
}

/** A pool of connections to the database that the accounts share fairly. */
export class FairPool {
  /** The pool's own options. */
  readonly options: object;
  readonly #pool: Pool;
  readonly #turns: ConnectionTurns;
  /** While true, connections are refused and none is opened: a server that comes back has no line of dead ones to see off first. */
  isInterrupted = false;

  /**
   * @param config `connectionTimeoutMillis` is also how long work waits for its turn
   * @param onLost is told of connections that break while idle; the pool replaces them by itself
   */
  constructor(
    config: PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number },
    onLost: (error: Error) => void,
  ) {
    this.#pool = new Pool(config);
    this.#pool.on("error", onLost);
    this.options = this.#pool.options;
    this.#turns = new ConnectionTurns(config.max, config.connectionTimeoutMillis);
    // One in use that breaks between two statements of a transaction tells only itself; the next statement fails.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
    this.#pool.on("connect", prepareStatements);
  }

  /** Connections that are open, those of them that nobody has, and what waits for one. */
  get counts(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount } = this.#pool;
    return { total, idle, waiting: waitingCount + this.#turns.waiting };
  }

  /** A connection, to be released. Rejects during an interruption, and as if there were one when too much waits, or for too long. */
  async connect(): Promise<PoolClient> {
    const end = await this.#turns.take(caller.getStore() ?? null);
    try {
      if (this.isInterrupted) throw new Interrupted();
      const client = await this.#pool.connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        release(error);
        end();
      };
      return client;
    } catch (error) {
      end();
      throw error;
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** No connection is made: the database is away. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** SQLSTATE connection_failure. */
  readonly code = "08006";
  constructor() {
    super("The database is away.");
  }
}
