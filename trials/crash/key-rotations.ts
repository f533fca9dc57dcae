/**
 * Kills `colophon key rotate` at random moments, now and then the service or its database with it, while clients look
 * up and register; then runs it to its end. Checks that every look-up that is answered is answered right, that every
 * packet opens, and that every record verifies. The registry is filled with copies of packets, so that a rotation takes
 * some seconds. Says first how many packets a rotation that is left alone seals again a second.
 *
 *     node trials/crash/key-rotations.ts [--rounds 12] [--seed 1] [--pictures 12] [--copies 2000]
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ApiClient, untilAnswered } from "@colophon/testing/api-client.ts";
import { chance, pick } from "@colophon/testing/chance.ts";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { paintedPicture, type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { embeddedDatabase } from "@colophon/testing/service-process.ts";
import { Client } from "pg";
import sharp from "sharp";
import { MortalService } from "./mortal-service.ts";

const COLOPHON = fileURLToPath(new URL("../../packages/cli/bin/colophon.js", import.meta.url));
const KEYS = ["packet-key", "packet-key", "encryption-key", "intermediate"] as const;
const WIDTH = 240;
const HEIGHT = 160;
/** Copies have numbers from here on. */
const FIRST_COPY = 1_000_000;
/** How long after its start the command is killed at the latest. */
const LATEST_KILL_MS = 6_000;
const WITH_SERVICE = 0.3;
/** The service is started again after so many rounds, as an operator would do. */
const RESTARTED = 0.5;

const run = promisify(execFile);

/** What a run saw; `breaches` must be empty. */
interface RotationReport {
  /** Of a rotation of the packets that was left alone, beside nothing else. */
  readonly packetsASecond: number;
  readonly killed: number;
  readonly tooLate: number;
  readonly lookups: number;
  readonly unanswered: number;
  readonly breaches: readonly string[];
}

interface Original {
  readonly hash: string;
  readonly crop: Uint8Array;
}

class RotationRun implements AsyncDisposable {
  readonly #service: MortalService;
  readonly #random: Random;
  readonly #originals: Original[] = [];
  readonly #breaches: string[] = [];
  #pictureSeed: number;
  #killed = 0;
  #tooLate = 0;
  #lookups = 0;
  #packetsASecond = 0;
  #unanswered = 0;

  private constructor(service: MortalService, seed: number) {
    this.#service = service;
    this.#random = seededRandom(seed);
    this.#pictureSeed = seed * 1_000_000;
  }

  static async start(seed: number, pictures: number): Promise<RotationRun> {
    const service = await MortalService.start({ registrations: 1_000_000, lookups: 1_000_000 });
    const rotations = new RotationRun(service, seed);
    for (let n = 0; n < pictures; n += 1) await rotations.#register();
    return rotations;
  }

  /** Rotates the packets once, with nobody asking anything. */
  async measure(copies: number): Promise<void> {
    await this.#addCopies(copies);
    const began = performance.now();
    await this.#colophon(this.#rotate("packet-key"));
    this.#packetsASecond = Math.round((copies * 1_000) / (performance.now() - began));
    await this.#dropCopies();
  }

