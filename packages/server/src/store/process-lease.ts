import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { Client } from "pg";
import type { DatabaseAddress, Write } from "./database.ts";

/**
 * The identity of this process in the database: a random number whose advisory lock the process holds on a
 * connection of its own. Intents name it as their owner; whoever can take the lock knows the owner is dead.
 */
export class ProcessLease implements AsyncDisposable {
  readonly owner: number = randomInt(2 ** 48 - 1);
  readonly #address: DatabaseAddress;
  readonly #onLost: (error: Error) => void;
  #client: Client | null = null;
  #closed = false;

  private constructor(address: DatabaseAddress, onLost: (error: Error) => void) {
    this.#address = address;
    this.#onLost = onLost;
  }

  /** Connects and takes the lock. */
  static async take(address: DatabaseAddress, onLost: (error: Error) => void): Promise<ProcessLease> {
    const lease = new ProcessLease(address, onLost);
    await lease.hold();
    return lease;
  }

  /** Takes the lock again after the connection was lost; does nothing while it is held. */
  async hold(): Promise<void> {
    if (this.#client || this.#closed) return;
    const client = new Client({ ...this.#address, application_name: "colophon lease", keepAlive: true });
    client.on("error", (error) => {
      if (this.#client === client) this.#client = null;
      this.#onLost(error);
    });
    await client.connect();
    await client.query("select pg_advisory_lock($1)", [this.owner]);
    this.#client = client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#client?.end();
    this.#client = null;
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
