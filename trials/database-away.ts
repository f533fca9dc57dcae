/**
 * Takes the operator's PostgreSQL away from a running service, hanging and refusing, and asks every route that takes a
 * token; then makes it slow to connect to, and restarts, kills, freezes and cuts it off while clients register, commit
 * and look up, and balances what was charged.
 *
 *     node trials/database-away.ts [--rounds 20] [--clients 4] [--seed 1] [--answer-ms 5000]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { ApiClient, createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { pick } from "@colophon/testing/chance.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { type ImageMaker, imageMaker } from "@colophon/testing/test-pictures.ts";
import { Client } from "pg";
import { EveryRoute, faultsOf, type TimedAnswer } from "./support/every-route.ts";
import { Findings } from "./support/findings.ts";
import { OwnPostgres } from "./support/own-postgres.ts";
import { auditSettled } from "./support/registry-audit.ts";
import { SlowSocket } from "./support/slow-socket.ts";

const ANSWER_MS = 5_000;
/** Longer than the service waits for a sign of life from a database that is here. */
const SLOW_MS = 3_000;
/** Of the service's log, in what is said of one that does not recover. */
const LOG_LINES = 30;
const RECOVERY_MS = 30_000;
const OPEN_PATHS = ["/health", "/openapi/v1.json", "/docs/", "/console/"] as const;
const TROUBLES = ["freeze", "kill", "restart", "terminate"] as const;

/** What a run saw; `breaches` must be empty. */
export interface DatabaseAwayReport {
  /** Routes asked with the database hanging, refusing, and back; the slowest answer of each, in milliseconds. */
  readonly routes: number;
  readonly slowest: Readonly<Record<string, number>>;
  readonly rounds: number;
  readonly acknowledged: number;
  /** Registered by calls that were answered 503, and calls whose 503 leaves that open; at most so many may have. */
  readonly inDoubt: number;
  readonly leftOpen: number;
  readonly refused: number;
  readonly troubles: Readonly<Record<string, number>>;
  readonly logLines: number;
  readonly breaches: readonly string[];
}

/** Runs the table of routes and then `rounds` troubles under load, all chance drawn from `seed`. */
export async function runDatabaseAway(options: {
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
  /** Within this every route answers while the database is away; more on a machine that is busy with other things. */
  readonly answerMs?: number;
}): Promise<DatabaseAwayReport> {
  await using held = new AsyncDisposableStack();
  const server = held.use(await OwnPostgres.start());
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-away-"));
  held.defer(() => rm(dataDir, { recursive: true, force: true }));
  const adminToken = randomBytes(24).toString("base64url");
  const environment = { ...serviceEnvironment(dataDir, adminToken), COLOPHON_DATABASE_URL: server.url };
  const service = held.use(await ServiceProcess.start(environment));
  try {
    return await new DatabaseAwayRun(server, service, adminToken, options).run(options);
  } catch (error) {
    throw new Error(`The run broke off. The service said:\n${service.output}`, { cause: error });
  }
}

class DatabaseAwayRun {
  readonly #server: OwnPostgres;
  readonly #service: ServiceProcess;
  readonly #adminToken: string;
  readonly #random: Random;
  readonly #seed: number;
  readonly #answerMs: number;
  readonly #image: ImageMaker;
  readonly #findings = new Findings();
  readonly #slowest: Record<string, number> = {};
  /** How the routes without a token are answered while all is well. */
  readonly #open = new Map<string, number>();
  #routes = 0;
  #acknowledged = 0;
  #leftOpen = 0;
  #refused = 0;
  /**
   * Slots that were not committed, as far as their clients know, and not abandoned either: an account may hold a few
   * open.
   */
  readonly #leftSlots = new Set<string>();

  constructor(
    server: OwnPostgres,
    service: ServiceProcess,
    adminToken: string,
    { seed, answerMs = ANSWER_MS }: { readonly seed: number; readonly answerMs?: number },
  ) {
    this.#answerMs = answerMs;
    this.#server = server;
    this.#service = service;
    this.#adminToken = adminToken;
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.#image = imageMaker(seed);
  }

  async run({ rounds, clients }: { rounds: number; clients: number }): Promise<DatabaseAwayReport> {
    const routes = await EveryRoute.prepare(this.#service.baseUrl, this.#adminToken, this.#seed + 1);
    const before = await this.#statsOf(routes);
    for (const path of OPEN_PATHS) this.#open.set(path, (await fetch(this.#service.baseUrl + path)).status);
    await this.#away(
      routes,
      "hanging",
      () => this.#server.freeze(),
      async () => this.#server.thaw(),
    );
    await this.#away(
      routes,
      "refusing",
      () => this.#server.kill(),
      () => this.#server.serve(),
    );
    this.#slowest["slow to connect, back"] = await this.#slowToConnect();
    const after = await this.#statsOf(routes);
    this.#findings.expect(before === after, `charged while the database was away: ${before}, then ${after}`);
    this.#judgeBack(await routes.askInTurn());

