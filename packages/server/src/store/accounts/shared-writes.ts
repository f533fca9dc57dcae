import { MOST_WAITING, TooManyConnections } from "../connection-turns.ts";
import { type Database, type Write, writing } from "../database.ts";

/** Work on an account in a transaction. */
type Work<Answer> = (write: Write) => Promise<Answer>;

interface Waiting {
  /** Answers what the caller is to be given once the transaction has committed. */
  readonly work: Work<() => void>;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes of an account that are asked for at the same time go in one transaction: a writer holds the account's row
 * until that is on disk, and all others of the account wait so long. One transaction of an account is under way at a
 * time, and what is asked for meanwhile is the next one.
 */
export class SharedWrites {
  readonly #database: Database;
  readonly #isOwn: (error: unknown) => boolean;
  readonly #waiting = new Map<string, Waiting[]>();

  /**
   * @param isOwn whether an error is of one caller, thrown before its work has written anything; all others are of all
   * that share the transaction
   */
  constructor(database: Database, isOwn: (error: unknown) => boolean) {
    this.#database = database;
    this.#isOwn = isOwn;
  }

  /**
   * Runs work on behalf of the account in a transaction that others may share.
   * @throws TooManyConnections when too much of the account waits
   */
  run<Answer>(accountId: string, work: Work<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const own: Waiting = {
      work: async (write) => {
        try {
          const answer = await work(write);
          return () => resolve(answer);
        } catch (error) {
          if (!this.#isOwn(error)) throw error;
          return () => reject(error);
        }
      },
      fail: reject,
    };
    const line = this.#waiting.get(accountId);
    if (line === undefined) {
      this.#waiting.set(accountId, [own]);
      void this.#serve(accountId);
    } else if (line.length < MOST_WAITING) {
      line.push(own);
    } else {
      reject(new TooManyConnections());
    }
    return promise;
  }

  async #serve(accountId: string): Promise<void> {
    for (;;) {
      const together = this.#waiting.get(accountId) ?? [];
      if (together.length === 0) break;
      this.#waiting.set(accountId, []);
      await this.#write(together);
    }
    this.#waiting.delete(accountId);
  }

  async #write(together: readonly Waiting[]): Promise<void> {
    try {
      const answers = await writing(this.#database, async (write) => {
        const given: (() => void)[] = [];
        for (const { work } of together) given.push(await work(write));
        return given;
      });
      for (const answer of answers) answer();
    } catch (error) {
      for (const { fail } of together) fail(error);
    }
  }
}
