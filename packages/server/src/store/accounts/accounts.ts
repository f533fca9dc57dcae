import { refuse } from "@colophon/contract";
import { isUuid } from "@colophon/formats";
import { type Insertable, type RawBuilder, sql } from "kysely";
import { type Database, type Read, type Write, writing } from "../database.ts";
import { LOCKS } from "../locks.ts";
import { ANONYMOUS, isAnonymous } from "./anonymous.ts";
import { type Account, isLive, type Units } from "./grants.ts";
import type { SlotTable } from "../tables/slot-tables.ts";
import type { AccountTable } from "../tables/tables.ts";

/** An account with what its slots hold and how often it called. */
export interface AccountState {
  readonly account: Account;
  readonly held: Units;
  readonly callCount: number;
}

/** What an operator sets of an account; grants are absolute. */
export type AccountSettings = Partial<
  Pick<
    Account,
    | "name"
    | "registrationGrant"
    | "lookupGrant"
    | "sequencesEnabled"
    | "maxRequestBytes"
    | "maxFramesPerSequence"
  >
>;

/** Whether `text` may be the id of an account that the operator made. */
function isAccountId(text: string): boolean {
  return isUuid(text) && !isAnonymous(text);
}

/** Creates an account with its ledgers. */
export function createAccount(database: Database, values: Insertable<AccountTable>): Promise<AccountState> {
  return writing(database, (write) => insertAccount(write, values));
}

/** Creates an account where there is none yet, else null. Processes that do so at once make one. */
export function createFirstAccount(
  database: Database,
  values: Insertable<AccountTable>,
): Promise<AccountState | null> {
  return writing(database, async (write) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.firstAccount})`.execute(write);
    const any = await write
      .selectFrom("account")
      .select("accountId")
      .where("accountId", "<>", ANONYMOUS)
      .limit(1)
      .executeTakeFirst();
    return any ? null : insertAccount(write, values);
  });
}

async function insertAccount(write: Write, values: Insertable<AccountTable>): Promise<AccountState> {
  const account = await write.insertInto("account").values(values).returningAll().executeTakeFirstOrThrow();
  const { accountId } = account;
  await write.insertInto("accountCall").values({ accountId }).execute();
  await write
    .insertInto("ledgerHead")
    .values([
      { accountId, ledger: "custody" },
      { accountId, ledger: "usage" },
    ])
    .execute();
  return { account, held: { registrations: 0, lookups: 0 }, callCount: 0 };
}

/** An account by id. @throws Refusal accountNotFound */
export async function readAccount(read: Read, accountId: string): Promise<AccountState> {
  if (!isAccountId(accountId)) throw refuse("accountNotFound");
  const state = (await readAccounts(read, [accountId])).get(accountId.toLowerCase());
  if (!state) throw refuse("accountNotFound");
  return state;
}

/** Accounts by their ids. */
export async function readAccounts(
  read: Read,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, AccountState>> {
  const rows = await accountStates(read).where("account.accountId", "in", accountIds).execute();
  return new Map(rows.map((row) => [row.accountId, stateOf(row)]));
}

/** Every account, in order of creation. */
export async function listAccounts(read: Read): Promise<readonly AccountState[]> {
  const rows = await accountStates(read)
    .where("account.accountId", "<>", ANONYMOUS)
    .orderBy("account.createdAt")
    .orderBy("account.accountId")
    .execute();
  return rows.map(stateOf);
}

/** The accounts that are suspended, in order of creation, and since when. */
export function suspendedAccounts(read: Read): Promise<readonly { accountId: string; suspendedAt: Date }[]> {
  return read
    .selectFrom("account")
    .select(["accountId", "suspendedAt"])
    .where("suspendedAt", "is not", null)
    .$narrowType<{ suspendedAt: Date }>()
    .orderBy("createdAt")
    .orderBy("accountId")
    .execute();
}

/** Sets what is named, absolutely, and leaves the rest. @throws Refusal accountNotFound */
export async function updateAccount(
  database: Database,
  accountId: string,
  settings: AccountSettings,
): Promise<AccountState> {
  if (isAccountId(accountId) && Object.keys(settings).length > 0) {
    await database.updateTable("account").set(settings).where("accountId", "=", accountId).execute();
  }
  return readAccount(database, accountId);
}

/** Suspends an account, or resumes it. @returns whether that changed anything */
export async function suspend(write: Write, accountId: string, suspended: boolean): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable("account")
    .set({ suspendedAt: suspended ? sql<Date>`now()` : null })
    .where("accountId", "=", accountId)
    .where("suspendedAt", suspended ? "is" : "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface AccountStateRow extends Account, Units {
  readonly callCount: number;
}

function heldOf(kind: SlotTable["kind"]): RawBuilder<number> {
  return sql`coalesce(sum(held) filter (where kind = ${kind}), 0)::bigint`;
}

/** Accounts, each with its calls and what its live open slots hold. */
function accountStates(read: Read) {
  return read
    .selectFrom("account")
    .innerJoin("accountCall", "accountCall.accountId", "account.accountId")
    .leftJoin("slot", (join) =>
      join.onRef("slot.accountId", "=", "account.accountId").on("status", "=", "open").on(isLive),
    )
    .selectAll("account")
    .select(["callCount", heldOf("registration").as("registrations"), heldOf("lookup").as("lookups")])
    .groupBy(["account.accountId", "callCount"]);
}

function stateOf({ callCount, registrations, lookups, ...account }: AccountStateRow): AccountState {
  return { account, held: { registrations, lookups }, callCount };
}
