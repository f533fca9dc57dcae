import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, readAccount } from "../../src/store/accounts/accounts.ts";
import { CallCounter } from "../../src/store/accounts/call-counter.ts";
import { MOST_WAITING, TokenResolver } from "../../src/store/accounts/token-resolver.ts";
import { accountsOfTokens, listTokens, mintToken, revokeToken } from "../../src/store/accounts/tokens.ts";
import { type Database, writing } from "../../src/store/database.ts";
import { IndexDatabase } from "../support/index-database.ts";

let held: IndexDatabase;
let database: Database;
let accountId: string;
let tokens: readonly { tokenId: string; token: string }[];

beforeAll(async () => {
  held = await IndexDatabase.start();
  ({ database } = held);
  const values = { name: null, maxRequestBytes: 1, maxFramesPerSequence: 1 };
  ({ accountId } = (await createAccount(database, values)).account);
  tokens = await Promise.all([1, 2, 3].map(() => mintToken(database, accountId, null)));
});

afterAll(async () => {
  await held[Symbol.asyncDispose]();
});

describe("tokens", () => {
  test("open their account, known and unknown ones asked for at once", async () => {
    const resolver = new TokenResolver((hashes) => accountsOfTokens(database, hashes));
    const asked = [
      ...tokens.map(({ token }) => token),
      "clp_unknown",
      "",
      ...tokens.map(({ token }) => token),
    ];
    const opened = await Promise.all(asked.map((token) => resolver.resolve(token)));
    const ids = tokens.map(({ tokenId }) => tokenId);
    expect(opened.map((one) => one?.tokenId ?? null)).toEqual([...ids, null, null, ...ids]);
    expect(opened[0]?.account).toMatchObject({ accountId, lookupGrant: 0 });
    expect(opened[0]?.account).not.toHaveProperty("hash");
  });

  test("open nothing once revoked, by whichever process", async () => {
    const resolver = new TokenResolver((hashes) => accountsOfTokens(database, hashes));
    const { token, tokenId } = await mintToken(database, accountId, null);
    expect(await resolver.resolve(token)).not.toBeNull();
    await revokeToken(database, accountId, tokenId);
    expect(await resolver.resolve(token)).toBeNull();
  });

  test("wait in a bounded number, and all of them are answered", async () => {
    const resolver = new TokenResolver((hashes) => accountsOfTokens(database, hashes));
    const [known = ""] = tokens.map(({ token }) => token);
    const waiting = await writing(database, async (write) => {
      await sql`lock table token in access exclusive mode`.execute(write);
      const asked = Array.from({ length: MOST_WAITING - 1 }, (_, i) => resolver.resolve(`clp_${i}`));
      asked.push(resolver.resolve(known));
      await expect(resolver.resolve(known)).rejects.toMatchObject({
        code: "serviceUnavailable",
        extensions: { retryAfterSeconds: 1 },
      });
      return { asked };
    });
    const opened = await Promise.all(waiting.asked);
    expect(opened.filter((one) => one !== null)).toHaveLength(1);
    expect(await resolver.resolve(known)).not.toBeNull();
  });

  test("that could not be looked up say so, and are looked up the next time", async () => {
    const resolver = new TokenResolver((hashes) => accountsOfTokens(database, hashes));
    await sql`alter table token rename to away`.execute(database);
    const failed = await Promise.allSettled(tokens.map(({ token }) => resolver.resolve(token)));
    await sql`alter table away rename to token`.execute(database);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await resolver.resolve(tokens[0]?.token ?? "")).not.toBeNull();
  });
});

/** The account's calls as the database has them. */
async function counted(): Promise<number> {
  return (await readAccount(database, accountId)).callCount;
}

describe("calls", () => {
  test("are all there once settled, however many ask for it meanwhile", async () => {
    await using calls = new CallCounter(database);
    const [{ tokenId } = { tokenId: "" }] = tokens;
    const before = await counted();
    await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        calls.count(accountId, tokenId);
        if (i % 3 > 0) await new Promise((resolve) => setImmediate(resolve));
        await calls.settle();
        expect(await counted()).toBeGreaterThan(before);
      }),
    );
    expect(await counted()).toBe(before + 300);
    const used = (await listTokens(database, accountId)).find((token) => token.tokenId === tokenId);
    expect(used?.lastUsedAt).toBeInstanceOf(Date);
  });

  test("are kept while the database does not take them, and written at the end", async () => {
    const before = await counted();
    {
      await using calls = new CallCounter(database);
      const [{ tokenId } = { tokenId: "" }] = tokens;
      calls.count(accountId, tokenId);
      await sql`alter table account_call rename to away`.execute(database);
      await expect(calls.settle()).rejects.toThrow("account_call");
      calls.count(accountId, tokenId);
      await sql`alter table away rename to account_call`.execute(database);
    }
    expect(await counted()).toBe(before + 2);
  });

  test("of two processes add up", async () => {
    const before = await counted();
    const [{ tokenId } = { tokenId: "" }] = tokens;
    await Promise.all(
      [1, 2].map(async () => {
        await using calls = new CallCounter(database);
        for (let call = 0; call < 100; call += 1) {
          calls.count(accountId, tokenId);
          if (call % 10 === 0) await calls.settle();
        }
      }),
    );
    expect(await counted()).toBe(before + 200);
  });
});
