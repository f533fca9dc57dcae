/**
 * Sends mutated frame containers, alone and in batches, to sequences that live on between them, and checks that every
 * answer is one that the route lists, that memory goes back, and that the chains are still whole afterwards.
 *
 *     node trials/hostile/sequences.ts [--requests 2000] [--seed 1] [--clients 4]
 */
import { seededRandom } from "@colophon/testing/pictures.ts";
import { chance } from "@colophon/testing/chance.ts";
import { answerOf, faultOfAnswer } from "./listed-answers.ts";
import { type FrameMaterial, hostileFrame } from "./mutated-frames.ts";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "@colophon/testing/sequence-client.ts";
import { ServiceWatch, type WatchedMemory } from "@colophon/testing/service-watch.ts";
import { imageMaker } from "@colophon/testing/test-pictures.ts";
import { auditSettled } from "../support/registry-audit.ts";
import { TrialService } from "../support/trial-service.ts";
import { runTrial } from "../support/run-trial.ts";

/** Requests after which a client goes on with another sequence. */
const REQUESTS_PER_SEQUENCE = 40;
const MOST_FRAMES = 3;
const SETTLE_MS = 60_000;
/** How far memory may stay above what it was, MiB. */
const SLACK_MIB = 150;

/** What a run saw; `breaches` must be empty. */
export interface SequenceHostileReport {
  readonly requests: number;
  readonly seed: number;
  /** Answers by the title of their refusal, or `admitted`. */
  readonly answers: Readonly<Record<string, number>>;
  /** The service, the processes below it and its database together. */
  readonly memoryMiB: WatchedMemory;
  readonly breaches: readonly string[];
}

/** Sends `requests` batches, all drawn from `seed`. */
export async function runHostileSequences(options: {
  readonly requests: number;
  readonly seed: number;
  readonly clients: number;
}): Promise<SequenceHostileReport> {
  // Half of the sequences are left as they are, more than an account may have in a long run.
  await using service = await TrialService.start({ COLOPHON_MAX_OPEN_SEQUENCES: String(options.requests) });
  const { token } = await service.account();
  const client = new SequenceClient(service.baseUrl, token);
  const image = imageMaker(options.seed);
  const images = await Promise.all(Array.from({ length: 6 }, () => image()));
  const { body: first } = await client.openSequence();
  await client.admit(
    first,
    images.map((bytes, at) => bodyFrame(first, at + 1, bytes)),
  );
  await client.abandon(first);
  using watch = new ServiceWatch(service.process, service.dataDir);
  const run = new HostileRun(client, images, options);
  await run.send();
  run.breaches.push(...(await stillWorks(client, await image())));
  const settled = await watch.settled(SLACK_MIB, SETTLE_MS);
  run.breaches.push(...settled.breaches, ...(await auditSettled(service.connection)));
  const { requests, seed } = options;
  return { requests, seed, answers: run.answers, memoryMiB: settled.memory, breaches: run.breaches };
}

class HostileRun {
  readonly answers: Record<string, number> = {};
  readonly breaches: string[] = [];
  readonly #client: SequenceClient;
  readonly #images: readonly Uint8Array[];
  readonly #random: () => number;
  readonly #requests: number;
  readonly #clients: number;
  #sent = 0;

  constructor(
    client: SequenceClient,
    images: readonly Uint8Array[],
    options: { readonly requests: number; readonly seed: number; readonly clients: number },
  ) {
    this.#client = client;
    this.#images = images;
    this.#random = seededRandom(options.seed);
    this.#requests = options.requests;
    this.#clients = options.clients;
  }

  async send(): Promise<void> {
    await Promise.all(Array.from({ length: this.#clients }, () => this.#sendSome()));
  }

  async #sendSome(): Promise<void> {
    let sequence = await this.#open();
    for (let here = 1; this.#sent < this.#requests; here += 1) {
      this.#sent += 1;
      const number = this.#sent;
      const material: FrameMaterial = { sequence, images: this.#images };
      const count = 1 + Math.floor(this.#random() * MOST_FRAMES);
      const frames = Array.from({ length: count }, () => hostileFrame(this.#random, material));
      const reply = await this.#client.admit(sequence, frames);
      const fault = faultOfAnswer("admitFrames", answerOf(reply));
      const title = "title" in reply.body ? String(reply.body.title) : "admitted";
      this.answers[title] = (this.answers[title] ?? 0) + 1;
      if (fault !== undefined) this.breaches.push(`request ${number}: ${fault}`);
      if (here % REQUESTS_PER_SEQUENCE === 0) {
        await this.#end(sequence);
        sequence = await this.#open();
      }
    }
  }

  async #open(): Promise<TicketedSequence> {
    return (await this.#client.openSequence()).body;
  }

  /** Reads a chain that has met hostile frames, tries to commit it, and leaves it. */
  async #end(sequence: TicketedSequence): Promise<void> {
    const progress = await this.#client.progress(sequence);
    const gaps = await this.#client.gaps(sequence);
    const same = JSON.stringify(progress.body.gaps) === JSON.stringify(gaps.body.gaps.map(withoutFrame));
    if (!same) this.breaches.push("broken: progress and gaps agree");
    const commit = await this.#client.commit(sequence);
    if (![200, 409].includes(commit.status)) this.breaches.push(`broken: a commit answers ${commit.status}`);
    if (chance(this.#random, 0.5)) await this.#client.abandon(sequence);
  }
}

function withoutFrame({ from, to }: { from: number; to: number }): { from: number; to: number } {
  return { from, to };
}

async function stillWorks(client: SequenceClient, image: Uint8Array): Promise<string[]> {
  const { body: sequence } = await client.openSequence();
  await client.admit(sequence, [bodyFrame(sequence, 1, image), endFrame(sequence, 2)]);
  const { body } = await client.commit(sequence);
  return body.outcome === "registered" ? [] : [`broken: a sequence commits (${JSON.stringify(body)})`];
}

if (import.meta.main) await runTrial({ requests: 2_000, seed: 1, clients: 4 }, runHostileSequences);
