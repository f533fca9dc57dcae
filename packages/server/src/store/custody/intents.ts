import { randomUUID } from "node:crypto";
import { Refusal } from "@colophon/contract";
import type { Selectable } from "kysely";
import type { Database, Read, Write } from "../database.ts";
import { writing } from "../database.ts";
import {
  type Account,
  type AccountSlots,
  assertFree,
  consumption,
  lockAccount,
  lockedAccount,
  readAccountSlots,
  returnUnits,
  takeUnits,
  type Units,
} from "../accounts/grants.ts";
import { SharedWrites } from "../accounts/shared-writes.ts";
import { type PixelCustody, pixelsErased, pixelsLost, pixelsReceived } from "./events.ts";
import { appendCustody, type CustodyEvent, custodyRows, type UsageEvent, usageRows } from "./ledgers.ts";
import { marking } from "../lost-commit.ts";
import { isOwnerGone } from "../process-lease.ts";
import type { EngineIntentTable } from "../tables/custody-tables.ts";
import { together } from "../together.ts";

/** A durable note that an engine call is under way: its units are taken, its pixels are in custody. */
export interface Intent {
  readonly intentId: string;
  readonly accountId: string;
  readonly units: Units;
  readonly pixels: PixelCustody | null;
}

/** What came of an engine call: the units it spent, as usage, and what became of the pixels. */
export interface Settlement {
  readonly spent: Units;
  readonly usage: readonly UsageEvent[];
  readonly custody: readonly CustodyEvent[];
}

/** The intent is gone: another process took this one for dead and settled it. Nothing may be charged on it. */
export class IntentLost extends Error {
  override readonly name = "IntentLost";
  constructor() {
    super("The intent was settled by another process.");
  }
}

/** Intents of this process: taken before an engine call, settled after it, whatever happens in between. */
export class Intents {
  readonly #database: Database;
  readonly #owner: number;
  readonly #active = new Set<string>();
  readonly #shared: SharedWrites;

  constructor(database: Database, owner: number) {
    this.#database = database;
    this.#owner = owner;
    this.#shared = new SharedWrites(
      database,
      (error) => error instanceof Refusal || error instanceof IntentLost,
    );
  }

  /**
   * Takes the units and writes the intent, if `allowing` does not refuse: it reads in the same transaction, and is told
   * of the account's open slots.
   * @throws Refusal quotaExceeded
   */
  async take(
    accountId: string,
    units: Units,
    pixels: PixelCustody | null,
    allowing: (write: Write, slots: AccountSlots) => Promise<void> = async () => {},
  ): Promise<Intent> {
    const intent: Intent = { intentId: randomUUID(), accountId, units, pixels };
    this.#active.add(intent.intentId);
    try {
      await this.#shared.run(accountId, async (write) => {
        const account = await lockAccount(write, accountId);
        const slots = await readAccountSlots(write, accountId);
        await allowing(write, slots);
        assertFree(account, slots, units);
        await together(write, [
          ...consumption(write, accountId, units),
          write.insertInto("engineIntent").values(this.#row(intent)),
          ...(await custodyRows(write, pixels ? [pixelsReceived(accountId, pixels)] : [])),
        ]);
      });
    } catch (error) {
      this.#active.delete(intent.intentId);
      throw error;
    }
    return intent;
  }

  /**
   * Settles an intent within the transaction that makes its outcome true: what was not spent goes back, usage
   * and custody are written, the intent goes. Call `done` once the transaction has committed.
   * @throws IntentLost when another process settled it already; the transaction must then fail
   */
  async settle(write: Write, intent: Intent, settlement: Settlement): Promise<void> {
    const taken = await marking(write)
      .with(
        (name) => name("locked").materialized(),
        () => lockedAccount(write, intent.accountId).select("accountId"),
      )
      .deleteFrom("engineIntent")
      .where("intentId", "=", intent.intentId)
      .where((row) => row.exists(row.selectFrom("locked").select("accountId")))
      .returning(["registrations", "lookups"])
      .executeTakeFirst();
    if (!taken) throw new IntentLost();
    await settleUnits(write, intent.accountId, taken, settlement);
  }

  /**
   * Settles an intent whose work is given up, within the transaction that drops what it brought: nothing is spent, and
   * the pixels that the stored intent names are let go. What this process remembers of them does not count: a change
   * may have been committed though its answer was lost.
   * @param erased whether the pixels were zeroed and read back
   * @throws IntentLost when another process settled it already
   */
  async giveUp(
    write: Write,
    intent: Intent,
    erased: boolean,
    dropped: readonly CustodyEvent[] = [],
  ): Promise<void> {
    await lockAccount(write, intent.accountId);
    const taken = await write
      .deleteFrom("engineIntent")
      .where("intentId", "=", intent.intentId)
      .returningAll()
      .executeTakeFirst();
    if (!taken) throw new IntentLost();
    const end = (pixels: PixelCustody): CustodyEvent => pixelsErased(intent.accountId, pixels, erased);
    await settleUnspent(write, taken, end, dropped);
  }

  /**
   * Changes what an intent of a locked account holds, for work that goes on from image to image: takes the units it
   * grows by, gives back those it shrinks by, and names the pixels now in custody, which are ledgered as received when
   * they are others.
   * @throws Refusal quotaExceeded
   * @throws IntentLost when another process settled it already
   */
  async amend(
    write: Write,
    account: Account,
    intent: Intent,
    next: Pick<Intent, "units" | "pixels">,
  ): Promise<Intent> {
    await takeUnits(write, account, difference(next.units, intent.units));
    await returnUnits(write, intent.accountId, difference(intent.units, next.units));
    const amended = { ...intent, ...next };
    const { intentId, owner: _, ...columns } = this.#row(amended);
    const { numUpdatedRows } = await write
      .updateTable("engineIntent")
      .set(columns)
      .where("intentId", "=", intentId)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new IntentLost();
    if (next.pixels && next.pixels !== intent.pixels) {
      await appendCustody(write, [pixelsReceived(intent.accountId, next.pixels)]);
    }
    return amended;
  }

  /** Settles an intent that brought nothing about. */
  close(intent: Intent, settlement: Settlement): Promise<void> {
    return this.answer(intent, settlement, async () => {});
  }

  /**
   * Settles an intent that brought an answer about and nothing else.
   * @param answering reads the answer in the same transaction; where it refuses, nothing is settled
   */
  async answer<Answer>(
    intent: Intent,
    settlement: Settlement,
    answering: (read: Read) => Promise<Answer>,
  ): Promise<Answer> {
    const answer = await this.#shared.run(intent.accountId, async (write) => {
      const read = await answering(write);
      await this.settle(write, intent, settlement);
      return read;
    });
    this.done(intent);
    return answer;
  }

  /** This process no longer works on the intent. One that is still in the database is left to the sweep. */
  done(intent: Intent): void {
    this.#active.delete(intent.intentId);
  }

  /**
   * Settles what nobody works on any more: intents of dead processes, and those of this one whose settlement
   * failed. Idempotent, and safe in every process at once. Returns how many were settled.
   */
  async sweep(): Promise<number> {
    let settled = 0;
    for (const owner of await this.#owners()) {
      settled += await writing(this.#database, (write) => this.#sweepOwner(write, owner));
    }
    return settled;
  }

  async #owners(): Promise<readonly number[]> {
    const rows = await this.#database.selectFrom("engineIntent").select("owner").distinct().execute();
    return rows.map((row) => row.owner);
  }

  async #sweepOwner(write: Write, owner: number): Promise<number> {
    const own = owner === this.#owner;
    if (!own && !(await isOwnerGone(write, owner))) return 0;
    const rows = await write
      .selectFrom("engineIntent")
      .selectAll()
      .where("owner", "=", owner)
      .orderBy("accountId")
      .execute();
    const abandoned = rows.filter((row) => !own || !this.#active.has(row.intentId));
    for (const row of abandoned) await settleAbandoned(write, row);
    return abandoned.length;
  }

  #row({ intentId, accountId, units, pixels }: Intent): Omit<EngineIntentTable, "createdAt"> {
    return {
      intentId,
      owner: this.#owner,
      accountId,
      registrations: units.registrations,
      lookups: units.lookups,
      subject: pixels?.subject ?? null,
      imageHash: pixels?.imageHash ?? null,
      byteLength: pixels?.byteLength ?? null,
      slotId: pixels?.slotId ?? null,
      sequenceId: pixels?.frame?.sequenceId ?? null,
      frameId: pixels?.frame?.frameId ?? null,
    };
  }
}

