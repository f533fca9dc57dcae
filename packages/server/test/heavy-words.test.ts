import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase, writing } from "../src/store/database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres.ts";
import { affordableWords, searchHeavyWords } from "../src/store/heavy-words.ts";
import { ensurePartition, insertFeatures, retrieveCandidates } from "../src/store/match-index.ts";
import { migrate } from "../src/store/migrate.ts";
import { insertOriginals } from "../src/store/originals.ts";

const MEMBERS = 2_500;
/** Words of the template; fifty of them are more postings than a look-up reads. */
const TEMPLATE = Array.from({ length: 50 }, (_, n) => 1_000_000 + n);
/** Words that one member alone has. */
const OWN = 2;

const ended = new AsyncDisposableStack();
let database: Database;
let accountId: string;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-heavy-"));
  ended.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log = { info: () => undefined, warn: () => undefined };
  const server = ended.use(await startEmbeddedPostgres({ dataDir, log }));
  database = openDatabase(server.connection, 4, () => undefined);
  ended.defer(() => database.destroy());
  await migrate(database);
  await ensurePartition(database);
  const account = await database
    .insertInto("account")
    .values({ name: null, max_request_bytes: 1, max_frames_per_sequence: 1 })
    .returning("account_id")
    .executeTakeFirstOrThrow();
  accountId = account.account_id;
  for (let member = 0; member < MEMBERS; member += 500) await register(member, 500);
});

afterAll(() => ended.disposeAsync());

function wordsOf(member: number): number[] {
  return [...TEMPLATE, ...Array.from({ length: OWN }, (_, n) => OWN * member + n)];
}

/** Registers members of the family; the n-th is original n + 1. */
async function register(from: number, count: number): Promise<void> {
  await writing(database, async (write) => {
    const hashes = Array.from({ length: count }, (_, n) => {
      const imageHash = randomBytes(32);
      imageHash.writeUInt32BE(from + n);
      return imageHash;
    });
    const numbers = await insertOriginals(
      write,
      accountId,
      hashes.map((imageHash) => ({ imageHash, originalImageHash: imageHash, pixelHash: imageHash })),
    );
    await insertFeatures(
      write,
      hashes.map((imageHash, n) => ({
        imageNo: numbers.get(imageHash.toString("hex")) ?? 0,
        packet: Buffer.from("sealed"),
        packetVersion: 1,
        words: Int32Array.from(wordsOf(from + n)),
      })),
    );
  });
}

async function heavyWords(): Promise<readonly { word: number; postings: number }[]> {
  const { rows } = await sql<{ word: number; postings: number }>`select word, postings from heavy_word
    order by word`.execute(database);
  return rows;
}

describe("words that one family of originals made heavy", () => {
  it("are all asked for until they have been found", async () => {
    expect(await affordableWords(database, Int32Array.from(wordsOf(7)))).toHaveLength(TEMPLATE.length + OWN);
  });

  it("are found by processes that search at once, each counted once, and all of them alone", async () => {
    const found = await Promise.all([searchHeavyWords(database), searchHeavyWords(database)]);
    expect(found.toSorted((a, b) => a - b)).toEqual([0, TEMPLATE.length]);
    expect(await heavyWords()).toEqual(TEMPLATE.map((word) => ({ word, postings: MEMBERS })));
    expect(await searchHeavyWords(database)).toBe(0);
    expect(await searchHeavyWords(database)).toBe(0);
    expect(await heavyWords()).toHaveLength(TEMPLATE.length);
  });

  it("are read only as far as the allowance goes", async () => {
    const words = await affordableWords(database, Int32Array.from(wordsOf(7)));
    const { rows } = await sql<{ touched: number }>`select count(*)::int as touched from posting
      where word = any(${words}::int[])`.execute(database);
    expect(words).toHaveLength(40 + OWN);
    expect(rows[0]?.touched).toBe(40 * MEMBERS + OWN);
  });

  it("still retrieve the members, ranked by what sets them apart", async () => {
    const query = Int32Array.from([...TEMPLATE, OWN * 2_345]);
    const candidates = await retrieveCandidates(database, query, new Set());
    expect(candidates[0]?.imageNo).toBe(2_346);
    expect(candidates).toHaveLength(500);
  });

  it("are forgotten within a day after most of the family was taken down", async () => {
    await sql`delete from posting where image_no <= ${MEMBERS - 900}`.execute(database);
    expect(await searchHeavyWords(database)).toBe(0);
    await sql`update heavy_word set counted_at = counted_at - interval '25 hours'`.execute(database);
    expect(await searchHeavyWords(database)).toBe(TEMPLATE.length);
    expect(await heavyWords()).toEqual([]);
  });
});
