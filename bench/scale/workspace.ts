import { chmod, mkdir } from "node:fs/promises";
import { Client } from "pg";
import { keyEncryptionKeyFile } from "../../packages/server/src/config/secret-files.ts";
import {
  type EmbeddedConnection,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../packages/server/src/store/embedded/embedded-postgres.ts";
import { fillIndex } from "./fill-index.ts";
import type { OriginalSource } from "./population.ts";

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
    await mkdir(folder, { recursive: true });
    // The server of one workspace may be root's, and then runs as another user, who must reach the socket of a second
    // one.
    await chmod(folder, 0o711);
    const key = await keyEncryptionKeyFile(folder);
    await allowUnloggedLoads(folder);
    return new Workspace(folder, key, await startEmbeddedPostgres({ dataDir: folder, log }));
  }

  /** Where the database of this size is. */
  database(originals: number): EmbeddedConnection {
    return { ...this.#server.connection, database: databaseOf(originals) };
  }

  /** The database of this size as the service wants it. */
  url(originals: number): string {
    const { host, port, user } = this.#server.connection;
    const query = new URLSearchParams({ host, port: String(port) });
    return `postgres://${user}@localhost/${databaseOf(originals)}?${query.toString()}`;
  }

  /**
   * Fills the database of this size, unless it is there; `round`: originals gathered together. Interrupted, it begins
   * again.
   */
  async fill(originals: number, source: OriginalSource, round: number): Promise<void> {
    const unfinished = `filling_${originals}`;
    const admin = new Client(this.#server.connection);
    await admin.connect();
    try {
      const { rowCount } = await admin.query("select from pg_database where datname = $1", [
        databaseOf(originals),
      ]);
      if (rowCount === 1) return;
      await admin.query(`drop database if exists ${unfinished}`);
      await admin.query(`create database ${unfinished}`);
      await fillIndex({
        address: { ...this.#server.connection, database: unfinished },
        keyEncryptionKey: this.keyEncryptionKey,
        source,
        originals,
        round,
        progress: (done) => {
          if (done % Math.ceil(originals / 20) === 0) {
            process.stderr.write(`${originals} originals: ${Math.round((100 * done) / originals)} %\n`);
          }
        },
      });
      await admin.query(`alter database ${unfinished} rename to ${databaseOf(originals)}`);
    } finally {
      await admin.end();
    }
  }

  /** Makes an empty database of this name, in place of one that is there. */
  create(name: string): Promise<EmbeddedConnection> {
    return this.#make(name, "");
  }

  /** Makes a database of this name that holds the same as the filled one of this size. */
  copy(originals: number, name: string): Promise<EmbeddedConnection> {
    return this.#make(name, `template ${databaseOf(originals)} strategy file_copy`);
  }

  async #make(name: string, from: string): Promise<EmbeddedConnection> {
    const admin = new Client(this.#server.connection);
    await admin.connect();
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`create database ${name} ${from}`);
    await admin.end();
    return { ...this.#server.connection, database: name };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

function databaseOf(originals: number): string {
  return `originals_${originals}`;
}

/**
 * Lets COPY into a table emptied in the same transaction do without the write-ahead log; takes effect at the server's
 * next start.
 */
async function allowUnloggedLoads(folder: string): Promise<void> {
  await using server = await startEmbeddedPostgres({ dataDir: folder, log });
  const client = new Client(server.connection);
  await client.connect();
  await client.query("alter system set wal_level = minimal");
  await client.query("alter system set max_wal_senders = 0");
  await client.end();
}
