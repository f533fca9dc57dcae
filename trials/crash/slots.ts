/**
 * Kills the service, its database, its decoders or several of them while clients upload to slots and commit them, and
 * finishes every slot afterwards: nothing acknowledged is lost, nothing is charged twice, no reservation and no pooled
 * byte is left.
 *
 *     node trials/crash/slots.ts [--rounds 20] [--clients 3] [--seed 1]
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import type { Reply } from "@colophon/testing/api-client.ts";
import { Findings } from "../support/findings.ts";
import { MortalService } from "./mortal-service.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { type ImageMaker, imageMaker } from "@colophon/testing/test-pictures.ts";
import { runTrial } from "../support/run-trial.ts";

const ACCOUNT = { registrations: 1_000_000, lookups: 1_000_000 };
/** Slots whose opening was never answered stay open. */
const SETTINGS = { COLOPHON_MAX_OPEN_SLOTS: "100000", COLOPHON_MAX_OPEN_LOOKUP_SLOTS: "100000" };
const UPLOADS = 3;
const IMAGES_PER_UPLOAD = 3;

/** What a run saw; `breaches` must be empty. */
export interface SlotCrashReport {
  readonly rounds: number;
  readonly acknowledgedImages: number;
  readonly acknowledgedQueries: number;
  /** Slots whose commit was cut off by a kill, by what was found of them. */
  readonly cutOff: Readonly<Record<string, number>>;
  readonly registered: number;
  readonly answered: number;
  readonly breaches: readonly string[];
}

type Kind = "registration" | "lookup";

/** A slot and what its uploads were told it holds. */
interface KnownSlot {
  readonly kind: Kind;
  readonly slotId: string;
  readonly accepted: Set<string>;
  commit: "unsent" | "sent" | "answered";
}

/** Runs `rounds` kills, all chance drawn from `seed`. */
export async function runSlotCrashes(options: {
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
}): Promise<SlotCrashReport> {
  await using service = await MortalService.start(ACCOUNT, SETTINGS);
  const run = new SlotCrashRun(service, options.seed);
  for (let round = 0; round < options.rounds; round += 1) await run.round(options.clients);
  return await run.report(options.rounds);
}

class SlotCrashRun {
  readonly #service: MortalService;
  readonly #random: Random;
  readonly #image: ImageMaker;
  readonly #findings = new Findings();
  readonly #counts = { images: 0, queries: 0, registered: 0, answered: 0 };

  constructor(service: MortalService, seed: number) {
    this.#service = service;
    this.#random = seededRandom(seed);
    this.#image = imageMaker(seed);
  }

