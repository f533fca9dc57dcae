import { type Refusal, refuse } from "@colophon/contract";
import { type QueryCreator, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { marking } from "../lost-commit.ts";
import type { SlotTable } from "../tables/slot-tables.ts";
import type { AccountTable, Tables } from "../tables/tables.ts";
import { type Part, together } from "../together.ts";

export type Account = Selectable<AccountTable>;

/** Units of the two lifetime grants. */
export interface Units {
  readonly registrations: number;
  readonly lookups: number;
}

/**
 * All columns of an account, by name: a statement that is prepared must not answer others once a later version has
 * added one.
 */
export const ACCOUNT: readonly (keyof AccountTable)[] = [
  "accountId",
  "name",
  "registrationGrant",
  "registrationConsumed",
  "lookupGrant",
  "lookupConsumed",
  "sequencesEnabled",
  "maxRequestBytes",
  "maxFramesPerSequence",
  "createdAt",
  "suspendedAt",
];

/**
 * The row of an account, locked until the transaction ends: who changes what is used of a grant holds it. Not a
 * key lock, so that rows which refer to the account can be written meanwhile.
 */
export function lockAccount(write: Write, accountId: string): Promise<Account> {
  return lockedAccount(marking(write), accountId).select(ACCOUNT).executeTakeFirstOrThrow();
}

/** The row of an account, locked likewise by the statement that this is part of, for what needs nothing of it. */
export function lockedAccount(
  write: QueryCreator<Tables>,
  accountId: string,
): SelectQueryBuilder<Tables, "account", object> {
  return write.selectFrom("account").where("accountId", "=", accountId).forNoKeyUpdate();
}

/** Whether a slot is there: not abandoned, and not expired, unless a commit holds it beyond its time. */
export const isLive: RawBuilder<boolean> = sql<boolean>`(not purging
  and (expires_at > clock_timestamp() or committing_owner is not null))`;

/** How many of an account's slots of each kind are open and not expired, and what units they reserve. */
export interface AccountSlots {
  readonly registrationSlots: number;
  readonly registrationHeld: number;
  readonly lookupSlots: number;
  readonly lookupHeld: number;
}

export const NO_SLOTS: AccountSlots = {
  registrationSlots: 0,
  registrationHeld: 0,
  lookupSlots: 0,
  lookupHeld: 0,
};

/** A query of an account's open slots, one row; an expired slot reserves nothing from that moment on. */
export function slotsOf(accountId: RawBuilder<unknown>): RawBuilder<AccountSlots> {
  return sql`select count(*) filter (where kind = 'registration') as registration_slots,
      coalesce(sum(held) filter (where kind = 'registration'), 0)::bigint as registration_held,
      count(*) filter (where kind = 'lookup') as lookup_slots,
      coalesce(sum(held) filter (where kind = 'lookup'), 0)::bigint as lookup_held
    from slot where slot.account_id = ${accountId} and status = 'open' and ${isLive}`;
}

/** The account's open slots. */
export async function readAccountSlots(read: Read, accountId: string): Promise<AccountSlots> {
  const { rows } = await slotsOf(sql`${accountId}`).execute(read);
  return rows[0] ?? NO_SLOTS;
}

/** Units reserved by those of the account's slots of one kind that are being committed. */
export async function committingUnits(
  read: Read,
  accountId: string,
  kind: SlotTable["kind"],
): Promise<number> {
  const { units } = await read
    .selectFrom("slot")
    .select(sql<number>`coalesce(sum(held), 0)::bigint`.as("units"))
    .where("accountId", "=", accountId)
    .where("kind", "=", kind)
    .where("committingOwner", "is not", null)
    .executeTakeFirstOrThrow();
  return units;
}

/** What is left of each grant, as stats and quota refusals state it: grant minus consumed, never below zero. */
export function remainingUnits(account: Account): Units {
  return {
    registrations: Math.max(0, account.registrationGrant - account.registrationConsumed),
    lookups: Math.max(0, account.lookupGrant - account.lookupConsumed),
  };
}

/** The `Quota exceeded` refusal with the account's counts. */
export function quotaRefusal(account: Account, grant: keyof Units): Refusal {
  const { registrations, lookups } = remainingUnits(account);
  return refuse("quotaExceeded", grant, { registrationRemaining: registrations, lookupRemaining: lookups });
}

/**
 * @throws Refusal quotaExceeded when what neither consumption nor the reservations of slots have taken of the grants
 * does not cover the units
 */
export function assertFree(account: Account, slots: AccountSlots, units: Units): void {
  const free = {
    registrations: account.registrationGrant - account.registrationConsumed - slots.registrationHeld,
    lookups: account.lookupGrant - account.lookupConsumed - slots.lookupHeld,
  };
  for (const grant of ["registrations", "lookups"] as const) {
    if (units[grant] > Math.max(0, free[grant])) throw quotaRefusal(account, grant);
  }
}

/**
 * Takes units of a locked account, or refuses with `Quota exceeded` when the free units do not cover them.
 * @throws Refusal quotaExceeded
 */
export async function takeUnits(write: Write, account: Account, units: Units): Promise<void> {
  assertFree(account, await readAccountSlots(write, account.accountId), units);
  await takeReserved(write, account.accountId, units);
}

/** Takes units that a slot's reservation covers: they leave the reservation in the same transaction. */
export function takeReserved(write: Write, accountId: string, units: Units): Promise<void> {
  return together(write, consumption(write, accountId, units));
}

/** Gives taken units back. */
export function returnUnits(write: Write, accountId: string, units: Units): Promise<void> {
  const { registrations, lookups } = units;
  return together(write, consumption(write, accountId, { registrations: -registrations, lookups: -lookups }));
}

/** What changes how much of a locked account's grants is used: more of it, or less where `units` are negative. */
export function consumption(write: Write, accountId: string, units: Units): readonly Part[] {
  if (units.registrations === 0 && units.lookups === 0) return [];
  return [
    write
      .updateTable("account")
      .set((row) => ({
        registrationConsumed: row("registrationConsumed", "+", units.registrations),
        lookupConsumed: row("lookupConsumed", "+", units.lookups),
      }))
      .where("accountId", "=", accountId),
  ];
}
