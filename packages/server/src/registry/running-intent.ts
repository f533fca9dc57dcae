import { lockAccount } from "../store/accounts/grants.ts";
import type { Intent, Settlement } from "../store/custody/intents.ts";
import type { CustodyEvent } from "../store/custody/ledgers.ts";
import { type Write, writing } from "../store/database.ts";
import { type Erasable, erasePixels, NOTHING_SPENT } from "./engine-call.ts";
import type { Services } from "./services.ts";

type Needs = Pick<Services, "database" | "intents">;

/** What an intent names, as far as it changes. */
export type Change = Partial<Pick<Intent, "units" | "pixels">>;

/**
 * The intent of work that goes on from image to image. Each image changes it in a transaction with what the image
 * brings; at the end it is settled, or given up with all that was brought.
 */
export class RunningIntent {
  /** The image that is worked, erased when the intent is given up. */
  inHand: Erasable | null = null;
  readonly #needs: Needs;
  #intent: Intent;

  private constructor(needs: Needs, intent: Intent) {
    this.#needs = needs;
    this.#intent = intent;
  }

  /** Takes an intent with neither units nor pixels, if `allowing` does not refuse. */
  static async take(
    needs: Needs,
    accountId: string,
    allowing: (write: Write) => Promise<void>,
  ): Promise<RunningIntent> {
    return new RunningIntent(needs, await needs.intents.take(accountId, NOTHING_SPENT, null, allowing));
  }

  /** As it was last committed. */
  get intent(): Intent {
    return this.#intent;
  }

  /**
   * Runs `work` in a transaction on the locked account, which may change the intent.
   * @throws IntentLost when another process settled it already
   */
  async change<T>(work: (write: Write, change: (next: Change) => Promise<void>) => Promise<T>): Promise<T> {
    const { database, intents } = this.#needs;
    let changed = this.#intent;
    const result = await writing(database, async (write) => {
      const account = await lockAccount(write, changed.accountId);
      return work(write, async (next) => {
        changed = await intents.amend(write, account, changed, { ...changed, ...next });
      });
    });
    this.#intent = changed;
    return result;
  }

  /** Erases the image in hand. Answers what the ledger is to say of the pixels that the intent names. */
  erase(): readonly CustodyEvent[] {
    return this.inHand === null ? [] : erasePixels(this.inHand, this.#intent);
  }

  /**
   * Runs `work` in a transaction that settles the intent.
   * @throws IntentLost when another process settled it already
   */
  async settle<T>(
    work: (write: Write, settle: (settlement: Settlement) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { database, intents } = this.#needs;
    const result = await writing(database, (write) =>
      work(write, (settlement) => intents.settle(write, this.#intent, settlement)),
    );
    intents.done(this.#intent);
    return result;
  }

  /**
   * Gives the intent up: nothing has changed. What cannot be dropped now is dropped by the sweep.
   * @param drop drops what the intent has brought, on the locked account; answers what the ledger is to say of it
   */
  async giveUp(drop: (write: Write) => Promise<readonly CustodyEvent[]>): Promise<void> {
    const { database, intents } = this.#needs;
    try {
      const erased = this.inHand?.erase() ?? true;
      await writing(database, async (write) => {
        await lockAccount(write, this.#intent.accountId);
        await intents.giveUp(write, this.#intent, erased, await drop(write));
      });
    } catch {
      // The database is away, or another process has settled the intent already.
    } finally {
      intents.done(this.#intent);
    }
  }
}
