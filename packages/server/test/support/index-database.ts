import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideCluster } from "@colophon/testing/process/cluster-template.ts";
import { type Database, openDatabase, type Write, writing } from "../../src/store/database.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded/embedded-postgres.ts";
import { insertFeatures } from "../../src/store/index/match-index.ts";
import { insertOriginals } from "../../src/store/originals/originals.ts";

/**
 * A migrated database of its own whose match index a test fills with words, without pictures. Disposing it removes
 * everything.
 */
export class IndexDatabase implements AsyncDisposable {
  readonly database: Database;
  readonly dataDir: string;
  readonly #accountId: string;
  readonly #held: AsyncDisposableStack;

  private constructor(dataDir: string, database: Database, accountId: string, held: AsyncDisposableStack) {
    this.dataDir = dataDir;
    this.database = database;
    this.#accountId = accountId;
    this.#held = held;
  }

  static async start(): Promise<IndexDatabase> {
    await using held = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-index-"));
    held.defer(() => rm(dataDir, { recursive: true, force: true }));
    await provideCluster(dataDir);
    const log = { info: () => undefined, warn: () => undefined };
    const server = held.use(await startEmbeddedPostgres({ dataDir, log }));
    const database = openDatabase(server.connection, 8, () => undefined);
    held.defer(() => database.destroy());
    const account = await database
      .insertInto("account")
      .values({ name: null, maxRequestBytes: 1, maxFramesPerSequence: 1 })
      .returning("accountId")
      .executeTakeFirstOrThrow();
    return new IndexDatabase(dataDir, database, account.accountId, held.move());
  }

  /**
   * Files an original under each list of words; numbers follow the order given, the first one of a new database is 1.
   */
  register(originals: readonly (readonly number[])[]): Promise<void> {
    return writing(this.database, async (write) => {
      await this.registerWithin(write, originals);
    });
  }

  /** The same within a transaction. @returns the numbers */
  async registerWithin(write: Write, originals: readonly (readonly number[])[]): Promise<readonly number[]> {
    const hashes = originals.map((_, n) => {
      const imageHash = randomBytes(32);
      imageHash.writeUInt32BE(n);
      return imageHash;
    });
    const numbers = await insertOriginals(
      write,
      this.#accountId,
      hashes.map((imageHash) => ({
        imageHash,
        originalImageHash: imageHash,
        pixelHash: imageHash,
        width: null,
        height: null,
      })),
    );
    const filed = hashes.map((imageHash, n) => ({
      imageNo: numbers.get(imageHash.toString("hex")) ?? 0,
      packet: Buffer.from("sealed"),
      packetVersion: 1,
      part: null,
      words: Int32Array.from(originals[n] ?? []),
    }));
    await insertFeatures(write, filed);
    return filed.map(({ imageNo }) => imageNo);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#held.disposeAsync();
  }
}
