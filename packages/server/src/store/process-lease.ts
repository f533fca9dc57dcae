import { randomInt } from "node:crypto";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { Client } from "pg";
import type { DatabaseAddress, Write } from "./database.ts";

/** How long a server may take to see a connection off. */
const CLOSING_MS = 1_000;

/**
 * The identity of this process in the database: a random number whose advisory lock the process holds on a
 * connection of its own. Intents name it as their owner; a process that can take the lock knows the owner is dead.
 */
export class ProcessLease implements AsyncDisposable {
  readonly owner: number = randomInt(2 ** 48 - 1);
  readonly #address: DatabaseAddress;
  readonly #onLost: (error: Error) => void;
  #client: Client | null = null;
  #socket: Socket | null = null;
  #holds = false;
  #closed = false;

  private constructor(address: DatabaseAddress, onLost: (error: Error) => void) {
    this.#address = address;
    this.#onLost = onLost;
  }

  /**
   * Connects and takes the lock.
   * @param onLost is told when the connection breaks; `renew` takes the lock again
   */
  static async take(address: DatabaseAddress, onLost: (error: Error) => void): Promise<ProcessLease> {
    const lease = new ProcessLease(address, onLost);
    await lease.renew();
    return lease;
  }

  /**
   * Sees that the lock is held, and takes it again where its connection was lost. Rejects when the database is away.
   */
  async renew(): Promise<void> {
    if (this.#closed) return;
    this.#client ??= await this.#connect();
    if (this.#holds) await this.#client.query("select 1");
    else await this.#lock(this.#client);
  }

  /** Gives up a connection that does not answer; what waits for it fails. */
  drop(): void {
    this.#client = null;
    this.#holds = false;
    this.#socket?.destroy();
  }

  /**
   * Takes the lock, if it is to be had. Nobody else takes this one: where it is not, the server has not noticed yet
   * that a connection before this one is gone, and the lock is this process's all the same.
   */
  async #lock(client: Client): Promise<void> {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      this.owner,
    ]);
    this.#holds = rows[0]?.taken === true;
  }

  async #connect(): Promise<Client> {
    const socket = new Socket();
    const client = new Client({
      ...this.#address,
      application_name: "colophon lease",
      keepAlive: true,
      stream: () => socket,
    });
    this.#socket = socket;
    client.on("error", (error) => {
      if (this.#client !== client) return;
      this.drop();
      this.#onLost(error);
    });
    await client.connect();
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await Promise.race([client?.end(), sleep(CLOSING_MS, undefined, { ref: false })]);
    this.#socket?.destroy();
  }
}

/**
 * Whether the process with this lease is gone. The lock of a living one cannot be had, not even by the process
 * itself, which holds it on another connection.
 */
export async function isOwnerGone(write: Write, owner: number): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${owner}) as free`.execute(
    write,
  );
  return rows[0]?.free === true;
}
