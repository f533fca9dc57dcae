/**
 * Kills `colophon restore` of a registry with many postings at random moments, its database with it now and then, and
 * runs it again to its end: every answer is as it was, `fsck` finds nothing, and every posting is there. A registry
 * with something of everything is filled with copies of its packets, whose words are others; the last restore is into a
 * PostgreSQL of one's own.
 *
 *     node trials/crash/restores.ts [--rounds 4] [--seed 1] [--postings 1000000]
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chance } from "@colophon/testing/chance.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import {
  embeddedDatabaseUrl,
  postmasterIfThere,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";
import { Client } from "pg";
import { answersOf, differences, furnish } from "../support/furnished-registry.ts";
import { OwnPostgres } from "../support/own-postgres.ts";
import { runTrial } from "../support/run-trial.ts";

const COLOPHON = fileURLToPath(new URL("../../packages/cli/bin/colophon.js", import.meta.url));
const ADMIN = "restores-admin-token";
const PICTURES = 6;
/** Copies have numbers from here on: in the first round of postings, as what they are copies of. */
const FIRST_COPY = 1_000;
const WITH_DATABASE = 0.4;

const run = promisify(execFile);

const colophon = (args: readonly string[], environment: Readonly<Record<string, string>>): Promise<unknown> =>
  run(process.execPath, [COLOPHON, ...args], { env: { ...process.env, ...environment } });

/** Copies of the packets with words of their own, until there are so many postings. */
const FILL = `
  with source as (
    select feature.*, row_number() over (order by image_no) as at, count(*) over () as sources,
      sum(cardinality(array(select filed_words(words)))) over () as postings, (select max(word) + 1 from recent_posting) as most
    from feature where image_no < ${FIRST_COPY}
  ), numbered as (
    select ${FIRST_COPY} + (round * sources + at)::int as number, source.*
    from source, generate_series(0, $1::bigint / (select max(postings) from source)) as round
  ), copy as (
    select *, array(select distinct (word + number * 7919) % most from filed_words(words) as word) as other_words from numbered
  ), made as (
    insert into original (image_no, original_image_hash, image_hash, pixel_hash, account_id) overriding system value
    select number, sha256(('a' || number)::bytea), sha256(('b' || number)::bytea), sha256(('c' || number)::bytea),
      (select account_id from account limit 1) from copy
  ), features as (
    insert into feature (image_no, packet_version, packet, words) select number, packet_version, packet, packed_words(other_words) from copy
  )
  insert into recent_posting (word, image_no) select unnest(other_words), number from copy`;

interface Totals {
  readonly postings: number;
  readonly originals: number;
}

async function main(rounds: number, seed: number, postings: number): Promise<Report> {
  await using closing = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "colophon-restores-"));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const random = seededRandom(seed);
  const breaches: string[] = [];
  const passphrase = join(folder, "passphrase");
  await writeFile(passphrase, "a passphrase of the trial\n");
  const file = join(folder, "registry.backup");
  const report: Report = { seconds: {}, bytes: 0, totals: null, killed: 0, breaches };

  const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    const result = await work();
    report.seconds[what] = Math.round((performance.now() - began) / 100) / 10;
    process.stderr.write(`${report.seconds[what]} s  ${what}\n`);
    return result;
  };

  const dataDir = join(folder, "registry");
  const source = await ServiceProcess.start(serviceEnvironment(dataDir, ADMIN));
  closing.defer(() => source.end("SIGTERM"));
  const registry = await furnish(source.baseUrl, ADMIN, { seed, pictures: PICTURES });
  await timed("fill", () =>
    execute(embeddedDatabaseUrl(dataDir), async (client) => {
      await client.query(FILL, [postings]);
      await client.query("analyze");
    }),
  );
  const totals = await totalsAt(embeddedDatabaseUrl(dataDir));
  const before = await answersOf(source.baseUrl, ADMIN, registry);
  await timed("backup", () =>
    colophon(["backup", file, "--passphrase-file", passphrase], { COLOPHON_DATA_DIR: dataDir }),
  );
  report.bytes = (await stat(file)).size;
  report.totals = totals;

  const restore = ["restore", file, "--passphrase-file", passphrase];
  /** Starts what was restored, asks it everything, drops the copies and has it checked. */
  const check = async (what: string, environment: Readonly<Record<string, string>>, address: string) => {
    const service = await timed(`${what}: start`, () => ServiceProcess.start(environment));
    try {
      const now = await totalsAt(address);
      if (now.postings !== totals.postings || now.originals !== totals.originals) {
        breaches.push(`${what}: ${JSON.stringify(now)} instead of ${JSON.stringify(totals)}`);
      }
      const answers = await timed(`${what}: every answer`, () => answersOf(service.baseUrl, ADMIN, registry));
      breaches.push(...differences(before, answers).map((difference) => `${what}: ${difference}`));
      await execute(address, dropCopies);
      await timed(`${what}: fsck`, () => colophon(["fsck", "--packets", "--signatures"], environment)).catch(
        (error: { stdout?: string }) => breaches.push(`${what}: fsck: ${error.stdout ?? ""}`),
      );
    } finally {
      await service.end("SIGTERM");
    }
  };

  let longest = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const what = `restore ${round}`;
    const place = join(folder, `restored-${round}`);
    const environment = serviceEnvironment(place, ADMIN);
    // The first is left alone, and says how long one takes.
    if (round > 0) {
      const command = spawn(process.execPath, [COLOPHON, ...restore], {
        env: { ...process.env, ...environment },
        stdio: "ignore",
      });
      const ended = once(command, "exit");
      const moment = random() * longest;
      await sleep(moment);
      if (command.kill("SIGKILL")) report.killed += 1;
      await ended;
      const database = postmasterIfThere(place);
      if (database !== null && chance(random, WITH_DATABASE)) process.kill(database, "SIGKILL");
      process.stderr.write(`killed after ${Math.round(moment)} ms\n`);
    }
    const began = performance.now();
    await timed(what, () => colophon(restore, environment));
    longest = Math.max(longest, performance.now() - began);
    await check(what, environment, embeddedDatabaseUrl(place));
    await rm(place, { recursive: true, force: true });
  }
  await using own = await OwnPostgres.start();
  const url = await own.emptyDatabase("restored");
  const environment = { ...serviceEnvironment(join(folder, "own"), ADMIN), COLOPHON_DATABASE_URL: url };
  await timed("restore into one's own", () => colophon(restore, environment));
  await check("one's own", environment, url);
  return report;
}

interface Report {
  readonly seconds: Record<string, number>;
  bytes: number;
  totals: Totals | null;
  killed: number;
  readonly breaches: string[];
}

async function execute(address: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    await work(client);
  } finally {
    await client.end();
  }
}

async function dropCopies(client: Client): Promise<void> {
  for (const table of ["recent_posting", "feature", "ranking_part", "original"]) {
    await client.query(`delete from ${table} where image_no > ${FIRST_COPY}`);
  }
}

async function totalsAt(address: string): Promise<Totals> {
  let totals: Totals = { postings: 0, originals: 0 };
  await execute(address, async (client) => {
    const { rows } = await client.query<{ postings: string; originals: string }>(
      "select (select count(*) from recent_posting) as postings, (select count(*) from feature) as originals",
    );
    totals = { postings: Number(rows[0]?.postings), originals: Number(rows[0]?.originals) };
  });
  return totals;
}

if (import.meta.main) {
  await runTrial({ rounds: 4, seed: 1, postings: 1_000_000 }, ({ rounds, seed, postings }) =>
    main(rounds, seed, postings),
  );
}
