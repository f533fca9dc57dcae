import { randomUUID } from "node:crypto";
import { type CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccount } from "../../src/store/accounts/accounts.ts";
import { lockAccount } from "../../src/store/accounts/grants.ts";
import { custodyLedger, usageLedger } from "../../src/store/custody/ledgers.ts";
import { Intents } from "../../src/store/custody/intents.ts";
import { type Write, writing } from "../../src/store/database.ts";
import { IndexDatabase } from "../support/index-database.ts";

let index: IndexDatabase;
let accountId: string;

beforeAll(async () => {
  index = await IndexDatabase.start();
  const values = { name: null, maxRequestBytes: 1, maxFramesPerSequence: 1, lookupGrant: 9_000 };
  ({ accountId } = (await createAccount(index.database, values)).account);
});

afterAll(() => index[Symbol.asyncDispose]());

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const prepared = async (write: Write): Promise<string[]> =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(write)).rows.map(
    ({ statement }) => statement,
  );

it("a statement is prepared once on each connection, but not one that answers whatever columns there are", async () => {
  await writing(index.database, async (write) => {
    for (let round = 0; round < 8; round += 1) {
      expect((await lockAccount(write, accountId)).lookupGrant).toBe(9_000);
      await sql`select * from account where account_id = ${accountId}`.execute(write);
      await sql`select account.* from account where account_id = ${accountId}`.execute(write);
    }
    const own = (await prepared(write)).filter((text) => /from "?account/.test(text));
    // The first of a transaction leaves its mark as well.
    expect(own.toSorted()).toEqual([
      expect.stringMatching(/^select .* from "account"/),
      expect.stringMatching(/^with "marked" as .* from "account"/),
    ]);
  });
});

it("what is prepared goes on answering once a later version has added a column", async () => {
  const asked = (): Promise<(number | undefined)[]> =>
    writing(index.database, async (write) => {
      const rows = await write.selectFrom("account").selectAll().where("accountId", "=", accountId).execute();
      return [await lockAccount(write, accountId), ...rows].map(({ lookupGrant }) => lookupGrant);
    });
  expect(await asked()).toEqual([9_000, 9_000]);
  await sql`alter table account add column of_later int`.execute(index.database);
  expect(await asked()).toEqual([9_000, 9_000]);
  await sql`alter table account drop column of_later`.execute(index.database);
  expect(await asked()).toEqual([9_000, 9_000]);
});

it("statements of any length answer, and take no more names than there are for them", async () => {
  const many = (rows: number): CompiledQuery =>
    sql`select ${sql.join(Array.from({ length: rows }, (_, n) => sql`${n}::int`))}`.compile(index.database);
  await writing(index.database, async (write) => {
    for (let rows = 1; rows <= 400; rows += 1) {
      const [answer] = (await write.executeQuery(many(rows))).rows;
      expect(answer).toBeDefined();
    }
    expect((await prepared(write)).length).toBeLessThan(300);
  });
});

it("more rows of a ledger than one statement takes are chained in their order", async () => {
  const intents = new Intents(index.database, 1);
  const intent = await intents.take(accountId, { registrations: 0, lookups: 3 }, null);
  const count = 2_500;
  const custody = Array.from({ length: count }, (_, n) => ({
    accountId,
    kind: "received" as const,
    subject: "packet" as const,
    byteLength: n,
  }));
  const usage = Array.from({ length: count }, () => ({
    accountId,
    kind: "lookup" as const,
    units: 1,
    registrationId: randomUUID(),
  }));
  await intents.close(intent, { spent: { registrations: 0, lookups: 2 }, usage, custody });
  const ledger = await all(custodyLedger(index.database, accountId));
  expect(ledger.map(({ byteLength }) => byteLength)).toEqual(custody.map(({ byteLength }) => byteLength));
  expect(ledger.map(({ seq }) => seq)).toEqual(custody.map((_, n) => n + 1));
  const used = await all(usageLedger(index.database, accountId));
  expect(used.map(({ registrationId }) => registrationId)).toEqual(
    usage.map(({ registrationId }) => registrationId),
  );
  await writing(index.database, async (write) => {
    expect((await lockAccount(write, accountId)).lookupConsumed).toBe(2);
  });
});
