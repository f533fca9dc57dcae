/**
 * Kills the service, its database, its decoders or several of them at random moments while clients register, and checks after every kill
 * that nothing acknowledged is lost, nothing is half there, and every charge balances.
 *
 *     node trials/crash/registrations.ts [--rounds 20] [--seed 1] [--clients 6]
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ClientConfig } from "pg";
import { encodePicture, paintPicture, type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { ApiClient, createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { auditLedgers, auditSettled } from "../registry-audit.ts";
import {
  POSTMASTER_PID,
  postmasterPid,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";
import { chance } from "@colophon/testing/chance.ts";
import { killDecoders } from "./kill-decoders.ts";

const WIDTH = 240;
const HEIGHT = 160;
const PICTURES_PER_CLIENT = 4;
/** After the number of acknowledgements drawn for a round, the kill comes within this time. */
const LAST_MOMENTS_MS = 400;
const RECOVERY_MS = 60_000;
const VICTIMS = ["service", "database", "both", "decoders"] as const;
/** Decoders are killed before the others in so many rounds. */
const DECODERS_FIRST = 0.5;

/** What a run saw; `breaches` must be empty. */
export interface CrashReport {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Requests cut off by a kill, whose outcome the client never learned. */
  readonly unanswered: number;
  /** Unanswered registrations that turned out to have been made. */
  readonly madeUnanswered: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestRecoveryMs: number;
  readonly breaches: readonly string[];
}

/** `status` of the 5xx answer, `null` when the connection broke. */
interface Unanswered {
  readonly image: Uint8Array;
  readonly status: number | null;
}

interface Acknowledged {
  readonly image: Uint8Array;
  readonly registrationId: string;
  readonly originalImageHash: string;
}

