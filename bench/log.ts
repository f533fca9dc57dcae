/**
 * How fast the log takes entries, how fast it is walked, and which share of a registration's processor time it is:
 * waiting entries are written straight into a database of its own, entered and signed by the sequencer, and walked as
 * `colophon log audit` does, without the network. The share is that of entries at a steady rate, this program's own
 * statements included, in registrations of pictures by a service without a log. Linux.
 *
 *     node bench/log.ts [--entries 100000]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { LogAudit, parseTilePath } from "@colophon/log";
import { sql } from "kysely";
import { ApiClient, createAccount } from "@colophon/testing/api-client.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { processorMs } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { LogSigner } from "../packages/server/src/keys/log-signer.ts";
import { openDatabase } from "../packages/server/src/store/database.ts";
import { startEmbeddedPostgres } from "../packages/server/src/store/embedded/embedded-postgres.ts";
import { latestCheckpoint } from "../packages/server/src/store/log/checkpoints.ts";
import { readEntries, readTile } from "../packages/server/src/store/log/tree.ts";
import { migrate } from "../packages/server/src/store/migrate.ts";
import { Sequencer } from "../packages/server/src/transparency/sequencer.ts";
import { SignedHead } from "../packages/server/src/transparency/signed-head.ts";

const { values } = readCommandLine({ options: { entries: { type: "string", default: "100000" } } });
const count = Number(values.entries);
const STEADY_RATE = 20;
const STEADY_MS = 20_000;
const [WIDTH, HEIGHT] = [1_280, 960];
/** Registrations that are measured, after one that compiles. */
const REGISTRATIONS = 8;

const dataDir = await mkdtemp(join(tmpdir(), "colophon-bench-log-"));
const say = (...said: unknown[]): void => void process.stderr.write(`${JSON.stringify(said)}\n`);
const log = { info: () => {}, warn: say, error: say };
await using held = new AsyncDisposableStack();
held.defer(() => rm(dataDir, { recursive: true, force: true }));
const server = held.use(await startEmbeddedPostgres({ dataDir, log }));
const database = openDatabase(server.connection, 8, () => {});
held.defer(() => database.destroy());
await migrate(database);
await sql`insert into log_pending (at, commitment)
  select now(), sha256(int8send(n)) from generate_series(1, ${count}::bigint) as n`.execute(database);

const cpuBefore = process.cpuUsage();
const began = performance.now();
const signer = new LogSigner(randomBytes(32));
const head = new SignedHead(dataDir);
const origin = "bench.example/log";
const sequencer = await Sequencer.start({ database, signer, head, origin, log, onSigned: () => {} });
while ((await latestCheckpoint(database))?.size !== count) await sleep(20);
const entering = performance.now() - began;
const cpu = process.cpuUsage(cpuBefore);
const spent = (): Promise<number> => processorMs(process.pid, postmasterPid(dataDir));
const spentBefore = await spent();
const waits = await steadyWaits();
const steadyMs = ((await spent()) - spentBefore) / waits.length;
await sequencer[Symbol.asyncDispose]();

/** How long entries wait for their checkpoint at a steady rate, in milliseconds, sorted. */
async function steadyWaits(): Promise<readonly number[]> {
  const written: number[] = [];
  const found: number[] = [];
  const end = performance.now() + STEADY_MS;
  while (performance.now() < end || found.length < written.length) {
    if (performance.now() < end) {
      await sql`insert into log_pending (at, commitment)
        values (now(), sha256(int8send(${-1 - written.length}::bigint)))`.execute(database);
      written.push(performance.now());
    }
    const size = (await latestCheckpoint(database))?.size ?? 0;
    while (found.length < size - count) found.push(performance.now() - written[found.length]!);
    await sleep(1000 / STEADY_RATE);
  }
  return found.toSorted((a, b) => a - b);
}

const walked = performance.now();
const audit = new LogAudit();
await audit.run(
  async (path) => {
    const name = parseTilePath(path);
    if (name === null) return Buffer.from((await latestCheckpoint(database))?.note ?? "");
    const { level, index, width } = name;
    const bytes =
      level === "entries"
        ? await readEntries(database, index, width)
        : await readTile(database, { level, index, width });
    return bytes ?? new Uint8Array();
  },
  { logKey: signer.keyOf(origin) },
);
const walking = performance.now() - walked;

const registrationMs = await registrationWithoutLog();

/** Processor milliseconds of one registration: service, decoders and database. */
async function registrationWithoutLog(): Promise<number> {
  const folder = join(dataDir, "registrations");
  const adminToken = randomBytes(24).toString("base64url");
  const environment = { ...serviceEnvironment(folder, adminToken), COLOPHON_LOG: "off" };
  await using service = await ServiceProcess.start(environment);
  const { token } = await createAccount(service.baseUrl, adminToken, { registrations: 100, lookups: 100 });
  const client = new ApiClient(service.baseUrl, token);
  const register = async (seed: number): Promise<void> => {
    await client.register(await paintedPicture(seed, WIDTH, HEIGHT));
  };
  await register(0);
  const before = await processorMs(service.pid, postmasterPid(folder));
  for (let n = 1; n <= REGISTRATIONS; n += 1) await register(n);
  return ((await processorMs(service.pid, postmasterPid(folder))) - before) / REGISTRATIONS;
}

const each = (milliseconds: number): string => `${((1000 * milliseconds) / count).toFixed(1)} µs each`;
const share = (part: number): string => (waits[Math.floor(part * waits.length)] ?? NaN).toFixed(0);
const { rows } = await sql<{ bytes: number }>`select (pg_total_relation_size('log_bundle')
  + pg_total_relation_size('log_tile') + pg_total_relation_size('log_entry')) as bytes`.execute(database);
process.stdout.write(
  [
    `entries: ${count}`,
    `entered and signed in ${(entering / 1000).toFixed(1)} s, ${each(entering)}`,
    `processor time of the service for it: ${each((cpu.user + cpu.system) / 1000)}`,
    `provable after, at ${STEADY_RATE} a second: ${share(0.5)} ms in the middle, ${share(0.99)} ms at p99`,
    `processor time at that rate: ${steadyMs.toFixed(1)} ms each, of a registration's ${registrationMs.toFixed(0)} ms ${((100 * steadyMs) / registrationMs).toFixed(1)} %`,
    `walked in ${(walking / 1000).toFixed(1)} s, ${each(walking)}`,
    `stored: ${((rows[0]?.bytes ?? 0) / count).toFixed(0)} bytes an entry`,
    "",
  ].join("\n"),
);
