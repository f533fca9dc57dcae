import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sealedPackets } from "../../src/store/originals/sealed-packets.ts";
import { IndexDatabase } from "../support/index-database.ts";

let index: IndexDatabase;
/** Sizes around those at which a value leaves its row, and at which the stream is cut into pieces. */
const packets = [0, 1, 900, 2_100, 8_191, 16_000, 70_000, 300_000].map((size) => randomBytes(size));

beforeAll(async () => {
  index = await IndexDatabase.start();
  await index.register(packets.map((_, n) => [n]));
  for (const [n, packet] of packets.entries())
    await sql`update feature set packet = ${packet} where image_no = ${n + 1}`.execute(index.database);
});

afterAll(() => index[Symbol.asyncDispose]());

it("sealed packets come byte for byte, without those of originals that are not there", async () => {
  const found = await sealedPackets(index.database, [999, ...packets.map((_, n) => packets.length - n)]);
  expect(found.size).toBe(packets.length);
  for (const [n, packet] of packets.entries()) expect(found.get(n + 1)?.equals(packet)).toBe(true);
  expect((await sealedPackets(index.database, [])).size).toBe(0);
});

it("a connection that breaks while packets are read fails that reading alone", async () => {
  const blocked = await index.database.startTransaction().execute();
  await sql`lock table feature`.execute(blocked);
  const broken = sealedPackets(index.database, [1]).catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where query like 'copy %' and wait_event_type = 'Lock'`.execute(index.database);
      return rows.length;
    })
    .toBe(1);
  expect(await broken).toBeInstanceOf(Error);
  await blocked.rollback().execute();
  expect((await sealedPackets(index.database, [3])).get(3)?.equals(packets[2]!)).toBe(true);
});