/** How far `units` exceed `others`, per grant. */
function difference(units: Units, others: Units): Units {
  return {
    registrations: Math.max(0, units.registrations - others.registrations),
    lookups: Math.max(0, units.lookups - others.lookups),
  };
}

async function settleUnits(
  write: Write,
  accountId: string,
  taken: Units,
  settlement: Settlement,
): Promise<void> {
  const { spent, usage, custody } = settlement;
  await together(write, [
    ...consumption(write, accountId, {
      registrations: spent.registrations - taken.registrations,
      lookups: spent.lookups - taken.lookups,
    }),
    ...(await custodyRows(write, custody)),
    ...(await usageRows(write, usage)),
  ]);
}

async function settleAbandoned(write: Write, row: Selectable<EngineIntentTable>): Promise<void> {
  await lockAccount(write, row.accountId);
  const gone = await write.deleteFrom("engineIntent").where("intentId", "=", row.intentId).executeTakeFirst();
  if (gone.numDeletedRows !== 1n) return;
  await settleUnspent(write, row, (pixels) => pixelsLost(row.accountId, pixels));
}

/** Gives back all units of a stored intent, and writes what became of the pixels that it names. */
async function settleUnspent(
  write: Write,
  row: Selectable<EngineIntentTable>,
  end: (pixels: PixelCustody) => CustodyEvent,
  others: readonly CustodyEvent[] = [],
): Promise<void> {
  const pixels = custodyOf(row);
  await settleUnits(write, row.accountId, row, {
    spent: { registrations: 0, lookups: 0 },
    usage: [],
    custody: pixels ? [end(pixels), ...others] : others,
  });
}

function custodyOf(row: Selectable<EngineIntentTable>): PixelCustody | null {
  if (row.subject === null || row.imageHash === null || row.byteLength === null) return null;
  return {
    subject: row.subject,
    imageHash: row.imageHash,
    byteLength: row.byteLength,
    ...(row.slotId !== null && { slotId: row.slotId }),
    ...(row.sequenceId !== null &&
      row.frameId !== null && { frame: { sequenceId: row.sequenceId, frameId: row.frameId } }),
  };
}
