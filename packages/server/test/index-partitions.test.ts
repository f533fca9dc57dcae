import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../src/store/database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres.ts";
import { ensurePartition } from "../src/store/match-index.ts";
import { migrate } from "../src/store/migrate.ts";

const ended = new AsyncDisposableStack();
let database: Database;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-partitions-"));
  ended.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log = { info: () => undefined, warn: () => undefined };
  const server = ended.use(await startEmbeddedPostgres({ dataDir, log }));
  database = openDatabase(server.connection, 4, () => undefined);
  ended.defer(() => database.destroy());
  await migrate(database);
});

afterAll(() => ended.disposeAsync());

async function partitions(): Promise<readonly string[]> {
  const { rows } = await sql<{ partition: string }>`
    select relname || ' ' || pg_get_expr(relpartbound, oid) as partition
    from pg_class join pg_inherits on inhrelid = oid where inhparent = 'posting'::regclass order by relname`.execute(
    database,
  );
  return rows.map(({ partition }) => partition);
}

/** Lets one original with this number exist. */
async function numbersReach(imageNo: number): Promise<void> {
  await sql`insert into account (max_request_bytes, max_frames_per_sequence) values (1, 1)`.execute(database);
  await sql`insert into original (image_no, original_image_hash, image_hash, pixel_hash, account_id)
    overriding system value
    select ${imageNo}, hash, hash, hash, account_id
    from account, sha256(${String(imageNo)}::bytea) as hash limit 1`.execute(database);
}

it("partitions of the postings are made once by processes that start together, and in good time", async () => {
  await Promise.all([ensurePartition(database), ensurePartition(database)]);
  expect(await partitions()).toEqual(["posting_0 FOR VALUES FROM (0) TO (1000000)"]);
  await numbersReach(749_999);
  await ensurePartition(database);
  expect(await partitions()).toHaveLength(1);
  await numbersReach(750_000);
  await ensurePartition(database);
  await ensurePartition(database);
  expect(await partitions()).toEqual([
    "posting_0 FOR VALUES FROM (0) TO (1000000)",
    "posting_1 FOR VALUES FROM (1000000) TO (2000000)",
  ]);
});

it("the next partition follows the last one though old ones were divided", async () => {
  await sql`alter table posting detach partition posting_0`.execute(database);
  await sql`create table posting_old partition of posting for values from (0) to (400000)`.execute(database);
  await sql`alter table posting attach partition posting_0 for values from (400000) to (1000000)`.execute(
    database,
  );
  await numbersReach(1_800_000);
  await ensurePartition(database);
  expect(await partitions()).toEqual([
    "posting_0 FOR VALUES FROM (400000) TO (1000000)",
    "posting_1 FOR VALUES FROM (1000000) TO (2000000)",
    "posting_2 FOR VALUES FROM (2000000) TO (3000000)",
    "posting_old FOR VALUES FROM (0) TO (400000)",
  ]);
});
