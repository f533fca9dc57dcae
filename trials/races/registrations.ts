/**
 * Two service processes on one database, many clients at once: no grant is overspent, and one image that all register
 * at the same moment has one live original; every other is told that it is registered already, not that it is a
 * derivative.
 *
 *     node trials/races/registrations.ts [--rounds 10] [--seed 1] [--clients 16]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AccountStats, IMAGE_REJECTIONS } from "@colophon/contract";
import type { DatabaseAddress } from "../../packages/server/src/store/database.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { ApiClient, createAccount, type Reply, untilAnswered } from "@colophon/testing/api-client.ts";
import { auditLedgers, auditSettled } from "../support/registry-audit.ts";
import { embeddedDatabase, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { runTrial } from "../support/run-trial.ts";

const WIDTH = 240;
const HEIGHT = 160;
const ATTEMPTS_PER_CLIENT = 3;
const LOOKUP_GRANT = 17;
/** Clients that register one image under one account, and how far apart every second of them comes. */
const OF_ONE_ACCOUNT = 4;
const STAGGER_MS = 30;
const MANY = 1_000_000;

/** What a run saw; `breaches` must be empty. */
export interface RaceReport {
  readonly rounds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
}

/** Runs `rounds` rounds of both races with pictures drawn from `seed`. */
export async function runRaces(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly clients: number;
}): Promise<RaceReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-races-"));
  const adminToken = randomBytes(24).toString("base64url");
  const environment = serviceEnvironment(dataDir, adminToken);
  try {
    const [first, second] = await Promise.all([
      ServiceProcess.start(environment),
      ServiceProcess.start(environment),
    ]);
    await using stack = new AsyncDisposableStack();
    stack.use(first);
    stack.use(second);
    const run = new RaceRun([first.baseUrl, second.baseUrl], adminToken, options.clients);
    for (let round = 0; round < options.rounds; round += 1) {
      const seed = options.seed * 1_000_000 + round * 1_000;
      await run.registerOneImage(await picture(seed));
      await run.registerOneImageOfOneAccount(await picture(seed + 999));
      await run.spendGrants(await pictures(seed + 1, options.clients));
    }
    return await run.report(options.rounds, embeddedDatabase(dataDir));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

class RaceRun {
  readonly #urls: readonly string[];
  readonly #adminToken: string;
  readonly #clients: number;
  readonly #accounts: string[] = [];
  readonly #statuses = new Map<string, number>();
  readonly #breaches: string[] = [];

  constructor(urls: readonly string[], adminToken: string, clients: number) {
    this.#urls = urls;
    this.#adminToken = adminToken;
    this.#clients = clients;
  }

  /** Every client, each of an account of its own, registers the same bytes at the same time. */
  async registerOneImage(image: Uint8Array): Promise<void> {
    const clients = await Promise.all(
      Array.from({ length: this.#clients }, async (_, at) =>
        this.#client(at, await this.#account(MANY, MANY)),
      ),
    );
    const replies = await Promise.all(clients.map((client) => untilAnswered(() => client.register(image))));
    for (const { status } of replies) this.#count("same image", status);
    const made = replies.filter(({ status }) => status === 200).length;
    const refused = replies.filter(({ status }) => status === 409).length;
    if (made !== 1 || refused !== this.#clients - 1) {
      this.#breaches.push(
        `broken: one of ${this.#clients} registers the image (${made} did, ${refused} got 409)`,
      );
    }
    this.#saysRegistered(replies, null);
    const found = await untilAnswered(() => this.#someClient(clients).lookUp(image));
    if (found.body.matchedOriginalImageHashes.length !== 1) {
      this.#breaches.push("broken: one image has one live original");
    }
  }

  /** A few clients of one account register the same bytes, each some milliseconds after the one before. */
  async registerOneImageOfOneAccount(image: Uint8Array): Promise<void> {
    const token = await this.#account(MANY, MANY);
    const replies = await Promise.all(
      Array.from({ length: OF_ONE_ACCOUNT }, async (_, at) => {
        await sleep(at * STAGGER_MS * (at % 2));
        return untilAnswered(() => this.#client(at, token).register(image));
      }),
    );
    for (const { status } of replies) this.#count("same image, one account", status);
    const made = replies.filter(({ status }) => status === 200);
    if (made.length !== 1) {
      this.#breaches.push(`broken: one account registers an image once (${made.length})`);
    }
    this.#saysRegistered(replies, made[0]?.body.id ?? null);
  }

  /** Each refusal must be that of equal bytes, and name the registration where it is the caller's. */
  #saysRegistered(replies: readonly Reply<unknown>[], registrationId: string | null): void {
    for (const { status, body } of replies) {
      if (status !== 409) continue;
      const refusal = body as { readonly detail: string; readonly registrationId?: string };
      if (
        refusal.detail !== IMAGE_REJECTIONS.alreadyRegistered ||
        (refusal.registrationId ?? null) !== registrationId
      ) {
        this.#breaches.push(`broken: equal bytes are already registered (${JSON.stringify(refusal)})`);
      }
    }
  }

  /** All clients share one account whose grants cover a part of what they ask for. */
  async spendGrants(images: readonly Uint8Array[]): Promise<void> {
    const registrationGrant = Math.floor(images.length / 3);
    const token = await this.#account(registrationGrant, registrationGrant + LOOKUP_GRANT);
    const replies = await Promise.all(
      images.map((image, at) => untilAnswered(() => this.#client(at, token).register(image))),
    );
    for (const { status } of replies) this.#count("registration grant", status);
    const made = replies.filter(({ status }) => status === 200).length;
    if (made > registrationGrant) {
      this.#breaches.push(`broken: ${registrationGrant} granted, ${made} registered`);
    }
    await this.#spendLookups(images, token);
  }

  async #spendLookups(images: readonly Uint8Array[], token: string): Promise<void> {
    const before = await this.#stats(token);
    const asked = images.flatMap((image) => Array.from({ length: ATTEMPTS_PER_CLIENT }, () => image));
    const verdicts = await Promise.all(
      asked.map((image, at) => untilAnswered(() => this.#client(at, token).lookUp(image))),
    );
    for (const { status } of verdicts) this.#count("look-up grant", status);
    const answered = verdicts.filter(({ status }) => status === 200).length;
    const after = await this.#stats(token);
    if (
      answered > before.lookups.remaining ||
      after.lookups.consumed - before.lookups.consumed !== answered
    ) {
      this.#breaches.push(
        `broken: look-ups are charged as answered (${before.lookups.remaining} left, ${answered} answered, ${after.lookups.consumed - before.lookups.consumed} charged)`,
      );
    }
  }

  async report(rounds: number, connection: DatabaseAddress): Promise<RaceReport> {
    this.#breaches.push(...(await auditSettled(connection)));
    for (const accountId of this.#accounts) {
      this.#breaches.push(...(await auditLedgers(this.#urls[0] ?? "", this.#adminToken, accountId)));
    }
    const statuses = Object.fromEntries(this.#statuses);
    return { rounds, statuses, breaches: this.#breaches };
  }

  async #account(registrations: number, lookups: number): Promise<string> {
    const account = await createAccount(this.#urls[0] ?? "", this.#adminToken, { registrations, lookups });
    this.#accounts.push(account.accountId);
    return account.token;
  }

  #client(at: number, token: string): ApiClient {
    return new ApiClient(this.#urls[at % this.#urls.length] ?? "", token);
  }

  #someClient(clients: readonly ApiClient[]): ApiClient {
    const [client] = clients;
    if (client === undefined) throw new Error("There is no client.");
    return client;
  }

  async #stats(token: string): Promise<AccountStats> {
    return (await this.#client(0, token).call<AccountStats>("GET", "/account/stats")).body;
  }

  #count(race: string, status: number): void {
    const key = `${race}: ${status}`;
    this.#statuses.set(key, (this.#statuses.get(key) ?? 0) + 1);
  }
}

async function picture(seed: number): Promise<Uint8Array> {
  return await paintedPicture(seed, WIDTH, HEIGHT);
}

async function pictures(seed: number, count: number): Promise<Uint8Array[]> {
  const painted: Uint8Array[] = [];
  for (let at = 0; at < count; at += 1) painted.push(await picture(seed + at));
  return painted;
}

if (import.meta.main) await runTrial({ rounds: 10, seed: 1, clients: 16 }, runRaces);
