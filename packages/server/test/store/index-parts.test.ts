import { chmod } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { OwnPostgres } from "../../../../trials/support/own-postgres.ts";
import { STANDING_RULES } from "../../src/fsck/rules.ts";
import { runIndexStatus } from "../../src/split/run-index-status.ts";
import { runJoin, runSplit } from "../../src/split/run-split.ts";
import { writing } from "../../src/store/database.ts";
import { databaseFault } from "../../src/store/database-fault.ts";
import { deleteFeatures, retrieveCandidates } from "../../src/store/index/match-index.ts";
import { postingsOf as statementOf, readPostings } from "../../src/store/index/postings.ts";
import { elected } from "../../src/store/index/vote.ts";
import { gatherPostings } from "../../src/store/index/posting-lists.ts";
import { removeElsewhere } from "../../src/store/index/posting-removals.ts";
import { IndexDatabase } from "../support/index-database.ts";
import { TlsFront } from "../support/tls-front.ts";

const ROUND = 800;
/** Two rounds, and the next one not yet due: the first 1,600 numbers are in lists. */
const ORIGINALS = 2_000;
const LISTED = 2 * ROUND;
const WORDS = 40;
const VOCABULARY = 4_000;
/** Words that every original has: together more than a look-up reads of lists. */
const COMMON = Array.from({ length: 45 }, (_, n) => 100_000 + n);
/** On the first of the two servers, on the second, and on the service's own. */
const WITNESSES = [7, 500, 900, 1_500, 1_700] as const;

const random = seededRandom(11);
const words = Array.from({ length: ORIGINALS }, () => [
  ...new Set(Array.from({ length: WORDS }, () => Math.floor((random() - 0.2) * VOCABULARY))),
  ...COMMON,
]);

let index: IndexDatabase;
let steady: OwnPostgres;
let mortal: OwnPostgres;
let before: readonly (readonly number[])[];

beforeAll(async () => {
  [index, steady, mortal] = await Promise.all([
    IndexDatabase.start(),
    OwnPostgres.start(),
    OwnPostgres.start(),
  ]);
  // Where root starts the servers they run as another user, who reaches the others' sockets.
  for (const { dataDir } of [steady, mortal]) await chmod(dataDir, 0o711);
  await index.register(words);
  while ((await gatherPostings(index.database, ROUND)) > 0);
  before = await answers();
});

afterAll(async () => {
  await Promise.all([index, steady, mortal].map((held) => held[Symbol.asyncDispose]()));
});

function own(imageNo: number): readonly number[] {
  return (words[imageNo - 1] ?? []).filter((word) => !COMMON.includes(word));
}

/**
 * Whom a look-up by the words of each witness finds, by number: how rare a word is, and with it their order, changes
 * with every take-down.
 */
async function answers(): Promise<readonly (readonly number[])[]> {
  return (await ranked()).map((found) => found.toSorted((a, b) => a - b));
}

/** The same, best first. */
function ranked(): Promise<readonly (readonly number[])[]> {
  return Promise.all(
    WITNESSES.map(async (imageNo) => {
      const found = await retrieveCandidates(index.database, Int32Array.from(own(imageNo)), new Set());
      return found.map((candidate) => candidate.imageNo);
    }),
  );
}

async function postingsOf(imageNo: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from posting
    where image_no = ${imageNo}`.execute(index.database);
  return rows[0]?.count ?? 0;
}

const takeDown = (imageNo: number): Promise<void> =>
  writing(index.database, async (write) => {
    await sql`update original set taken_down_at = now() where image_no = ${imageNo}`.execute(write);
    await deleteFeatures(write, [imageNo]);
  });

async function breaches(): Promise<readonly unknown[]> {
  const rule = STANDING_RULES.find(({ name }) => name.includes("match index with all its words"));
  const { rows } = await sql.raw(rule?.breaches ?? "").execute(index.database);
  return rows;
}

/** Runs a command of the operator's. @returns its exit code and what it printed */
async function said(
  run: (environment: NodeJS.ProcessEnv, out: { write(text: string): unknown }) => Promise<number>,
): Promise<readonly [number, string]> {
  let text = "";
  const code = await run({ COLOPHON_DATA_DIR: index.dataDir }, { write: (more) => (text += more) });
  return [code, text];
}

const split = (
  servers: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly [number, string]> =>
  said((environment, out) => runSplit(environment, { servers, signal }, out));

it("is refused where it cannot be, in one line", async () => {
  const [code, text] = await split(["postgresql://nobody@127.0.0.1:1/nothing"]);
  expect([code, text]).toEqual([
    1,
    "The index is as it was: 127.0.0.1:1/nothing: connect ECONNREFUSED 127.0.0.1:1\n",
  ]);
  expect((await split(["postgresql://me:secret@127.0.0.1/x"]))[1]).toContain("use PGPASSWORD or ~/.pgpass");
  expect((await split([steady.url, steady.url]))[1]).toContain("named twice");
});

it("is refused where this process gets to the other server, and the deployment's own server does not", async () => {
  const { host, port, user, database } = steady.connection;
  await using front = await TlsFront.before(`${host}/.s.PGSQL.${port}`, index.dataDir);
  // The driver's own word, which no program of PostgreSQL knows.
  const url = `postgresql://${user}@localhost:${front.port}/${database}?sslmode=no-verify`;
  const [code, text] = await split([url]);
  expect(code).toBe(1);
  expect(text).toContain(`does not get to localhost:${front.port}/${database}: `);
  expect(await answers()).toEqual(before);
});