  async round(copies: number): Promise<void> {
    await this.#addCopies(copies);
    const running = { stop: false };
    const clients = [this.#lookUpAll(running), this.#registerAll(running)];
    const key = pick(this.#random, KEYS);
    const command = spawn(process.execPath, [COLOPHON, ...this.#rotate(key)], { stdio: "ignore" });
    const ended = once(command, "exit");
    await sleep(this.#random() * LATEST_KILL_MS);
    if (command.kill("SIGKILL")) this.#killed += 1;
    else this.#tooLate += 1;
    if (chance(this.#random, WITH_SERVICE)) await this.#service.kill(this.#random);
    await ended;
    await this.#colophon(this.#rotate(key));
    await this.#service.recover();
    if (chance(this.#random, RESTARTED)) await this.#service.restart();
    running.stop = true;
    await Promise.all(clients);
    await this.#fsck("--packets");
    await this.#dropCopies();
    for (const original of this.#originals) await this.#check(original);
    this.#breaches.push(...(await this.#service.settled()));
    await this.#fsck("--packets", "--signatures");
  }

  get report(): RotationReport {
    return {
      packetsASecond: this.#packetsASecond,
      killed: this.#killed,
      tooLate: this.#tooLate,
      lookups: this.#lookups,
      unanswered: this.#unanswered,
      breaches: this.#breaches,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#service[Symbol.asyncDispose]();
  }

  get #client(): ApiClient {
    return new ApiClient(this.#service.baseUrl, this.#service.token);
  }

  #rotate(key: string): string[] {
    return ["key", "rotate", key, "--data-dir", this.#service.dataDir];
  }

  async #register(): Promise<void> {
    this.#pictureSeed += 1;
    const image = await paintedPicture(this.#pictureSeed, WIDTH, HEIGHT);
    const { status, body } = await this.#client.register(image);
    if (status !== 200) return;
    const crop = await sharp(image).extract({ left: 20, top: 10, width: 200, height: 140 }).png().toBuffer();
    this.#originals.push({ hash: body.originalImageHash, crop });
  }

  async #registerAll(running: { readonly stop: boolean }): Promise<void> {
    while (!running.stop) {
      await this.#register().catch(() => {});
      await sleep(500);
    }
  }

  async #lookUpAll(running: { readonly stop: boolean }): Promise<void> {
    while (!running.stop) {
      const original = pick(this.#random, this.#originals);
      const reply = await this.#client.lookUp(original.crop).catch(() => null);
      if (reply === null || reply.status === 503) this.#unanswered += 1;
      else this.#judge(original, reply.status, reply.body.matchedOriginalImageHashes);
    }
  }

  async #check(original: Original): Promise<void> {
    const { status, body } = await untilAnswered(() => this.#client.lookUp(original.crop));
    this.#judge(original, status, body.matchedOriginalImageHashes);
  }

  #judge({ hash }: Original, status: number, matched: readonly string[]): void {
    this.#lookups += 1;
    if (status !== 200 || !matched.includes(hash)) {
      this.#breaches.push(`broken: a crop finds its original (status ${status})`);
    }
  }

  async #colophon(args: readonly string[]): Promise<void> {
    await run(process.execPath, [COLOPHON, ...args]).catch((error: { stdout?: string }) =>
      this.#breaches.push(`broken: colophon ${args.slice(0, 3).join(" ")}: ${error.stdout ?? ""}`),
    );
  }

  #fsck(...options: readonly string[]): Promise<void> {
    return this.#colophon(["fsck", "--data-dir", this.#service.dataDir, ...options]);
  }

  #addCopies(copies: number): Promise<void> {
    const each = Math.ceil(copies / Math.max(1, this.#originals.length));
    return this.#execute(
      `insert into feature (image_no, packet_version, packet, words)
       select ${FIRST_COPY} + row_number() over (), packet_version, packet, '{}'
       from feature, generate_series(1, ${each})`,
    );
  }

  #dropCopies(): Promise<void> {
    return this.#execute(`delete from feature where image_no > ${FIRST_COPY}`);
  }

  async #execute(statement: string): Promise<void> {
    const client = new Client(embeddedDatabase(this.#service.dataDir));
    await client.connect();
    await client.query("set session_replication_role = replica");
    await client.query(statement);
    await client.end();
  }
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      rounds: { type: "string", default: "12" },
      seed: { type: "string", default: "1" },
      pictures: { type: "string", default: "12" },
      copies: { type: "string", default: "2000" },
    },
  });
  await using rotations = await RotationRun.start(Number(values.seed), Number(values.pictures));
  await rotations.measure(Number(values.copies));
  for (let round = 0; round < Number(values.rounds); round += 1) await rotations.round(Number(values.copies));
  process.stdout.write(`${JSON.stringify(rotations.report, undefined, 2)}\n`);
  process.exitCode = rotations.report.breaches.length === 0 ? 0 : 1;
}
