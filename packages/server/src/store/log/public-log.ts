import { refuse } from "@colophon/contract";
import { toUtf8 } from "@colophon/formats";
import { type TileName, tilePath } from "@colophon/log";
import type { Database } from "../database.ts";
import { latestCheckpoint, readTimestamp } from "./checkpoints.ts";
import { type LogTree, readEntries, readTile, readTree } from "./tree.ts";

/** Different things that are waited for; further ones are refused. */
const MOST_WAITING = 1024;
const RETRY_AFTER_SECONDS = 1;

/**
 * What anyone may read of the log. One read is under way at a time, and a caller who asks for the same meanwhile shares
 * it: strangers take one connection of the database between them. What there is not is null.
 */
export class PublicLog {
  readonly #database: Database;
  readonly #reads = new Map<string, Promise<unknown>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The latest checkpoint with the cosignatures so far. */
  checkpoint(): Promise<Uint8Array | null> {
    return this.#read("checkpoint", async () => {
      const checkpoint = await latestCheckpoint(this.#database);
      return checkpoint && toUtf8(checkpoint.note + checkpoint.cosignatures);
    });
  }

  tree(): Promise<LogTree | null> {
    return this.#read("tree", () => readTree(this.#database));
  }

  /** A tile, or a bundle of entries. */
  tile(name: TileName): Promise<Uint8Array | null> {
    const { level, index, width } = name;
    return this.#read(tilePath(name), () =>
      level === "entries"
        ? readEntries(this.#database, index, width)
        : readTile(this.#database, { level, index, width }),
    );
  }

  /** The answer of a time-stamping authority about the checkpoint of a size. */
  timestamp(size: number): Promise<Uint8Array | null> {
    return this.#read(`timestamp ${size}`, () => readTimestamp(this.#database, size));
  }

  /** @throws Refusal serviceUnavailable when too much is waited for */
  #read<T>(name: string, work: () => Promise<T>): Promise<T> {
    const shared = this.#reads.get(name);
    if (shared !== undefined) return shared as Promise<T>;
    if (this.#reads.size >= MOST_WAITING) {
      throw refuse("serviceUnavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const answer = this.#turn.then(work).finally(() => this.#reads.delete(name));
    this.#reads.set(name, answer);
    this.#turn = answer.catch(() => {});
    return answer;
  }
}
