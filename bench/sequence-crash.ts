/**
 * Kills the service, its database or both while clients admit frames and commit sequences, then sends everything again:
 * every chain is whole, no acknowledged frame is lost, no batch is half there, nothing is published twice.
 *
 *     node bench/sequence-crash.ts [--rounds 20] [--clients 3] [--seed 1]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { checkConsistency } from "../packages/server/src/fsck/check-consistency.ts";
import { type Database, openDatabase } from "../packages/server/src/store/database.ts";
import { type Random, seededRandom } from "../tools/pictures.ts";
import { createAccount, type TestAccount } from "./api-client.ts";
import { pick } from "./chance.ts";
import { bodyFrame, endFrame, SequenceClient, type TicketedSequence } from "./sequence-client.ts";
import { postmasterPid, serviceEnvironment, ServiceProcess } from "./service-process.ts";
import { type ImageMaker, imageMaker } from "./small-images.ts";

const RECOVERY_MS = 60_000;
const VICTIMS = ["service", "service", "database", "both"] as const;
const PHASES = ["admission", "commit"] as const;
const BODIES = 6;
const END = BODIES + 1;
const BATCHES: readonly (readonly number[])[] = [
  [5, 1],
  [3, 6, END],
  [2, 4],
];
const LAST_MOMENTS_MS = 80;

/** What a run saw; `breaches` must be empty. */
export interface SequenceCrashReport {
  readonly rounds: number;
  readonly acknowledgedFrames: number;
  /** Batches and commits whose answer was cut off, by what was found of them. */
  readonly cutOff: Readonly<Record<string, number>>;
  readonly committed: number;
  readonly breaches: readonly string[];
}

/** A sequence and what was answered of it. */
interface KnownSequence {
  readonly sequence: TicketedSequence;
  readonly images: readonly Uint8Array[];
  acknowledged: number;
  /** BODYs of the batch that was sent last and not answered. */
  pending: number;
  commit: "unsent" | "sent" | "answered";
}

