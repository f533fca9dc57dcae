/**
 * Moves the wall clock of a service and its database forth and back by an hour, at rest and under load, and looks what
 * it does to slots, sweeps, records, ledgers, the lease and charges. Needs libfaketime (Debian:
 * `apt-get install libfaketime`).
 *
 *     node trials/clock.ts [--jumps 10] [--clients 3] [--seed 1] [--library PATH]
 */
import { randomBytes } from "node:crypto";
import { existsSync, globSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { parseRecord, verdictOf, verifyRecord } from "@colophon/formats";
import { createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { pick } from "@colophon/testing/chance.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { type ImageMaker, imageMaker } from "@colophon/testing/test-pictures.ts";
import { Findings } from "./support/findings.ts";
import { OwnPostgres } from "./support/own-postgres.ts";
import { auditLedgers, auditSettled } from "./support/registry-audit.ts";

const HOUR = 3_600;
const SLOT_SECONDS = 600;
const SETTLE_MS = 30_000;
const LIBRARIES = "/usr/lib/{*/,}faketime/libfaketimeMT.so.1";
const ACCOUNT = { registrations: 100_000, lookups: 100_000 };

/** What a run saw; `breaches` must be empty. */
export interface ClockReport {
  readonly answers: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  readonly breaches: readonly string[];
}

export async function runClock(options: {
  readonly jumps: number;
  readonly clients: number;
  readonly seed: number;
  readonly library: string;
}): Promise<ClockReport> {
  await using held = new AsyncDisposableStack();
  const clock = await FakeClock.make(options.library);
  held.defer(() => clock[Symbol.asyncDispose]());
  const server = held.use(await OwnPostgres.start(tmpdir(), clock.environment));
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-clock-"));
  held.defer(() => rm(dataDir, { recursive: true, force: true }));
  const adminToken = randomBytes(24).toString("base64url");
  const service = held.use(
    await ServiceProcess.start({
      ...serviceEnvironment(dataDir, adminToken),
      ...clock.environment,
      COLOPHON_DATABASE_URL: server.url,
      COLOPHON_SLOT_IDLE_SECONDS: String(SLOT_SECONDS),
    }),
  );
  try {
    return await new ClockRun(clock, server, service, { adminToken, dataDir }, options.seed).run(options);
  } catch (error) {
    throw new Error(`The run broke off. The service said:\n${service.output}`, { cause: error });
  }
}

/**
 * A wall clock that processes started with its environment share. What measures time, and does not tell it, goes on
 * undisturbed.
 */
class FakeClock implements AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly #directory: string;
  readonly #file: string;

  private constructor(directory: string, library: string) {
    this.#directory = directory;
    this.#file = join(directory, "offset");
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
    };
  }

  static async make(library: string): Promise<FakeClock> {
    const directory = await mkdtemp(join(tmpdir(), "colophon-clock-file-"));
    // The database may run as another user.
    await chmod(directory, 0o755);
    const clock = new FakeClock(directory, library);
    clock.set(0);
    return clock;
  }

  /** Moves the clock to so many seconds from the true time. */
  set(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? "" : "+"}${seconds}s\n`, { mode: 0o644 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }
}

class ClockRun {
  readonly #clock: FakeClock;
  readonly #server: OwnPostgres;
  readonly #service: ServiceProcess;
  readonly #adminToken: string;
  readonly #dataDir: string;
  readonly #random: Random;
  readonly #image: ImageMaker;
  readonly #findings = new Findings();
  #acknowledged = 0;

  constructor(
    clock: FakeClock,
    server: OwnPostgres,
    service: ServiceProcess,
    { adminToken, dataDir }: { adminToken: string; dataDir: string },
    seed: number,
  ) {
    this.#clock = clock;
    this.#server = server;
    this.#service = service;
    this.#adminToken = adminToken;
    this.#dataDir = dataDir;
    this.#random = seededRandom(seed);
    this.#image = imageMaker(seed);
  }

  async run({ jumps, clients }: { jumps: number; clients: number }): Promise<ClockReport> {
    const account = await createAccount(this.#service.baseUrl, this.#adminToken, ACCOUNT);
    const client = new SlotClient(this.#service.baseUrl, account.token);
    await this.#forward(client);
    await this.#back(client);
    await this.#underLoad(account, jumps, clients);
    this.#clock.set(0);
    await this.#balance(account);
    return {
      answers: this.#findings.counts,
      acknowledged: this.#acknowledged,
      breaches: this.#findings.breaches,
    };
  }

  /** An hour forth: what was to expire within it does, with its pixels; all else goes on. */
  async #forward(client: SlotClient): Promise<void> {
    const before = await this.#register(client);
    const { slotId } = (await client.openSlot()).body;
    await client.upload(slotId, [{ bytes: await this.#image() }]);
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    await client.uploadQueries(lookupSlotId, [{ bytes: await this.#image() }]);
    this.#clock.set(HOUR);
    this.#expect("forth: a slot past its time", (await client.slot(slotId)).status, 404);
    this.#expect(
      "forth: a look-up slot past its time",
      (await client.lookupProgress(lookupSlotId)).status,
      404,
    );
    await this.#until("forth: pooled pixels are deleted", async () => (await this.#pooled()).length === 0);
    const { registrations, lookups } = await client.stats();
    this.#findings.expect(
      registrations.held + lookups.held === 0,
      "forth: an expired slot reserves something",
    );
    await this.#working("forth", client, [before]);
  }

  /** An hour back: what was made in the future stays sound, and new slots have their whole time. */
  async #back(client: SlotClient): Promise<void> {
    const future = await this.#register(client);
    const { slotId, expiresAt } = (await client.openSlot()).body;
    this.#clock.set(0);
    await sleep(1_500);
    this.#expect("back: a slot from the future", (await client.slot(slotId)).status, 200);
    this.#findings.expect(
      Date.parse(expiresAt) - Date.now() > SLOT_SECONDS * 1_000,
      "back: the slot of the future ends before its time",
    );
    this.#expect("back: it is abandoned", (await client.abandon(slotId)).status, 204);
    await this.#working("back", client, [future]);
  }

  async #working(when: string, client: SlotClient, hashes: readonly string[]): Promise<void> {
    this.#expect(`${when}: /ready`, (await fetch(`${this.#service.baseUrl}/ready`)).status, 200);
    const image = await this.#image();
    const { slotId } = (await client.openSlot()).body;
    const upload = await client.upload(slotId, [{ bytes: image }]);
    this.#expect(`${when}: an upload`, upload.status, 200);
    const commit = await client.commit(slotId);
    this.#expect(`${when}: a commit`, commit.status, 200);
    if (commit.status === 200) this.#acknowledged += 1;
    this.#expect(`${when}: a look-up`, (await client.lookUp(image)).status, 200);
    for (const hash of [...hashes, await this.#register(client)]) await this.#verify(when, client, hash);
  }

  async #verify(when: string, client: SlotClient, hash: string): Promise<void> {
    const response = await fetch(`${this.#service.baseUrl}/records/${hash}`, {
      headers: { authorization: `Bearer ${client.token}` },
    });
    const verdict = verdictOf(verifyRecord(parseRecord(await response.text())));
    this.#findings.count(`${when}: a record is ${verdict}`);
    this.#findings.expect(verdict !== "failed", `${when}: a record fails`);
  }

  /** Registers a picture. @returns the hash of its record */
  async #register(client: SlotClient): Promise<string> {
    const manifest = { kind: "credit", type: "application/json", bytes: Buffer.from("{}") };
    const { status, body } = await client.register(await this.#image(), [manifest]);
    this.#expect("a registration", status, 200);
    if (status === 200) this.#acknowledged += 1;
    return body.originalImageHash;
  }

  /** Jumps at random while clients work: nothing that is asked may notice. */
  async #underLoad(account: TestAccount, jumps: number, clients: number): Promise<void> {
    const running = { stop: false };
    const client = new SlotClient(this.#service.baseUrl, account.token);
    const working = Array.from({ length: clients }, async () => {
      while (!running.stop) await this.#register(client);
    });
    for (let jump = 0; jump < jumps; jump += 1) {
      await sleep(200 + this.#random() * 1_000);
      this.#clock.set(pick(this.#random, [-HOUR, -1, 0, 1, HOUR]));
    }
    running.stop = true;
    await Promise.all(working);
  }

  async #balance(account: TestAccount): Promise<void> {
    for (const breach of await auditSettled(this.#server.connection)) this.#findings.breach(breach);
    const ledgers = await auditLedgers(this.#service.baseUrl, this.#adminToken, account.accountId);
    for (const breach of ledgers) this.#findings.breach(breach);
    const { registrations } = await new SlotClient(this.#service.baseUrl, account.token).stats();
    this.#findings.expect(
      registrations.consumed === this.#acknowledged,
      `${this.#acknowledged} acknowledged, ${registrations.consumed} charged`,
    );
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const deadline = performance.now() + SETTLE_MS; ; await sleep(100)) {
      if (await holds()) return;
      if (performance.now() < deadline) continue;
      this.#findings.breach(`never: ${what}`);
      return;
    }
  }

  async #pooled(): Promise<readonly string[]> {
    return (await readdir(join(this.#dataDir, "queries"))).filter((name) => name !== "pool-id");
  }

  #expect(what: string, status: number, expected: number): void {
    this.#findings.count(`${what}: ${status}`);
    this.#findings.expect(status === expected, `${what} is answered ${status}`);
  }
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      jumps: { type: "string", default: "10" },
      clients: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
      library: { type: "string", default: globSync(LIBRARIES)[0] ?? "" },
    },
  });
  if (!existsSync(values.library)) refuseCommandLine("There is no libfaketime: name it with --library PATH");
  const report = await runClock({
    jumps: Number(values.jumps),
    clients: Number(values.clients),
    seed: Number(values.seed),
    library: values.library,
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
