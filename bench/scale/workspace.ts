import { mkdir } from "node:fs/promises";
import { Client } from "pg";
import { keyEncryptionKeyFile } from "../../packages/server/src/config/secret-files.ts";
import {
  type EmbeddedConnection,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../packages/server/src/store/embedded-postgres.ts";
import { fillIndex } from "./fill-index.ts";
import type { Population } from "./population.ts";

const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) };

/** A folder with an embedded database server, and in it one deployment's database for each size. */
export class Workspace implements AsyncDisposable {
  readonly folder: string;
  readonly keyEncryptionKey: Buffer;
  readonly #server: EmbeddedPostgres;

  private constructor(folder: string, keyEncryptionKey: Buffer, server: EmbeddedPostgres) {
    this.folder = folder;
    this.keyEncryptionKey = keyEncryptionKey;
    this.#server = server;
  }

  /** Opens the workspace in `folder`, making what is not there. */
  static async open(folder: string): Promise<Workspace> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const key = await keyEncryptionKeyFile(folder);
    await allowUnloggedLoads(folder);
    return new Workspace(folder, key, await startEmbeddedPostgres({ dataDir: folder, log }));
  }

  /** Where a database of this server is. */
  address(database: string): EmbeddedConnection {
    return { ...this.#server.connection, database };
  }

  /** The database of this size as the service wants it. */
  url(originals: number): string {
    const { host, port, user } = this.#server.connection;
    const query = new URLSearchParams({ host, port: String(port) });
    return `postgres://${user}@localhost/${databaseOf(originals)}?${query.toString()}`;
  }

  /** Fills the database of this size, unless it is there. Interrupted, it begins anew. */
  async fill(originals: number, population: Population): Promise<EmbeddedConnection> {
    const address = this.address(databaseOf(originals));
    const unfinished = `filling_${originals}`;
    const admin = new Client(this.#server.connection);
    await admin.connect();
    try {
      const { rowCount } = await admin.query("select from pg_database where datname = $1", [
        address.database,
      ]);
      if (rowCount === 1) return address;
      await admin.query(`drop database if exists ${unfinished}`);
      await admin.query(`create database ${unfinished}`);
      await fillIndex({
        address: this.address(unfinished),
        keyEncryptionKey: this.keyEncryptionKey,
        population,
        originals,
        progress: (done) => {
          if (done % Math.ceil(originals / 20) === 0)
            process.stderr.write(`${originals} originals: ${Math.round((100 * done) / originals)} %\n`);
        },
      });
      await admin.query(`alter database ${unfinished} rename to ${address.database}`);
      return address;
    } finally {
      await admin.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

function databaseOf(originals: number): string {
  return `originals_${originals}`;
}

/** Lets COPY into a table emptied in the same transaction do without the write-ahead log; takes effect at the server's next start. */
async function allowUnloggedLoads(folder: string): Promise<void> {
  await using server = await startEmbeddedPostgres({ dataDir: folder, log });
  const client = new Client(server.connection);
  await client.connect();
  await client.query("alter system set wal_level = minimal");
  await client.query("alter system set max_wal_senders = 0");
  await client.end();
}
