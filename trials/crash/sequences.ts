/**
 * Kills the service, its database, its decoders or several of them while clients admit frames and commit sequences,
 * then sends everything again: every chain is whole, no acknowledged frame is lost, no batch is half there, nothing is
 * published twice.
 *
 *     node trials/crash/sequences.ts [--rounds 20] [--clients 3] [--seed 1]
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../packages/server/src/store/database.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { Findings } from "../support/findings.ts";
import { MortalService } from "./mortal-service.ts";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "@colophon/testing/sequence-client.ts";
import { type ImageMaker, imageMaker } from "@colophon/testing/test-pictures.ts";
import { runTrial } from "../support/run-trial.ts";

const PATIENCE_MS = 60_000;
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
  await using service = await MortalService.start({ sequencesEnabled: true });
  const run = new SequenceCrashRun(service, options.seed);
  for (let round = 0; round < options.rounds; round += 1) {
    await run.round(options.clients, PHASES[round % PHASES.length] ?? "commit");
  }
  return run.report(options.rounds);
}

class SequenceCrashRun {
  readonly #service: MortalService;
  readonly #random: Random;
  readonly #image: ImageMaker;
  readonly #findings = new Findings();
  #acknowledged = 0;
  #committed = 0;

  constructor(service: MortalService, seed: number) {
    this.#service = service;
    this.#random = seededRandom(seed);
    this.#image = imageMaker(seed);
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
    await this.#service.kill(this.#random);
    await Promise.all(working);
    await this.#service.recover();
    for (const each of known) await this.#finish(each);
    for (const wrong of await this.#service.settled((database) => this.#miscounts(database))) {
      this.#findings.breach(wrong);
    }
  }

  report(rounds: number): SequenceCrashReport {
    return {
      rounds,
      acknowledgedFrames: this.#acknowledged,
      cutOff: this.#findings.counts,
      committed: this.#committed,
      breaches: this.#findings.breaches,
    };
  }

  get #client(): SequenceClient {
    return new SequenceClient(this.#service.baseUrl, this.#service.token);
  }

  /** Any moment of the admission, or one within a commit. */
  async #strikingMoment(known: readonly KnownSequence[], phase: (typeof PHASES)[number]): Promise<void> {
    const enough = Math.floor(this.#random() * known.length * BODIES);
    const reached = (): boolean =>
      phase === "commit"
        ? known.some((each) => each.commit === "sent")
        : known.reduce((sum, each) => sum + each.acknowledged, 0) >= enough;
    for (const deadline = Date.now() + PATIENCE_MS; !reached() && Date.now() < deadline; ) await sleep(2);
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
    const findings = this.#findings;
    const { sequence, acknowledged, pending } = known;
    this.#acknowledged += acknowledged;
    const { body: found } = await client.progress(sequence);
    const extra = found.framesReceived - acknowledged;
    findings.expect(extra === 0 || extra === pending, `${extra} of ${pending} unanswered frames are there`);
    if (pending > 0) findings.count(extra === 0 ? "batch lost whole" : "batch kept whole");
    if (known.commit === "sent") findings.count(`commit ${found.state}`);
    findings.expect(
      known.commit !== "answered" || found.state === "committed",
      "an answered commit is undone",
    );
    if (found.state !== "committed") {
      for (const ids of BATCHES) {
        const { status, body } = await client.admit(sequence, framesOf(known, ids));
        const problem = JSON.stringify(body);
        findings.expect(status === 201, `a batch is not taken again (${problem})`);
        findings.expect(status !== 201 || body.frames.every(({ errata }) => !errata), `errata (${problem})`);
      }
      const { body } = await client.commit(sequence);
      findings.expect(body.outcome === "registered", `no commit (${JSON.stringify(body)})`);
    }
    const { body: results } = await client.results(sequence);
    findings.expect(results.finalSize === BODIES, `a sequence of ${results.finalSize} frames`);
    this.#committed += 1;
  }

  async #miscounts(database: Database): Promise<string[]> {
    const { count } = await database
      .selectFrom("original")
      .select((row) => row.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    const expected = this.#committed * BODIES;
    return count === expected ? [] : [`${expected} frames were published, as ${count} originals`];
  }
}

function framesOf({ sequence, images }: KnownSequence, ids: readonly number[]): Uint8Array[] {
  return ids.map((id) =>
    id < END ? bodyFrame(sequence, id, images[id - 1] ?? null) : endFrame(sequence, id),
  );
}

if (import.meta.main) await runTrial({ rounds: 20, clients: 3, seed: 1 }, runSequenceCrashes);