/** Runs `rounds` kills, all chance drawn from `seed`. */
export async function runCrashes(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly clients: number;
}): Promise<CrashReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-crash-"));
  const run = new CrashRun(dataDir, options.seed);
  try {
    await run.open();
    for (let round = 0; round < options.rounds; round += 1) await run.round(options.clients);
    return await run.report(options.rounds);
  } finally {
    await run.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

class CrashRun {
  readonly #dataDir: string;
  readonly #random: Random;
  readonly #connection: ClientConfig;
  readonly #adminToken = randomBytes(24).toString("base64url");
  readonly #acknowledged: Acknowledged[] = [];
  readonly #unanswered: Unanswered[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #breaches: string[] = [];
  #pictureSeed: number;
  #madeUnanswered = 0;
  #slowestRecovery = 0;
  #service!: ServiceProcess;
  #account!: TestAccount;

  constructor(dataDir: string, seed: number) {
    this.#dataDir = dataDir;
    this.#random = seededRandom(seed);
    this.#pictureSeed = seed * 1_000_000;
    const host = join(dataDir, "postgres/run");
    this.#connection = { host, port: 5432, user: "colophon", database: "colophon" };
  }

  async open(): Promise<void> {
    await this.#startService();
    const grants = { registrations: 1_000_000, lookups: 1_000_000 };
    this.#account = await createAccount(this.#service.baseUrl, this.#adminToken, grants);
  }

  async close(): Promise<void> {
    await this.#service.end("SIGTERM");
    // A service that did not come back has left its database running.
    if (existsSync(join(this.#dataDir, POSTMASTER_PID)))
      process.kill(postmasterPid(this.#dataDir), "SIGQUIT");
  }

  async round(clients: number): Promise<void> {
    const before = this.#acknowledged.length;
    const work = await Promise.all(Array.from({ length: clients }, () => this.#paint(PICTURES_PER_CLIENT)));
    const running = { stop: false };
    const registering = work.map((pictures) => this.#registerAll(pictures, running));
    const enough = before + Math.floor(this.#random() * clients * (PICTURES_PER_CLIENT - 1));
    while (this.#acknowledged.length < enough) await sleep(5);
    await sleep(this.#random() * LAST_MOMENTS_MS);
    await this.#kill(VICTIMS[Math.floor(this.#random() * VICTIMS.length)] ?? "both");
    running.stop = true;
    await Promise.all([this.#recover(), ...registering]);
    await this.#settle();
    await this.#verify(this.#acknowledged.slice(before));
  }

  async report(rounds: number): Promise<CrashReport> {
    await this.#resolveUnanswered();
    await this.#settle();
    await this.#verify(this.#acknowledged);
    return {
      rounds,
      acknowledged: this.#acknowledged.length,
      unanswered: this.#unanswered.length,
      madeUnanswered: this.#madeUnanswered,
      statuses: Object.fromEntries(this.#statuses),
      slowestRecoveryMs: Math.round(this.#slowestRecovery),
      breaches: this.#breaches,
    };
  }

  get #client(): ApiClient {
    return new ApiClient(this.#service.baseUrl, this.#account.token);
  }

  async #startService(): Promise<void> {
    this.#service = await ServiceProcess.start(serviceEnvironment(this.#dataDir, this.#adminToken));
  }

  async #paint(count: number): Promise<Uint8Array[]> {
    const pictures: Uint8Array[] = [];
    for (let at = 0; at < count; at += 1) {
      this.#pictureSeed += 1;
      pictures.push(await encodePicture(paintPicture(this.#pictureSeed, WIDTH, HEIGHT), WIDTH, HEIGHT));
    }
    return pictures;
  }

  async #registerAll(pictures: readonly Uint8Array[], running: { readonly stop: boolean }): Promise<void> {
    for (const picture of pictures) {
      if (running.stop) return;
      await this.#register(picture);
    }
  }

  async #register(image: Uint8Array): Promise<void> {
    try {
      const bytes = Buffer.from(JSON.stringify({ credit: "crash", seed: this.#pictureSeed }));
      const { status, body } = await this.#client.register(image, [
        { kind: "credit", type: "application/json", bytes },
      ]);
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      if (status === 200) {
        const { id, originalImageHash } = body;
        this.#acknowledged.push({ image, registrationId: id, originalImageHash });
      } else if (status >= 500) {
        this.#unanswered.push({ image, status });
      } else {
        this.#breaches.push(`broken: a fresh picture registers (status ${status})`);
      }
    } catch {
      this.#unanswered.push({ image, status: null });
    }
  }

  async #kill(victim: (typeof VICTIMS)[number]): Promise<void> {
    if (victim === "decoders" || chance(this.#random, DECODERS_FIRST))
      killDecoders(this.#service.pid, this.#random);
    if (victim === "database" || victim === "both") process.kill(postmasterPid(this.#dataDir), "SIGKILL");
    if (victim === "service" || victim === "both") await this.#service.end("SIGKILL");
  }

  /** Starts a killed service again at once, and waits until it answers from its database. */
  async #recover(): Promise<void> {
    const began = performance.now();
    if (!this.#service.alive) await this.#startService();
    while (!(await this.#answers())) {
      if (!this.#service.alive) throw new Error(`The service died:\n${this.#service.output}`);
      if (performance.now() - began > RECOVERY_MS) throw new Error(`No recovery:\n${this.#service.output}`);
      await sleep(20);
    }
    this.#slowestRecovery = Math.max(this.#slowestRecovery, performance.now() - began);
  }

  async #answers(): Promise<boolean> {
    const reply = await this.#client.call("GET", "/account/stats").catch(() => undefined);
    return reply?.status === 200;
  }

  async #settle(): Promise<void> {
    this.#breaches.push(...(await auditSettled(this.#connection)));
    this.#breaches.push(
      ...(await auditLedgers(this.#service.baseUrl, this.#adminToken, this.#account.accountId)),
    );
  }

  async #verify(registrations: readonly Acknowledged[]): Promise<void> {
    for (const { image, registrationId, originalImageHash } of registrations) {
      const record = await this.#client.record(originalImageHash);
      if (record.body.outcome !== "published" || record.body.manifests?.length !== 1) {
        this.#breaches.push(`broken: an acknowledged registration has its record (${registrationId})`);
      }
      const verdict = await this.#client.lookUp(image);
      if (!verdict.body.candidates.some((candidate) => candidate.registrationId === registrationId)) {
        this.#breaches.push(`broken: an acknowledged registration is found (${registrationId})`);
      }
    }
  }

  /** Registers again what got no answer: it must be as new or wholly there, and as new after a 503. */
  async #resolveUnanswered(): Promise<void> {
    for (const { image, status: earlier } of this.#unanswered) {
      const { status, body } = await this.#client.register(image);
      if (status === 200) continue;
      if (status !== 409 || !("registrationId" in body)) {
        this.#breaches.push(`broken: an unanswered registration is all or nothing (status ${status})`);
      } else if (earlier === 503) {
        this.#breaches.push("broken: nothing was registered when the answer said so");
      } else {
        this.#madeUnanswered += 1;
      }
    }
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "20" },
      seed: { type: "string", default: "1" },
      clients: { type: "string", default: "6" },
    },
  });
  const report = await runCrashes({
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    clients: Number(values.clients),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