it("is interrupted, answers as before, waits for the same servers, and goes on", async () => {
  const interruption = new AbortController();
  const [broken] = await said((environment, out) =>
    runSplit(
      environment,
      { servers: [steady.url, mortal.url], signal: interruption.signal },
      { write: (text) => [out.write(text), interruption.abort()] },
    ),
  );
  expect(broken).toBe(1);
  const [unfinished, status] = await said(runIndexStatus);
  expect(unfinished).toBe(1);
  expect(status.match(/being copied/g)).toHaveLength(2);
  expect(await answers()).toEqual(before);
  // What is copied stays as it is, and a take-down is noted.
  await index.register(Array.from({ length: ROUND }, () => [1]));
  expect(await gatherPostings(index.database, ROUND)).toBe(0);
  await takeDown(3);
  const whole = await ranked();
  expect((await split([mortal.url]))[1]).toContain(
    "name the same servers, or give it up with colophon index join",
  );
  const [code, text] = await split([steady.url, mortal.url]);
  expect([code, text]).toEqual([
    0,
    expect.stringMatching(
      /^originals 0 to 799: copying to .*\noriginals 800 to 1599: copying to .*\nThe other servers count them/,
    ),
  ]);
  const { rows } = await sql`select count(*) as lists from posting_list`.execute(index.database);
  expect(rows).toEqual([{ lists: 0 }]);
  expect(await answers()).toEqual(before);
  expect((await said(runIndexStatus))[1].match(/answers/g)).toHaveLength(2);
  expect(await breaches()).toEqual([]);
  expect(await postingsOf(3)).toBeGreaterThan(WORDS);
  expect(await removeElsewhere(index.database)).toBe(1);
  expect(await postingsOf(3)).toBe(0);
  expect(await ranked()).toEqual(whole);
  expect(await breaches()).toEqual([]);
});

it("has each server count its own, all of them within the bound of one look-up", async () => {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain (verbose, costs off)
    ${statementOf(Int32Array.from(own(7)))}`.execute(index.database);
  const remote = rows.map((row) => row["QUERY PLAN"]).filter((line) => line.includes("Remote SQL"));
  expect(
    remote.filter((line) => /string_agg\(.* FROM .* WHERE .* GROUP BY 1 HAVING/.test(line)),
  ).toHaveLength(2);
  const found = async (least: number): Promise<number> => {
    const all = elected(await readPostings(index.database, Int32Array.from(COMMON)), {
      least,
      most: LISTED,
      apartFrom: new Set(),
    });
    return all.filter((imageNo) => imageNo < LISTED).length;
  };
  // 200,000 bytes of lists are at least 20 and less than 45 of these words.
  // Numbers begin at 1, and one original was taken down.
  expect(await found(20)).toBe(LISTED - 2);
  expect(await found(COMMON.length)).toBe(0);
});

it("takes down while a server is dead, refuses look-ups, and puts both right when it is back", async () => {
  mortal.kill();
  const failure = await answers().catch((error: unknown) => error);
  expect(databaseFault(failure)).toBe("away");
  await takeDown(900);
  await takeDown(500);
  const swept = await removeElsewhere(index.database).catch((error: unknown) => error);
  expect(databaseFault(swept)).toBe("away");
  const [code, status] = await said(runIndexStatus);
  expect([code, status]).toEqual([
    1,
    expect.stringMatching(/799, answers\n.*1599, away \(.*\); 1 taken down wait/),
  ]);
  await mortal.serve();
  const left = before.map((found) => found.filter((imageNo) => imageNo !== 500 && imageNo !== 900));
  expect((await answers()).map((found) => found.filter((imageNo) => imageNo !== 900))).toEqual(left);
  expect(await removeElsewhere(index.database)).toBe(1);
  expect(await answers()).toEqual(left);
  expect(await breaches()).toEqual([]);
  expect((await said(runIndexStatus))[0]).toBe(0);
});

it("is taken back without a server that is lost", async () => {
  mortal.kill();
  const [code, text] = await said(runJoin);
  expect([code, text.match(/back from/g)?.length]).toEqual([0, 2]);
  const left = before.map((found) => found.filter((imageNo) => imageNo !== 500 && imageNo !== 900));
  expect(await answers()).toEqual(left);
  expect(await breaches()).toEqual([]);
  expect((await said(runIndexStatus))[0]).toBe(0);
});