  async round(clients: number): Promise<void> {
    const images: Uint8Array[][] = [];
    for (let at = 0; at < clients * UPLOADS; at += 1) {
      images.push(await Promise.all(Array.from({ length: IMAGES_PER_UPLOAD }, () => this.#image())));
    }
    const slots: KnownSlot[] = [];
    const running = { stop: false };
    const working = Array.from({ length: clients }, (_, at) => {
      const uploads = images.slice(at * UPLOADS, (at + 1) * UPLOADS);
      return this.#work(at % 2 === 0 ? "registration" : "lookup", uploads, slots, running).catch(() => {});
    });
    await this.#strikingMoment(slots);
    await this.#service.kill(this.#random);
    running.stop = true;
    await Promise.all(working);
    await this.#service.recover();
    for (const slot of slots) await this.#finish(slot);
    for (const wrong of await this.#service.settled(() => this.#leftovers())) this.#findings.breach(wrong);
  }

  async report(rounds: number): Promise<SlotCrashReport> {
    const { registrations, lookups } = await this.#client.stats();
    this.#findings.expect(
      registrations.consumed === this.#counts.registered,
      `${this.#counts.registered} registered, ${registrations.consumed} charged`,
    );
    this.#findings.expect(
      lookups.consumed === this.#counts.answered,
      `${this.#counts.answered} answered, ${lookups.consumed} charged`,
    );
    return {
      rounds,
      acknowledgedImages: this.#counts.images,
      acknowledgedQueries: this.#counts.queries,
      cutOff: this.#findings.counts,
      registered: this.#counts.registered,
      answered: this.#counts.answered,
      breaches: this.#findings.breaches,
    };
  }

  /** Any moment, or one within a commit. */
  async #strikingMoment(slots: readonly KnownSlot[]): Promise<void> {
    const patience = Date.now() + 100 + this.#random() * 4_000;
    if (this.#random() < 0.3) {
      await sleep(patience - Date.now());
      return;
    }
    while (Date.now() < patience + 4_000 && !slots.some((slot) => slot.commit === "sent")) await sleep(2);
    await sleep(this.#random() * 60);
  }

  get #client(): SlotClient {
    return new SlotClient(this.#service.baseUrl, this.#service.token);
  }

  /** Opens a slot, uploads and commits; ends with the first answer that does not come. */
  async #work(
    kind: Kind,
    uploads: readonly (readonly Uint8Array[])[],
    slots: KnownSlot[],
    running: { readonly stop: boolean },
  ): Promise<void> {
    const client = this.#client;
    const slotId =
      kind === "registration"
        ? (await client.openSlot()).body.slotId
        : (await client.openLookupSlot()).body.lookupSlotId;
    if (slotId === undefined) return;
    const slot: KnownSlot = { kind, slotId, accepted: new Set(), commit: "unsent" };
    slots.push(slot);
    for (const images of uploads) {
      if (running.stop) return;
      const posted = images.map((bytes) => ({ bytes }));
      const reply = await (kind === "registration"
        ? client.upload(slotId, posted)
        : client.uploadQueries(slotId, posted));
      if (reply.status !== 200) return;
      for (const { accepted, imageHash } of reply.body.outcomes) {
        if (accepted && imageHash !== null) slot.accepted.add(imageHash);
      }
    }
    slot.commit = "sent";
    const reply = await commit(client, slot);
    if (reply.status === 200) slot.commit = "answered";
  }

  /** Finds the slot as the kill left it, commits it if it is open, and counts what came of it. */
  async #finish(slot: KnownSlot): Promise<void> {
    const client = this.#client;
    this.#counts[slot.kind === "registration" ? "images" : "queries"] += slot.accepted.size;
    const found = await progress(client, slot);
    if (found.status !== 200) {
      this.#findings.breach(`a slot is not there any more (${found.status})`);
      return;
    }
    if (slot.commit === "answered") {
      this.#findings.expect(found.body.status === "committed", "an answered commit is undone");
    }
    if (slot.commit === "sent") {
      const { held, total } = found.body.counts;
      const state =
        found.body.status === "committed" ? "committed" : held === total ? "untouched" : "half done";
      this.#findings.count(state);
    }
    if (found.body.status === "open") {
      const again = await commit(client, slot);
      this.#findings.expect(again.status === 200, `a slot cannot be committed again (${again.status})`);
    }
    const { body } = await progress(client, slot);
    const done = slot.kind === "registration" ? "registered" : "answered";
    const states = new Map(body.entries.map((entry) => [entry.imageHash, entry.state]));
    for (const hash of slot.accepted) {
      this.#findings.expect(
        states.get(hash) === done,
        `an acknowledged image is ${states.get(hash) ?? "lost"}`,
      );
    }
    this.#counts[done] += body.counts[done];
  }

  /** Reservations and pooled bytes that nobody holds any more. */
  async #leftovers(): Promise<string[]> {
    const { registrations, lookups } = await this.#client.stats();
    const files = (await readdir(join(this.#service.dataDir, "queries"))).filter(
      (name) => name !== "pool-id",
    );
    return [
      ...(registrations.held + lookups.held > 0 ? ["no reservation is left"] : []),
      ...(files.length > 0 ? [`no pooled byte is left (${files.join()})`] : []),
    ];
  }
}

function commit(client: SlotClient, { kind, slotId }: KnownSlot): Promise<Reply<unknown>> {
  return kind === "registration" ? client.commit(slotId) : client.commitLookup(slotId);
}

function progress(client: SlotClient, { kind, slotId }: KnownSlot): ReturnType<SlotClient["progress"]> {
  return kind === "registration" ? client.progress(slotId) : client.lookupProgress(slotId);
}

if (import.meta.main) await runTrial({ rounds: 20, clients: 3, seed: 1 }, runSlotCrashes);
