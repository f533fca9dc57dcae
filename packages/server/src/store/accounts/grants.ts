import { type Refusal, refuse } from "@colophon/contract";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import type { AccountTable } from "../tables/tables.ts";
import { type Part, together } from "../together.ts";

export type Account = Selectable<AccountTable>;

/** Units of the two lifetime grants. */
export interface Units {
  readonly registrations: number;
  readonly lookups: number;
}

/** All columns of an account, by name: a statement that is prepared must not answer others once a later version has added one. */
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
  return write
    .selectFrom("account")
    .select(ACCOUNT)
    .where("accountId", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Whether a slot is there: not abandoned, and not expired, unless a commit holds it beyond its time. */
export const isLive: RawBuilder<boolean> = sql<boolean>`(not purging
  and (expires_at > clock_timestamp() or committing_owner is not null))`;

/** Units reserved by the account's live open slots; an expired slot reserves nothing from that moment on. */
async function heldUnits(read: Read, accountId: string): Promise<Units> {
  const rows = await read
    .selectFrom("slot")
    .select(["kind", sql<number>`sum(held)::bigint`.as("held")])
    .where("accountId", "=", accountId)
    .where("status", "=", "open")
    .where(isLive)
    .groupBy("kind")
    .execute();
  const of = (kind: "registration" | "lookup"): number => rows.find((row) => row.kind === kind)?.held ?? 0;
  return { registrations: of("registration"), lookups: of("lookup") };
}

/** Units reserved by those of the account's slots of one kind that are being committed. */
export async function committingUnits(
  read: Read,
  accountId: string,
  kind: "registration" | "lookup",
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

/** What neither consumption nor a slot's reservation has taken of the grants yet. */
async function freeUnits(read: Read, account: Account): Promise<Units> {
  const held = await heldUnits(read, account.accountId);
  return {
    registrations: account.registrationGrant - account.registrationConsumed - held.registrations,
    lookups: account.lookupGrant - account.lookupConsumed - held.lookups,
  };
}

/** @throws Refusal quotaExceeded when the free units do not cover these */
export async function assertFree(read: Read, account: Account, units: Units): Promise<void> {
  const free = await freeUnits(read, account);
  for (const grant of ["registrations", "lookups"] as const) {
    if (units[grant] > Math.max(0, free[grant])) throw quotaRefusal(account, grant);
  }
}

/**
 * Takes units of a locked account, or refuses with `Quota exceeded` when the free units do not cover them.
 * @throws Refusal quotaExceeded
 */
export async function takeUnits(write: Write, account: Account, units: Units): Promise<void> {
  await assertFree(write, account, units);
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

/** How many of the account's slots of one kind are open and not expired. */
export async function openSlotCount(
  read: Read,
  accountId: string,
  kind: "registration" | "lookup",
): Promise<number> {
  const { count } = await read
    .selectFrom("slot")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("accountId", "=", accountId)
    .where("kind", "=", kind)
    .where("status", "=", "open")
    .where(isLive)
    .executeTakeFirstOrThrow();
  return count;
}
