/**
 * Kills the service, its database, its decoders or several of them at random moments while clients register, and checks
 * after every kill that nothing acknowledged is lost, nothing is half there, and every charge balances.
 *
 *     node trials/crash/registrations.ts [--rounds 20] [--seed 1] [--clients 6]
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient, untilAnswered } from "@colophon/testing/api-client.ts";
import { paintedPicture, type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { runTrial } from "../support/run-trial.ts";
import { MortalService } from "./mortal-service.ts";

const ACCOUNT = { registrations: 1_000_000, lookups: 1_000_000 };
const WIDTH = 240;
const HEIGHT = 160;
const PICTURES_PER_CLIENT = 4;
/** After the number of acknowledgements drawn for a round, the kill comes within this time. */
const LAST_MOMENTS_MS = 400;
/** The 503 that says that nothing was registered. */
const NOT_YET = "Image could not be checked yet";

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

/** What was answered with 5xx, or not at all; `isDenied` when the answer says that nothing was registered. */
interface Unanswered {
  readonly image: Uint8Array;
  readonly isDenied: boolean;
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
  await using service = await MortalService.start(ACCOUNT);
  const run = new CrashRun(service, options.seed);
  for (let round = 0; round < options.rounds; round += 1) await run.round(options.clients);
  return await run.report(options.rounds);
}

class CrashRun {
  readonly #service: MortalService;
  readonly #random: Random;
  readonly #acknowledged: Acknowledged[] = [];
  readonly #unanswered: Unanswered[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #breaches: string[] = [];
  #pictureSeed: number;
  #madeUnanswered = 0;
  #slowestRecovery = 0;

  constructor(service: MortalService, seed: number) {
    this.#service = service;
    this.#random = seededRandom(seed);
    this.#pictureSeed = seed * 1_000_000;
  }

  async round(clients: number): Promise<void> {
    const before = this.#acknowledged.length;
    const work = await Promise.all(Array.from({ length: clients }, () => this.#paint(PICTURES_PER_CLIENT)));
    const running = { stop: false };
    const registering = work.map((pictures) => this.#registerAll(pictures, running));
    const enough = before + Math.floor(this.#random() * clients * (PICTURES_PER_CLIENT - 1));
    while (this.#acknowledged.length < enough) await sleep(5);
    await sleep(this.#random() * LAST_MOMENTS_MS);
    await this.#service.kill(this.#random);
    running.stop = true;
    const [recovery] = await Promise.all([this.#service.recover(), ...registering]);
    this.#slowestRecovery = Math.max(this.#slowestRecovery, recovery);
    this.#breaches.push(...(await this.#service.settled()));
    await this.#verify(this.#acknowledged.slice(before));
  }

  async report(rounds: number): Promise<CrashReport> {
    await this.#resolveUnanswered();
    this.#breaches.push(...(await this.#service.settled()));
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
    return new ApiClient(this.#service.baseUrl, this.#service.token);
  }

  async #paint(count: number): Promise<Uint8Array[]> {
    const pictures: Uint8Array[] = [];
    for (let at = 0; at < count; at += 1) {
      this.#pictureSeed += 1;
      pictures.push(await paintedPicture(this.#pictureSeed, WIDTH, HEIGHT));
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
        this.#unanswered.push({ image, isDenied: "title" in body && body.title === NOT_YET });
      } else {
        this.#breaches.push(`broken: a fresh picture registers (status ${status})`);
      }
    } catch {
      this.#unanswered.push({ image, isDenied: false });
    }
  }

  async #verify(registrations: readonly Acknowledged[]): Promise<void> {
    for (const { image, registrationId, originalImageHash } of registrations) {
      const record = await untilAnswered(() => this.#client.record(originalImageHash));
      if (record.body.outcome !== "published" || record.body.manifests?.length !== 1) {
        this.#breaches.push(`broken: an acknowledged registration has its record (${registrationId})`);
      }
      const verdict = await untilAnswered(() => this.#client.lookUp(image));
      if (
        verdict.status !== 200 ||
        !verdict.body.candidates.some((candidate) => candidate.registrationId === registrationId)
      ) {
        this.#breaches.push(`broken: an acknowledged registration is found (${registrationId})`);
      }
    }
  }

  /** Registers again what got no answer: it must be as new or wholly there, and as new where the answer said so. */
  async #resolveUnanswered(): Promise<void> {
    for (const { image, isDenied } of this.#unanswered) {
      const { status, body } = await untilAnswered(() => this.#client.register(image));
      if (status === 200) continue;
      if (status !== 409 || !("registrationId" in body)) {
        this.#breaches.push(`broken: an unanswered registration is all or nothing (status ${status})`);
      } else if (isDenied) {
        this.#breaches.push("broken: nothing was registered when the answer said so");
      } else {
        this.#madeUnanswered += 1;
      }
    }
  }
}

if (import.meta.main) await runTrial({ rounds: 20, seed: 1, clients: 6 }, runCrashes);
