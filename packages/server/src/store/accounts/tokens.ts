import { createHash, randomBytes } from "node:crypto";
import { refuse } from "@colophon/contract";
import { isUuid } from "@colophon/formats";
import { type Selectable, sql, type UpdateObject } from "kysely";
import type { Database, Read } from "../database.ts";
import type { Tables, TokenTable } from "../tables/tables.ts";
import { readAccount } from "./accounts.ts";
import { ACCOUNT, type Account, type AccountSlots, slotsOf } from "./grants.ts";

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
export function revokeToken(database: Database, accountId: string, tokenId: string): Promise<void> {
  return changeToken(database, accountId, tokenId, { revokedAt: sql<Date>`coalesce(revoked_at, now())` });
}

/** Sets when a token of the account expires; null: never. @throws Refusal accountNotFound, tokenNotFound */
export function setTokenExpiry(
  database: Database,
  accountId: string,
  tokenId: string,
  expiresAt: Date | null,
): Promise<void> {
  return changeToken(database, accountId, tokenId, { expiresAt });
}

async function changeToken(
  database: Database,
  accountId: string,
  tokenId: string,
  values: UpdateObject<Tables, "token">,
): Promise<void> {
  await readAccount(database, accountId);
  if (!isUuid(tokenId)) throw refuse("tokenNotFound");
  const { numUpdatedRows } = await database
    .updateTable("token")
    .set(values)
    .where("accountId", "=", accountId)
    .where("tokenId", "=", tokenId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw refuse("tokenNotFound");
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

/**
 * The accounts that tokens open, by the hash of the token in hex; unknown, revoked and expired ones open none, nor do
 * those of a suspended account.
 */
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
