/**
 * Kills one of two processes, both, or their database at random moments while clients publish and take down, and checks
 * that the log never forks, loses or repeats an entry, or goes back, and that every proof verifies.
 *
 *     node trials/crash/log.ts [--rounds 12] [--seed 1] [--clients 16]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseRecord, toHex } from "@colophon/formats";
import { LogAudit, openCheckpoint, parseVkey, type VerifierKey, verifyLogProof } from "@colophon/log";
import { ApiClient, createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { chance } from "@colophon/testing/chance.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import {
  embeddedDatabase,
  postmasterIfThere,
  postmasterPid,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";
import { type ImageMaker, imageMaker } from "@colophon/testing/test-pictures.ts";
import { Client } from "pg";
import { checkConsistency } from "../../packages/server/src/fsck/check-consistency.ts";
import { runTrial } from "../support/run-trial.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";

const VICTIMS = ["first", "second", "both", "database"] as const;
/** Share of registrations that are taken down again. */
const TAKEN_DOWN = 0.3;
/** Registrations of a client in a round. */
const PER_CLIENT = 3;
const LAST_MOMENTS_MS = 700;
const PATIENCE_MS = 60_000;

/** What a run saw; `breaches` must be empty. */
export interface LogCrashReport {
  readonly rounds: number;
  readonly published: number;
  readonly takenDown: number;
  /** Calls cut off by a kill. */
  readonly unanswered: number;
  /** Checkpoints read while clients worked. */
  readonly checkpoints: number;
  readonly entries: number;
  /** The longest from an acknowledged registration to its proof in a round without a kill, in milliseconds. */
  readonly slowestProofMs: number;
  readonly breaches: readonly string[];
}

