import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccount } from "../../src/store/accounts/accounts.ts";
import { lockAccount } from "../../src/store/accounts/grants.ts";
import { lookupCharge } from "../../src/store/custody/charges.ts";
import { pixelsErased } from "../../src/store/custody/events.ts";
import { custodyLedger, usageLedger } from "../../src/store/custody/ledgers.ts";
import { type Intent, IntentLost, Intents } from "../../src/store/custody/intents.ts";
import { writing } from "../../src/store/database.ts";
import { IndexDatabase } from "../support/index-database.ts";

const LOOK_UP = { registrations: 0, lookups: 1 };
const GRANT = 7;
const ASKING = 10;

let index: IndexDatabase;
let intents: Intents;

beforeAll(async () => {
  index = await IndexDatabase.start();
  intents = new Intents(index.database, 1);
});

afterAll(() => index[Symbol.asyncDispose]());

async function account(): Promise<string> {
  const values = { name: null, maxRequestBytes: 1, maxFramesPerSequence: 1, lookupGrant: GRANT };
  return (await createAccount(index.database, values)).account.accountId;
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

function pixels(byteLength: number): { subject: "queryImage"; imageHash: Buffer; byteLength: number } {
  return { subject: "queryImage", imageHash: Buffer.alloc(32, byteLength), byteLength };
}

function settlementOf({ accountId, pixels: held }: Intent): Parameters<Intents["close"]>[1] {
  return {
    spent: LOOK_UP,
    usage: [lookupCharge(accountId, Buffer.alloc(32, 1), null)],
    custody: held === null ? [] : [pixelsErased(accountId, held, true)],
  };
}

/** Has everything of the account that is asked for by `ask` wait until all of it is. */
async function atOnce<Answer>(
  accountId: string,
  ask: () => readonly Promise<Answer>[],
): Promise<PromiseSettledResult<Answer>[]> {
  const { answers } = await writing(index.database, async (write) => {
    await lockAccount(write, accountId);
    return { answers: Promise.allSettled(ask()) };
  });
  return answers;
}

async function consumed(accountId: string): Promise<number> {
  return writing(index.database, async (write) => (await lockAccount(write, accountId)).lookupConsumed);
}

function taken(results: readonly PromiseSettledResult<Intent>[]): Intent[] {
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

it("what is taken at once shares transactions, and a refusal is the one caller's", async () => {
  const accountId = await account();
  const results = await atOnce(accountId, () =>
    Array.from({ length: ASKING }, (_, n) => intents.take(accountId, LOOK_UP, pixels(n + 1))),
  );
  const held = taken(results);
  expect(held).toHaveLength(GRANT);
  for (const result of results.slice(GRANT)) {
    expect(result).toMatchObject({ reason: { code: "quotaExceeded" } });
  }
  const { rows } = await sql<{ transactions: number; intents: number }>`
    select count(distinct xmin::text)::int as transactions, count(*)::int as intents
    from engine_intent where account_id = ${accountId}`.execute(index.database);
  expect(rows).toEqual([{ transactions: 2, intents: GRANT }]);
  expect(await consumed(accountId)).toBe(GRANT);
  const received = await all(custodyLedger(index.database, accountId));
  expect(received.map(({ byteLength }) => byteLength)).toEqual(held.map((_, n) => n + 1));
});

it("an intent that is lost, and an answer that is refused, change nothing of what is settled beside them", async () => {
  const accountId = await account();
  const held = taken(
    await Promise.allSettled(
      Array.from({ length: 5 }, (_, n) => intents.take(accountId, LOOK_UP, pixels(n + 1))),
    ),
  );
  const [, lost, refused] = held as [Intent, Intent, Intent];
  await sql`delete from engine_intent where intent_id = ${lost.intentId}`.execute(index.database);
  const refusal = await intents
    .take(accountId, { registrations: 0, lookups: 100 }, null)
    .catch((e: unknown) => e);
  const results = await atOnce(accountId, () =>
    held.map((intent) =>
      intents.answer(intent, settlementOf(intent), async () => {
        if (intent === refused) throw refusal;
        return intent.intentId;
      }),
    ),
  );
  const [first, , , ...last] = held.map(({ intentId }) => intentId);
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : result.reason))).toEqual([
    first,
    expect.any(IntentLost),
    refusal,
    ...last,
  ]);
  const used = await all(usageLedger(index.database, accountId));
  expect(used).toHaveLength(3);
  const { rows } =
    await sql`select intent_id as id from engine_intent where account_id = ${accountId}`.execute(
      index.database,
    );
  expect(rows).toEqual([{ id: refused.intentId }]);
});

it("what fails of the database fails for all that share the transaction, and is undone for all", async () => {
  const accountId = await account();
  const held = taken(
    await Promise.allSettled(Array.from({ length: 3 }, () => intents.take(accountId, LOOK_UP, null))),
  );
  const results = await atOnce(accountId, () =>
    held.map((intent, n) =>
      intents.answer(intent, settlementOf(intent), async (read) => {
        if (n === 2) await sql`select 1 / 0`.execute(read);
      }),
    ),
  );
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { reason: { code: "22012" } },
    { reason: { code: "22012" } },
  ]);
  expect(await all(usageLedger(index.database, accountId))).toHaveLength(1);
});
