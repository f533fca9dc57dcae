import { refuse } from "@colophon/contract";
import { type Database, type Write, writing } from "../database.ts";
import { lockAccount } from "../accounts/grants.ts";
import { isOwnerGone } from "../process-lease.ts";
import { readSlot, type Slot, type SlotRef } from "./slots.ts";

/**
 * Claims on slots: a commit claims its slot first, in the row, and has it alone until the commit ends. A
 * claim outlives neither its commit nor its process: one that nobody works on is dropped, and the slot is open
 * again with what it still holds.
 */
export class SlotClaims implements AsyncDisposable {
  readonly #database: Database;
  readonly #owner: number;
  readonly #commits = new Map<string, Promise<unknown>>();

  constructor(database: Database, owner: number) {
    this.#database = database;
    this.#owner = owner;
  }

  /**
   * The slot, if commands may change it. Its account must be locked: every change of a slot is made under that lock.
   * @throws Refusal slotNotFound, slotIsNoLongerOpen
   */
  async readOpenSlot(write: Write, ref: SlotRef): Promise<Slot> {
    const slot = await readSlot(write, ref);
    if (slot.status === "open" && slot.committingOwner === null) return slot;
    if (slot.status !== "open" || !(await this.#isAbandoned(write, slot))) throw refuse("slotIsNoLongerOpen");
    await this.#drop(write, slot.slotId);
    return readSlot(write, ref);
  }

  /**
   * Claims a slot in a transaction with `prepare`, then runs `commit`, which ends the claim by closing the slot. Runs
   * to its end, no matter who waits for it. If it fails, the slot is open again with what it still holds.
   * @throws Refusal slotNotFound, slotIsNoLongerOpen, and what `prepare` throws
   */
  async commit<T>(
    ref: SlotRef,
    prepare: (write: Write, slot: Slot) => Promise<void>,
    commit: () => Promise<T>,
  ): Promise<T> {
    const ended = Promise.withResolvers<void>();
    const { slotId } = ref;
    let claimed = false;
    try {
      await writing(this.#database, async (write) => {
        await lockAccount(write, ref.accountId);
        await prepare(write, await this.readOpenSlot(write, ref));
        await write
          .updateTable("slot")
          .set({ committingOwner: this.#owner })
          .where("slotId", "=", slotId)
          .execute();
        // Before the claim can be seen, so that no sweep of this process takes it for one that nobody works on.
        this.#commits.set(slotId, ended.promise);
        claimed = true;
      });
      return await commit();
    } catch (error) {
      if (claimed) await this.#release(ref).catch(() => undefined);
      throw error;
    } finally {
      if (claimed) this.#commits.delete(slotId);
      ended.resolve();
    }
  }

  /**
   * A transaction on a slot that this process has claimed, its account locked.
   * @throws Refusal slotIsNoLongerOpen when the claim was lost
   */
  underClaim<T>(ref: SlotRef, work: (write: Write) => Promise<T>): Promise<T> {
    return writing(this.#database, async (write) => {
      await lockAccount(write, ref.accountId);
      await this.assertClaimed(write, ref.slotId);
      return work(write);
    });
  }

  /** @throws Refusal slotIsNoLongerOpen when this process has lost its claim; the transaction must then fail */
  async assertClaimed(write: Write, slotId: string): Promise<void> {
    const slot = await write
      .selectFrom("slot")
      .select("committingOwner")
      .where("slotId", "=", slotId)
      .executeTakeFirst();
    if (slot?.committingOwner !== this.#owner) throw refuse("slotIsNoLongerOpen");
  }

  /** Drops claims that nobody works on. Idempotent, safe in every process at once. Returns how many. */
  async sweep(): Promise<number> {
    const claimed = await this.#database
      .selectFrom("slot")
      .select(["slotId", "accountId"])
      .where("committingOwner", "is not", null)
      .execute();
    let dropped = 0;
    for (const { slotId, accountId } of claimed) {
      dropped += await writing(this.#database, async (write) => {
        await lockAccount(write, accountId);
        const slot = await write
          .selectFrom("slot")
          .selectAll()
          .where("slotId", "=", slotId)
          .executeTakeFirst();
        if (!slot || slot.committingOwner === null || !(await this.#isAbandoned(write, slot))) return 0;
        await this.#drop(write, slotId);
        return 1;
      });
    }
    return dropped;
  }

  /** Waits for the commits under way: their callers may have gone, and then nobody else does. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#commits.size > 0) await Promise.all(this.#commits.values());
  }

  async #isAbandoned(write: Write, slot: Slot): Promise<boolean> {
    if (slot.committingOwner === null) return true;
    if (slot.committingOwner === this.#owner) return !this.#commits.has(slot.slotId);
    return isOwnerGone(write, slot.committingOwner);
  }

  async #release(ref: SlotRef): Promise<void> {
    await writing(this.#database, async (write) => {
      await lockAccount(write, ref.accountId);
      await write
        .updateTable("slot")
        .set({ committingOwner: null })
        .where("slotId", "=", ref.slotId)
        .where("committingOwner", "=", this.#owner)
        .execute();
    });
  }

  async #drop(write: Write, slotId: string): Promise<void> {
    await write.updateTable("slot").set({ committingOwner: null }).where("slotId", "=", slotId).execute();
  }
}
