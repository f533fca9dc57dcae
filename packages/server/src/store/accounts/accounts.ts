import { createHash, randomBytes } from "node:crypto";
import { refuse } from "@colophon/contract";
import { isUuid } from "@colophon/formats";
import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import { type Database, type Read, type Write, writing } from "../database.ts";
import { LOCKS } from "../locks.ts";
import { ANONYMOUS, isAnonymous } from "./anonymous.ts";
import { ACCOUNT, type Account, type AccountSlots, isLive, slotsOf, type Units } from "./grants.ts";
import type { AccountTable, TokenTable } from "../tables/tables.ts";

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

interface AccountStateRow extends Account, Units {
  readonly callCount: number;
}

function heldOf(kind: "registration" | "lookup"): RawBuilder<number> {
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

/** Mints a token; its text is returned once and only its SHA-256 kept. @throws Refusal accountNotFound */
export async function mintToken(
  database: Database,
  accountId: string,
  label: string | null,
): Promise<{ tokenId: string; token: string }> {
  await readAccount(database, accountId);
  const token = `clp_${randomBytes(32).toString("base64url")}`;
  const { tokenId } = await database
    .insertInto("token")
    .values({ accountId, label, tokenHash: tokenHash(token) })
    .returning("tokenId")
    .executeTakeFirstOrThrow();
  return { tokenId, token };
}

/** The account's tokens, revoked ones included, in order of creation. @throws Refusal accountNotFound */
export async function listTokens(read: Read, accountId: string): Promise<readonly Selectable<TokenTable>[]> {
  await readAccount(read, accountId);
  return read
    .selectFrom("token")
    .selectAll()
    .where("accountId", "=", accountId)
    .orderBy("createdAt")
    .orderBy("tokenId")
    .execute();
}

/** Revokes a token for every process at once; idempotent. @throws Refusal accountNotFound, tokenNotFound */
export async function revokeToken(database: Database, accountId: string, tokenId: string): Promise<void> {
  await readAccount(database, accountId);
  if (!isUuid(tokenId)) throw refuse("tokenNotFound");
  const { numUpdatedRows } = await database
    .updateTable("token")
    .set((row) => ({ revokedAt: row.fn.coalesce("revokedAt", sql<Date>`now()`) }))
    .where("accountId", "=", accountId)
    .where("tokenId", "=", tokenId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw refuse("tokenNotFound");
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

/** Sets when a token of the account expires; null: never. @returns whether there is such a token */
export async function setTokenExpiry(
  database: Database,
  accountId: string,
  tokenId: string,
  expiresAt: Date | null,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("token")
    .set({ expiresAt })
    .where("accountId", "=", accountId)
    .where("tokenId", "=", tokenId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** SHA-256 of a token's text: what is stored of it. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** What a token opens. */
export interface OpenedToken {
  readonly tokenId: string;
  readonly account: Account;
  /** Of the account. */
  readonly slots: AccountSlots;
}

/** The accounts that tokens open, by the hash of the token in hex; unknown, revoked and expired ones open none, nor do those of a suspended account. */
export async function accountsOfTokens(
  read: Read,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, OpenedToken>> {
  const { rows } = await sql<Account & AccountSlots & { hash: string; tokenId: string }>`
    select ${sql.join(ACCOUNT.map((column) => sql.ref(`account.${column}`)))},
      encode(token_hash, 'hex') as hash, token_id,
      registration_slots, registration_held, lookup_slots, lookup_held
    from token join account using (account_id)
      cross join lateral (${slotsOf(sql.ref("account.accountId"))}) slots
    where token_hash = any (select decode(hash, 'hex') from unnest(${hashes}::text[]) as asked (hash))
      and revoked_at is null and (expires_at is null or expires_at > now()) and suspended_at is null`.execute(
    read,
  );
  return new Map(
    rows.map(
      ({ hash, tokenId, registrationSlots, registrationHeld, lookupSlots, lookupHeld, ...account }) => {
        const slots = { registrationSlots, registrationHeld, lookupSlots, lookupHeld };
        return [hash, { tokenId, account, slots }] as const;
      },
    ),
  );
}

/** Calls that were answered: how many by account, and when each token was last used. */
export interface CountedCalls {
  readonly calls: Map<string, number>;
  readonly tokens: Map<string, Date>;
}

/**
 * Adds calls to their accounts' counts. `last_used_at` moves at most once a minute, so that a busy token's row is not
 * rewritten every second. Nothing waits for the disk: a database that crashes may lose the last of it.
 */
export async function addCalls(database: Database, { calls, tokens }: CountedCalls): Promise<void> {
  // In one order, so that processes do not wait for each other's rows in a circle.
  const counts = [...calls].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const uses = [...tokens].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await sql`
    with unhurried as materialized (
      select set_config('synchronous_commit', 'off', true)
    ), counted as (
      update account_call set call_count = call_count + added.calls
      from unnest(${counts.map(([id]) => id)}::uuid[], ${counts.map(([, times]) => times)}::bigint[])
        as added (account_id, calls)
      where account_call.account_id = added.account_id
    ), used as (
      update token set last_used_at = seen.at
      from unnest(${uses.map(([id]) => id)}::uuid[], ${uses.map(([, at]) => at)}::timestamptz[])
        as seen (token_id, at)
      where token.token_id = seen.token_id
        and (last_used_at is null or last_used_at < seen.at - interval '1 minute')
    )
    select from unhurried`.execute(database);
}
