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

/**
 * Connections to the database that the accounts share fairly. Of those that are free the first is taken, by their order
 * and not by which was had last: a session maps each page of the index when it first reads it, which among a million
 * originals is most of what its first hundred look-ups cost, so few sessions do all that few can do.
 */
export class FairPool {
  /** The options of the connections. */
  readonly options: object;
  /** Each opens its one connection again when that has broken, or was closed for having been idle. */
  readonly #connections: readonly Pool[];
  readonly #taken = new Set<Pool>();
  readonly #turns: ConnectionTurns;
  #ended: Promise<unknown> | null = null;
  /**
   * While true, connections are refused and none is opened: a server that comes back has no line of dead ones to see
   * off first.
   */
  isInterrupted = false;

  /**
   * @param config of each connection; `max`: how many there are, and `connectionTimeoutMillis` is also how long work
   * waits for its turn
   * @param onLost is told of connections that break while idle; they are opened again by themselves
   */
  constructor(
    { max, ...config }: PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number },
    onLost: (error: Error) => void,
  ) {
    this.options = config;
    this.#connections = Array.from({ length: max }, () => {
      const connection = new Pool({ ...config, max: 1 });
      connection.on("error", onLost);
      // One in use that breaks between two statements of a transaction tells only itself; the next statement fails.
      connection.on("connect", (client) => client.on("error", () => {}));
      connection.on("connect", prepareStatements);
      return connection;
    });
    this.#turns = new ConnectionTurns(max, config.connectionTimeoutMillis);
  }

  /** Connections that are open, those of them that nobody has, and what waits for one. */
  get counts(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    const sum = (count: "totalCount" | "idleCount"): number =>
      this.#connections.reduce((counted, connection) => counted + connection[count], 0);
    return { total: sum("totalCount"), idle: sum("idleCount"), waiting: this.#turns.waiting };
  }

  /**
   * A connection, to be released. Rejects during an interruption, and as if there were one when too much waits, or for
   * too long.
   */
  async connect(): Promise<PoolClient> {
    const end = await this.#turns.take(caller.getStore() ?? null);
    // Anyone who has a turn finds one free.
    const connection = this.#connections.find((one) => !this.#taken.has(one))!;
    this.#taken.add(connection);
    const giveBack = (): void => {
      this.#taken.delete(connection);
      end();
    };
    try {
      if (this.isInterrupted) throw new Interrupted();
      const client = await connection.connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        release(error);
        giveBack();
      };
      return client;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Closes the connections; a second call waits for the first. */
  async end(): Promise<void> {
    this.#ended ??= Promise.all(this.#connections.map((connection) => connection.end()));
    await this.#ended;
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