/** Runs `rounds` kills, all chance drawn from `seed`. */
export async function runSequenceCrashes(options: {
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
}): Promise<SequenceCrashReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-sequence-crash-"));
  const run = new SequenceCrashRun(dataDir, options.seed);
  try {
    await run.start();
    for (let round = 0; round < options.rounds; round += 1) {
      await run.round(options.clients, PHASES[round % PHASES.length] ?? "commit");
    }
    return run.report(options.rounds);
  } finally {
    await run.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

class SequenceCrashRun {
  readonly #dataDir: string;
  readonly #random: Random;
  readonly #image: ImageMaker;
  readonly #adminToken = randomBytes(24).toString("base64url");
  readonly #breaches: string[] = [];
  readonly #cutOff = new Map<string, number>();
  #acknowledged = 0;
  #committed = 0;
  #service!: ServiceProcess;
  #account: TestAccount | null = null;

  constructor(dataDir: string, seed: number) {
    this.#dataDir = dataDir;
    this.#random = seededRandom(seed);
    this.#image = imageMaker(seed);
  }

  async start(): Promise<void> {
    this.#service = await ServiceProcess.start(serviceEnvironment(this.#dataDir, this.#adminToken));
    this.#account ??= await createAccount(this.#service.baseUrl, this.#adminToken, {
      sequencesEnabled: true,
    });
  }

  async close(): Promise<void> {
    await this.#service.end("SIGTERM");
  }

  async round(clients: number, phase: (typeof PHASES)[number]): Promise<void> {
    const known: KnownSequence[] = [];
    for (let at = 0; at < clients; at += 1) {
      const images = await Promise.all(Array.from({ length: BODIES }, () => this.#image()));
      const { body: sequence } = await this.#client.openSequence();
      known.push({ sequence, images, acknowledged: 0, pending: 0, commit: "unsent" });
    }
    const working = known.map((each) => this.#work(each).catch(() => {}));
    await this.#strikingMoment(known, phase);
    const victim = pick(this.#random, VICTIMS);
    if (victim !== "service") process.kill(postmasterPid(this.#dataDir), "SIGKILL");
    if (victim !== "database") await this.#service.end("SIGKILL");
    await Promise.all(working);
    await this.#recover();
    for (const each of known) await this.#finish(each);
    await this.#settle();
  }

  report(rounds: number): SequenceCrashReport {
    return {
      rounds,
      acknowledgedFrames: this.#acknowledged,
      cutOff: Object.fromEntries(this.#cutOff),
      committed: this.#committed,
      breaches: this.#breaches,
    };
  }

  get #client(): SequenceClient {
    return new SequenceClient(this.#service.baseUrl, this.#account?.token ?? "");
  }

  /** Any moment of the admission, or one within a commit. */
  async #strikingMoment(known: readonly KnownSequence[], phase: (typeof PHASES)[number]): Promise<void> {
    const enough = Math.floor(this.#random() * known.length * BODIES);
    const reached = (): boolean =>
      phase === "commit"
        ? known.some((each) => each.commit === "sent")
        : known.reduce((sum, each) => sum + each.acknowledged, 0) >= enough;
    for (const deadline = Date.now() + RECOVERY_MS; !reached() && Date.now() < deadline; ) await sleep(2);
    await sleep(this.#random() * LAST_MOMENTS_MS);
  }

  /** Admits all batches and commits; ends with the first answer that does not come. */
  async #work(known: KnownSequence): Promise<void> {
    const client = this.#client;
    for (const ids of BATCHES) {
      const bodies = ids.filter((id) => id < END).length;
      known.pending = bodies;
      const reply = await client.admit(known.sequence, framesOf(known, ids));
      if (reply.status !== 201) return;
      known.pending = 0;
      known.acknowledged += bodies;
    }
    known.commit = "sent";
    const reply = await client.commit(known.sequence);
    if (reply.status === 200) known.commit = "answered";
  }

  /** Finds the sequence as the kill left it, sends everything again, and commits it. */
  async #finish(known: KnownSequence): Promise<void> {
    const client = this.#client;
    const { sequence, acknowledged, pending } = known;
    this.#acknowledged += acknowledged;
    const { body: found } = await client.progress(sequence);
    const extra = found.framesReceived - acknowledged;
    this.#expect(extra === 0 || extra === pending, `${extra} of ${pending} unanswered frames are there`);
    if (pending > 0) this.#count(extra === 0 ? "batch lost whole" : "batch kept whole");
    if (known.commit === "sent") this.#count(`commit ${found.state}`);
    this.#expect(known.commit !== "answered" || found.state === "committed", "an answered commit is undone");
    if (found.state !== "committed") {
      for (const ids of BATCHES) {
        const { status, body } = await client.admit(sequence, framesOf(known, ids));
        const problem = JSON.stringify(body);
        this.#expect(status === 201, `a batch is not taken again (${problem})`);
        this.#expect(status !== 201 || body.frames.every(({ errata }) => !errata), `errata (${problem})`);
      }
      const { body } = await client.commit(sequence);
      this.#expect(body.outcome === "registered", `no commit (${JSON.stringify(body)})`);
    }
    const { body: results } = await client.results(sequence);
    this.#expect(results.finalSize === BODIES, `a sequence of ${results.finalSize} frames`);
    this.#committed += 1;
  }

  async #recover(): Promise<void> {
    if (!this.#service.alive) await this.start();
    for (const deadline = Date.now() + RECOVERY_MS; ; await sleep(20)) {
      const reply = await this.#client.call("GET", "/account/stats").catch(() => null);
      if (reply?.status === 200) return;
      if (!this.#service.alive || Date.now() > deadline)
        throw new Error(`No recovery:\n${this.#service.output}`);
    }
  }

  /** Once the sweeps have run, everything adds up and nothing is left. */
  async #settle(): Promise<void> {
    const host = join(this.#dataDir, "postgres/run");
    const database = openDatabase({ host, port: 5432, user: "colophon", database: "colophon" }, 2, () => {});
    try {
      for (const deadline = Date.now() + RECOVERY_MS; ; await sleep(100)) {
        const breaches = await this.#inconsistencies(database);
        if (breaches.length === 0) return;
        if (Date.now() < deadline) continue;
        this.#breaches.push(...breaches);
        return;
      }
    } finally {
      await database.destroy();
    }
  }

  async #inconsistencies(database: Database): Promise<string[]> {
    const breaches = await checkConsistency(database, { atRest: true });
    const { count } = await database
      .selectFrom("original")
      .select((row) => row.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    const expected = this.#committed * BODIES;
    return [
      ...breaches.map(({ rule, what }) => `broken: ${rule} (${what})`),
      ...(count === expected ? [] : [`broken: ${expected} frames were published, as ${count} originals`]),
    ];
  }

  #count(what: string): void {
    this.#cutOff.set(what, (this.#cutOff.get(what) ?? 0) + 1);
  }

  #expect(condition: boolean, breach: string): void {
    if (!condition) this.#breaches.push(`broken: ${breach}`);
  }
}

function framesOf({ sequence, images }: KnownSequence, ids: readonly number[]): Uint8Array[] {
  return ids.map((id) =>
    id < END ? bodyFrame(sequence, id, images[id - 1] ?? null) : endFrame(sequence, id),
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "20" },
      clients: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
    },
  });
  const report = await runSequenceCrashes({
    rounds: Number(values.rounds),
    clients: Number(values.clients),
    seed: Number(values.seed),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