/** Runs `rounds` kills, all chance drawn from `seed`. */
export async function runLogCrashes(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly clients: number;
}): Promise<LogCrashReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-crash-log-"));
  const run = new LogCrashRun(dataDir, options.seed);
  try {
    await run.open();
    await run.measure();
    for (let round = 0; round < options.rounds; round += 1) await run.round(options.clients);
    return await run.report(options.rounds);
  } finally {
    await run.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

class LogCrashRun {
  readonly #dataDir: string;
  readonly #random: Random;
  readonly #image: ImageMaker;
  readonly #adminToken = randomBytes(24).toString("base64url");
  readonly #audit = new LogAudit();
  /** Every root that was seen, by its size. */
  readonly #roots = new Map<number, string>();
  readonly #live = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #breaches: string[] = [];
  #processes: ServiceProcess[] = [];
  #account!: TestAccount;
  #key!: VerifierKey;
  #unanswered = 0;
  #checkpoints = 0;
  #slowestProof = 0;

  constructor(dataDir: string, seed: number) {
    this.#dataDir = dataDir;
    this.#random = seededRandom(seed);
    this.#image = imageMaker(seed);
  }

  async open(): Promise<void> {
    // The first makes the database that both use.
    this.#processes = [await this.#start()];
    this.#processes.push(await this.#start());
    const grants = { registrations: 1_000_000, lookups: 1_000_000 };
    this.#account = await createAccount(this.#baseUrl(0), this.#adminToken, grants);
    this.#key = parseVkey((await (await this.#found(0, "/log/vkey")).text()).trim());
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.end("SIGTERM")));
    const left = postmasterIfThere(this.#dataDir);
    if (left !== null) process.kill(left, "SIGQUIT");
  }

  /** How long a proof takes while nothing is killed. */
  async measure(): Promise<void> {
    for (let n = 0; n < 5; n += 1) {
      const registered = await this.#client(n % 2).register(await this.#image());
      const began = performance.now();
      this.#live.add(registered.body.originalImageHash);
      await this.#prove(registered.body.originalImageHash);
      this.#slowestProof = Math.max(this.#slowestProof, performance.now() - began);
    }
  }

  async round(clients: number): Promise<void> {
    const running = { stop: false };
    const before = new Set(this.#live);
    const work = Array.from({ length: clients }, (_, n) => this.#work(n % 2, running));
    const watch = this.#watch(running);
    const enough = before.size + Math.floor(this.#random() * clients * 2);
    for (const end = Date.now() + PATIENCE_MS; this.#live.size < enough && Date.now() < end; ) {
      await sleep(10);
    }
    await sleep(this.#random() * LAST_MOMENTS_MS);
    await this.#kill(VICTIMS[Math.floor(this.#random() * VICTIMS.length)] ?? "both");
    running.stop = true;
    await Promise.all([...work, watch]);
    await this.#recover();
    for (const hash of this.#live) if (!before.has(hash)) await this.#prove(hash);
    await this.#check();
  }

  async report(rounds: number): Promise<LogCrashReport> {
    for (const hash of this.#live) await this.#prove(hash);
    for (const hash of this.#gone) {
      const { status } = await this.#answered(0, `/log/proofs/${hash}`);
      if (status !== 404) this.#breaches.push(`broken: a taken-down record has no proof (status ${status})`);
    }
    await this.#check();
    await this.#consistent();
    return {
      rounds,
      published: this.#live.size + this.#gone.size,
      takenDown: this.#gone.size,
      unanswered: this.#unanswered,
      checkpoints: this.#checkpoints,
      entries: this.#audit.size,
      slowestProofMs: Math.round(this.#slowestProof),
      breaches: this.#breaches,
    };
  }

  #start(): Promise<ServiceProcess> {
    return ServiceProcess.start(serviceEnvironment(this.#dataDir, this.#adminToken));
  }

  #baseUrl(at: number): string {
    return this.#processes[at]?.baseUrl ?? "";
  }

  #client(at: number): ApiClient {
    return new ApiClient(this.#baseUrl(at), this.#account.token);
  }

  #get(at: number, path: string): Promise<Response> {
    return fetch(this.#baseUrl(at) + path, { headers: { authorization: `Bearer ${this.#account.token}` } });
  }

  /** What is answered once the service can: a 503 is asked again, as it says, for a killed database dies late. */
  async #answered(at: number, path: string): Promise<Response> {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(25)) {
      const answer = await this.#get(at, path);
      if (answer.status !== 503 || Date.now() > end) return answer;
    }
  }

  async #found(at: number, path: string): Promise<Response> {
    const answer = await this.#answered(at, path);
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer;
  }

  async #work(at: number, running: { readonly stop: boolean }): Promise<void> {
    for (let n = 0; n < PER_CLIENT && !running.stop; n += 1) {
      const image = await this.#image();
      try {
        const { status, body } = await this.#client(at).register(image);
        if (status !== 200) {
          this.#unanswered += 1;
          continue;
        }
        if (!chance(this.#random, TAKEN_DOWN)) this.#live.add(body.originalImageHash);
        else if ((await this.#client(at).takeDown(body.id)).status === 204) {
          this.#gone.add(body.originalImageHash);
        }
      } catch {
        this.#unanswered += 1;
      }
    }
  }

  /** Reads checkpoints as fast as they are answered: none is forged, of two of one size both are the same. */
  async #watch(running: { readonly stop: boolean }): Promise<void> {
    const sizes = [0, 0];
    for (let n = 0; !running.stop; n += 1) {
      const answer = await this.#get(n % 2, "/log/checkpoint").catch(() => null);
      if (answer?.status === 200) this.#see(n % 2, await answer.text().catch(() => ""), sizes);
      await sleep(20);
    }
  }

  #see(at: number, text: string, sizes: number[]): void {
    if (text === "") return;
    const { size, root } = openCheckpoint(text, this.#key).checkpoint;
    this.#checkpoints += 1;
    if (size < (sizes[at] ?? 0)) this.#breaches.push(`broken: the size of the log goes back to ${size}`);
    sizes[at] = size;
    const known = this.#roots.get(size) ?? toHex(root);
    if (known !== toHex(root)) this.#breaches.push(`broken: the log forks at ${size}`);
    this.#roots.set(size, known);
  }

  async #kill(victim: (typeof VICTIMS)[number]): Promise<void> {
    if (victim === "database") return void process.kill(postmasterPid(this.#dataDir), "SIGKILL");
    const dead = victim === "both" ? [0, 1] : [victim === "first" ? 0 : 1];
    for (const at of dead) await this.#processes[at]?.end("SIGKILL");
  }

  async #recover(): Promise<void> {
    for (const [at, process] of this.#processes.entries()) {
      if (!process.alive) this.#processes[at] = await this.#start();
    }
    for (const [at] of this.#processes.entries()) {
      for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
        const answer = await this.#get(at, "/account/stats").catch(() => null);
        if (answer?.status === 200) break;
        if (Date.now() > end) throw new Error(`No recovery:\n${this.#processes[at]?.output}`);
      }
    }
  }

  /** Waits for a record's proof, and verifies it. */
  async #prove(hash: string): Promise<void> {
    const answer = await this.#answered(0, `/log/proofs/${hash}`);
    if (answer.status !== 200) {
      this.#breaches.push(`broken: an acknowledged record is in the log (${hash}, status ${answer.status})`);
      return;
    }
    const record = parseRecord(await (await this.#found(1, `/records/${hash}`)).text());
    const checks = verifyLogProof(record, await answer.text(), { logKey: this.#key });
    for (const { result, sentence } of checks) {
      if (result !== "passed") this.#breaches.push(`broken: a proof verifies (${hash}): ${sentence}`);
    }
  }

  /** Walks on through the log, whose entries are those of the database once nothing waits. */
  async #check(): Promise<void> {
    const read = async (path: string): Promise<Uint8Array> =>
      new Uint8Array(await (await this.#found(1, `/log/${path}`)).arrayBuffer());
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
      const { checkpoint } = await this.#audit.run(read, { logKey: this.#key });
      const { waiting, places, live } = await this.#stored();
      if (waiting === 0 && places === checkpoint.size) {
        if (live !== this.#audit.counts.live) {
          this.#breaches.push(`broken: ${live} records are live, and ${this.#audit.counts.live} entries`);
        }
        return;
      }
      if (Date.now() > end) {
        this.#breaches.push(`broken: what waits is entered (${waiting} wait)`);
        return;
      }
    }
  }

  /** Everything that the database says twice, the log's entries against their records among it. */
  async #consistent(): Promise<void> {
    const database = openDatabase(embeddedDatabase(this.#dataDir), 2, () => {});
    const breaches = await checkConsistency(database, { atRest: false });
    await database.destroy();
    this.#breaches.push(...breaches.map(({ rule, what }) => `broken: ${rule} (${what})`));
  }

  async #stored(): Promise<{ waiting: number; places: number; live: number }> {
    const client = new Client(embeddedDatabase(this.#dataDir));
    await client.connect();
    try {
      const { rows } = await client.query<{ waiting: number; places: number; live: number }>(
        `select (select count(*) from log_pending)::int as waiting, (select count(*) from log_entry)::int as places,
           (select count(*) from record)::int as live`,
      );
      return rows[0] ?? { waiting: -1, places: -1, live: -1 };
    } finally {
      await client.end();
    }
  }
}

if (import.meta.main) await runTrial({ rounds: 12, seed: 1, clients: 16 }, runLogCrashes);