    const account = await createAccount(this.#service.baseUrl, this.#adminToken, {
      registrations: 1_000_000,
      lookups: 1_000_000,
    });
    for (let round = 0; round < rounds; round += 1) {
      await this.#round(account, clients);
      if (!this.#service.alive) throw new Error("The service has ended.");
    }
    const inDoubt = await this.#balance(account);
    return {
      routes: this.#routes,
      slowest: this.#slowest,
      rounds,
      acknowledged: this.#acknowledged,
      inDoubt,
      leftOpen: this.#leftOpen,
      refused: this.#refused,
      troubles: this.#findings.counts,
      logLines: this.#service.output.split("\n").length,
      breaches: this.#findings.breaches,
    };
  }

  /** Every route with the database away: all at once as it goes, then one after the other. */
  async #away(routes: EveryRoute, how: string, take: () => void, bring: () => Promise<void>): Promise<void> {
    take();
    const first = await routes.askAll();
    const then = await routes.askInTurn();
    this.#routes += first.length + then.length;
    this.#slowest[how] = Math.max(...first.map(({ milliseconds }) => milliseconds));
    this.#slowest[`${how}, noticed`] = Math.max(...then.map(({ milliseconds }) => milliseconds));
    for (const fault of faultsOf([...first, ...then], this.#answerMs)) {
      this.#findings.breach(`${how}: ${fault}`);
    }
    for (const path of OPEN_PATHS) await this.#expectOpen(path, how);
    const ready = await fetch(`${this.#service.baseUrl}/ready`);
    const body: unknown = await ready.json();
    const expected = '{"ready":false,"reasons":["databaseAway"]}';
    this.#findings.expect(
      ready.status === 503 && JSON.stringify(body) === expected,
      `${how}: /ready says ${ready.status} ${JSON.stringify(body)}`,
    );
    await bring();
    this.#slowest[`${how}, back`] = await this.#recovered();
  }

  /** Connections break, and a new one takes long; then none does any more. */
  async #slowToConnect(): Promise<number> {
    const client = new Client(this.#server.connection);
    await client.connect();
    const slow = await SlowSocket.before(this.#server, SLOW_MS);
    await terminateOthers(client);
    await client.end();
    await sleep(SLOW_MS / 2);
    const took = await this.#recovered();
    await slow[Symbol.asyncDispose]();
    await this.#recovered();
    return took;
  }

  async #expectOpen(path: string, how: string): Promise<void> {
    const began = performance.now();
    const response = await fetch(this.#service.baseUrl + path);
    await response.arrayBuffer();
    const isFine = response.status === this.#open.get(path) && performance.now() - began < this.#answerMs;
    this.#findings.expect(isFine, `${how}: ${path} is answered ${response.status}`);
  }

  /** Back to work every route gives an answer of its own. */
  #judgeBack(answers: readonly TimedAnswer[]): void {
    this.#routes += answers.length;
    for (const { route, status, title } of answers) {
      const isFine = status < 500 && status !== 401;
      this.#findings.expect(
        isFine,
        `back: ${route.method} ${route.path} is answered ${status} ${title ?? ""}`,
      );
    }
  }

  /** How long the service takes to be ready again, in milliseconds. */
  async #recovered(): Promise<number> {
    const began = performance.now();
    for (;;) {
      const ready = await fetch(`${this.#service.baseUrl}/ready`);
      const said = await ready.text();
      const took = Math.round(performance.now() - began);
      if (ready.status === 200) return took;
      if (took > RECOVERY_MS) {
        const log = this.#service.output.split("\n").slice(-LOG_LINES).join("\n");
        this.#findings.breach(`the service does not recover: /ready says ${said}; it logged\n${log}`);
        return took;
      }
      await sleep(20);
    }
  }

  /** Clients work, the database has its trouble, and everything goes on. */
  async #round(account: TestAccount, clients: number): Promise<void> {
    const running = { stop: false };
    const working = Array.from({ length: clients }, () =>
      this.#work(account, running).catch((error: unknown) =>
        this.#findings.breach(`no answer: ${causeOf(error)}`),
      ),
    );
    await sleep(300 + this.#random() * 1_500);
    const trouble = pick(this.#random, TROUBLES);
    this.#findings.count(trouble);
    await this.#trouble(trouble);
    await this.#recovered();
    await sleep(300);
    running.stop = true;
    await Promise.all(working);
  }

  async #trouble(trouble: (typeof TROUBLES)[number]): Promise<void> {
    switch (trouble) {
      case "freeze":
        this.#server.freeze();
        await sleep(this.#random() * 6_000);
        return this.#server.thaw();
      case "kill":
        this.#server.kill();
        return this.#server.serve();
      case "restart":
        await this.#server.shutDown();
        return this.#server.serve();
      case "terminate":
        return this.#terminate();
      default:
        return trouble satisfies never;
    }
  }

  async #terminate(): Promise<void> {
    const client = new Client(this.#server.connection);
    await client.connect();
    await terminateOthers(client);
    await client.end();
  }

  /** Registers pictures, alone and in slots, and looks up, until told to stop; judges every answer. */
  async #work(account: TestAccount, running: { readonly stop: boolean }): Promise<void> {
    const client = new SlotClient(this.#service.baseUrl, account.token);
    while (!running.stop) {
      await this.#abandonLeft(client);
      const image = await this.#image();
      const began = performance.now();
      const statuses =
        this.#random() < 0.7
          ? [await this.#register(client, image)]
          : [await this.#commitOne(client, image), (await client.lookUp(image)).status];
      const took = performance.now() - began;
      for (const status of statuses) {
        if (status === 503) this.#refused += 1;
        const isFine = status === 200 || status === 503;
        this.#findings.expect(isFine, `answered ${status} under load: ${isFine ? "" : this.#lastFault()}`);
      }
      this.#findings.expect(took < 2 * this.#answerMs * statuses.length, `${Math.round(took)} ms under load`);
      if (statuses.includes(503)) await sleep(100);
    }
  }

  /** What the service logged of its latest fault that no absence of the database explains. */
  #lastFault(): string {
    const lines = this.#service.output.split("\n");
    return (
      lines.findLast((line) => line.includes("request failed") && !line.includes('"fault":"away"')) ??
      "nothing logged"
    );
  }

  async #register(client: ApiClient, image: Uint8Array): Promise<number> {
    const { status, body } = await client.register(image);
    if (status === 200) this.#acknowledged += 1;
    // The other sentence of a registration says that nothing was registered.
    if (status === 503 && "title" in body && body.title === "Service unavailable") this.#leftOpen += 1;
    return status;
  }

  /** Abandons the slots that are left. What the database's absence leaves open is abandoned another time. */
  async #abandonLeft(client: SlotClient): Promise<void> {
    const left = [...this.#leftSlots];
    this.#leftSlots.clear();
    for (const slotId of left) {
      const { status } = await client.abandon(slotId);
      if (status === 503) this.#leftSlots.add(slotId);
    }
  }

  /** One picture by way of a slot. The first answer that is no success ends it; the slot is abandoned later. */
  async #commitOne(client: SlotClient, image: Uint8Array): Promise<number> {
    const opened = await client.openSlot();
    if (opened.status !== 201) return opened.status;
    const { slotId } = opened.body;
    const upload = await client.upload(slotId, [{ bytes: image }]);
    if (upload.status !== 200) {
      this.#leftSlots.add(slotId);
      return upload.status;
    }
    const commit = await client.commit(slotId);
    if (commit.status !== 200) this.#leftSlots.add(slotId);
    if (commit.status === 200) this.#acknowledged += 1;
    if (commit.status === 503) this.#leftOpen += 1;
    return commit.status;
  }

  /**
   * Nothing acknowledged is lost, nothing is charged that is not registered.
   * @returns registrations whose answer was lost
   */
  async #balance(account: TestAccount): Promise<number> {
    for (const breach of await auditSettled(this.#server.connection)) this.#findings.breach(breach);
    const { registrations } = await new SlotClient(this.#service.baseUrl, account.token).stats();
    const { consumed } = registrations;
    this.#findings.expect(
      consumed >= this.#acknowledged,
      `${this.#acknowledged} acknowledged, ${consumed} charged`,
    );
    const inDoubt = consumed - this.#acknowledged;
    this.#findings.expect(inDoubt <= this.#leftOpen, `${inDoubt} registered of which that was denied`);
    return inDoubt;
  }

  async #statsOf({ token }: EveryRoute): Promise<string> {
    const { registrations, lookups } = await new SlotClient(this.#service.baseUrl, token).stats();
    return JSON.stringify([registrations, lookups]);
  }
}

/** Ends every connection but this one. */
function terminateOthers(client: Client): Promise<unknown> {
  return client.query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()");
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      rounds: { type: "string", default: "20" },
      clients: { type: "string", default: "4" },
      seed: { type: "string", default: "1" },
      "answer-ms": { type: "string", default: String(ANSWER_MS) },
    },
  });
  const report = await runDatabaseAway({
    answerMs: Number(values["answer-ms"]),
    rounds: Number(values.rounds),
    clients: Number(values.clients),
    seed: Number(values.seed),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
