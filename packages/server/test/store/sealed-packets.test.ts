import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writing } from "../../src/store/database.ts";
import { deleteFeatures, retrieveCandidates } from "../../src/store/index/match-index.ts";
import { fillRankingParts, type Unranked } from "../../src/store/index/ranking-parts.ts";
import { sealedPackets } from "../../src/store/originals/sealed-packets.ts";
import { IndexDatabase } from "../support/index-database.ts";

let index: IndexDatabase;
/** Sizes around those at which a value leaves its row, and at which the stream is cut into pieces. */
const packets = [0, 1, 900, 2_100, 8_191, 16_000, 70_000, 300_000].map((size) => randomBytes(size));

beforeAll(async () => {
  index = await IndexDatabase.start();
  await index.register(packets.map((_, n) => [n]));
  for (const [n, packet] of packets.entries()) {
    await sql`update feature set packet = ${packet} where image_no = ${n + 1}`.execute(index.database);
  }
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

it("originals without a ranking part are given theirs once, in turns, but for those whose packet cannot be read", async () => {
  const seen: number[] = [];
  const make = async ({ imageNo, packet, words }: Unranked): Promise<Buffer | null> => {
    expect(packet.equals(packets[imageNo - 1]!)).toBe(true);
    seen.push(imageNo);
    return imageNo === 2 ? null : Buffer.from(`part of ${words.join()}`);
  };
  const broken = fillRankingParts(index.database, () => Promise.reject(new Error("It was interrupted.")));
  await expect(broken).rejects.toThrow("It was interrupted.");
  const made = await Promise.all([1, 2].map(() => fillRankingParts(index.database, make)));
  expect(made.toSorted((a, b) => a - b)).toEqual([0, packets.length - 1]);
  expect(seen.toSorted((a, b) => a - b)).toEqual(packets.map((_, n) => n + 1));

  await index.register([[1, 2, 3, 4]]);
  await sql`insert into recent_posting select unnest(array[1, 2]), 3`.execute(index.database);
  const found = await retrieveCandidates(index.database, Int32Array.of(1, 2, 3, 4), new Set());
  const own = packets.length + 1;
  expect(found.map(({ imageNo, part }) => [imageNo, part?.toString() ?? null])).toEqual([
    [own, null],
    [3, "part of 2"],
  ]);
  await writing(index.database, (write) => deleteFeatures(write, [3]));
  const { rows } = await sql`select from ranking_part where image_no = 3`.execute(index.database);
  expect(rows).toHaveLength(0);
});
