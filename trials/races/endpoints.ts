/**
 * Clients of one account call its endpoints at once, in no order, on the same few pictures, slots and sequences, while
 * the operator changes its grants, suspends and resumes it, and sets its originals aside or takes them down. Every
 * answer must be a listed one, and everything must add up afterwards.
 *
 *     node trials/races/endpoints.ts [--calls 3000] [--clients 12] [--seed 1]
 */
import type { OperationId } from "@colophon/contract";
import { ApiClient, type Reply, untilAnswered } from "@colophon/testing/api-client.ts";
import { pick } from "@colophon/testing/chance.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "@colophon/testing/sequence-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash, imageMaker } from "@colophon/testing/test-pictures.ts";
import { answerOf, faultOfAnswer } from "../hostile/listed-answers.ts";
import { Findings } from "../support/findings.ts";
import { auditLedgers, auditSettled } from "../support/registry-audit.ts";
import { runTrial } from "../support/run-trial.ts";
import { TrialService } from "../support/trial-service.ts";

const PICTURES = 12;
/** Things of a kind that are known at once: the latest. */
const KNOWN = 6;

/** What a run saw; `breaches` must be empty. */
export interface EndpointRaceReport {
  readonly calls: number;
  /** Answers by route and status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
}

/** Makes so many calls, all chance drawn from `seed`. */
export async function runEndpointRaces(options: {
  readonly calls: number;
  readonly clients: number;
  readonly seed: number;
}): Promise<EndpointRaceReport> {
  await using service = await TrialService.start({ COLOPHON_SWEEP_SECONDS: "0.05" });
  const { accountId, token } = await service.account();
  const image = imageMaker(options.seed);
  const pictures: Uint8Array[] = [];
  while (pictures.length < PICTURES) pictures.push(await image());
  const races = new EndpointRaces(service, accountId, token, pictures, seededRandom(options.seed));
  let left = options.calls;
  const work = async (): Promise<void> => {
    while (left > 0 && service.process.alive) {
      left -= 1;
      await races.call();
    }
  };
  await Promise.all(Array.from({ length: options.clients }, work));
  await races.calmDown();
  const audit = await auditSettled(service.connection);
  const ledgers = await auditLedgers(service.baseUrl, service.adminToken, accountId);
  const { counts, breaches } = races.findings;
  return { calls: options.calls, answers: counts, breaches: [...breaches, ...audit, ...ledgers] };
}

/** The latest things of a kind, shared by all clients. */
class Latest<Item> {
  readonly #items: Item[] = [];

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length > KNOWN) this.#items.shift();
  }

  /** One of them, or `otherwise` while there is none. */
  any(random: Random, otherwise: Item): Item {
    return this.#items.length === 0 ? otherwise : pick(random, this.#items);
  }
}

class EndpointRaces {
  readonly findings = new Findings();
  readonly #operator: ApiClient;
  readonly #slots: SlotClient;
  readonly #sequences: SequenceClient;
  readonly #account: string;
  readonly #pictures: readonly Uint8Array[];
  readonly #random: Random;
  readonly #registrations = new Latest<{ id: string; originalImageHash: string }>();
  readonly #open = new Latest<string>();
  readonly #openLookups = new Latest<string>();
  readonly #openSequences = new Latest<TicketedSequence>();
  readonly #actions: readonly (() => Promise<void>)[];

  constructor(
    { baseUrl, adminToken }: Pick<TrialService, "baseUrl" | "adminToken">,
    accountId: string,
    token: string,
    pictures: readonly Uint8Array[],
    random: Random,
  ) {
    this.#operator = new ApiClient(baseUrl, adminToken);
    this.#slots = new SlotClient(baseUrl, token);
    this.#sequences = new SequenceClient(baseUrl, token);
    this.#account = `/admin/accounts/${accountId}`;
    this.#pictures = pictures;
    this.#random = random;
    const ofAccount = [
      ...this.#ofPictures(),
      ...this.#ofSlots(),
      ...this.#ofLookupSlots(),
      ...this.#ofSequences(),
    ];
    // The operator acts less often than the account.
    this.#actions = [...ofAccount, ...ofAccount, ...ofAccount, ...this.#ofOperator()];
  }

  /** One call of any kind. */
  async call(): Promise<void> {
    try {
      await pick(this.#random, this.#actions)();
    } catch (error) {
      this.findings.breach(`no answer (${String(error)})`);
    }
  }

  /** Lets the account do again what it may. */
  async calmDown(): Promise<void> {
    await untilAnswered(() => this.#operator.call("POST", `${this.#account}/resume`, { reason: "the end" }));
  }

  #picture(): Uint8Array {
    return pick(this.#random, this.#pictures);
  }

  /** Takes note of an answer, and hands on what a good one says. */
  async #expect<Body extends object | null>(
    route: OperationId,
    sent: Promise<Reply<Body>>,
  ): Promise<Body | null> {
    const reply = await sent;
    this.findings.count(`${route} ${reply.status}`);
    const fault = faultOfAnswer(route, answerOf(reply));
    if (fault !== undefined) this.findings.breach(`${route}: ${fault}`);
    return reply.status < 300 ? reply.body : null;
  }

  #ofPictures(): (() => Promise<void>)[] {
    const nothing = { id: "unknown", originalImageHash: "0".repeat(64) };
    const known = (): typeof nothing => this.#registrations.any(this.#random, nothing);
    const client = this.#slots;
    return [
      async () => {
        const registered = await this.#expect("createRegistration", client.register(this.#picture()));
        if (registered !== null) this.#registrations.add(registered);
      },
      async () => void (await this.#expect("deleteRegistration", client.takeDown(known().id))),
      async () => void (await this.#expect("lookUp", client.lookUp(this.#picture()))),
      async () => void (await this.#expect("getRecord", client.record(known().originalImageHash))),
      async () =>
        void (await this.#expect("listRegistrations", client.call<object>("GET", "/library/registrations"))),
    ];
  }

  #ofSlots(): (() => Promise<void>)[] {
    const client = this.#slots;
    const known = (): string => this.#open.any(this.#random, "unknown");
    return [
      async () => {
        const opened = await this.#expect("openSlot", client.openSlot());
        if (opened !== null) this.#open.add(opened.slotId);
      },
      async () => {
        const images = [{ bytes: this.#picture() }, { bytes: this.#picture() }];
        await this.#expect("uploadToSlot", client.upload(known(), images));
      },
      async () =>
        void (await this.#expect("removeEntry", client.removeEntry(known(), imageHash(this.#picture())))),
      async () => void (await this.#expect("commitSlot", client.commit(known()))),
      async () => void (await this.#expect("getSlotProgress", client.progress(known()))),
      async () => void (await this.#expect("abandonSlot", client.abandon(known()))),
    ];
  }

  #ofLookupSlots(): (() => Promise<void>)[] {
    const client = this.#slots;
    const known = (): string => this.#openLookups.any(this.#random, "unknown");
    return [
      async () => {
        const opened = await this.#expect("openLookupSlot", client.openLookupSlot());
        if (opened !== null) this.#openLookups.add(opened.lookupSlotId);
      },
      async () => {
        const images = [{ bytes: this.#picture() }, { bytes: this.#picture() }];
        await this.#expect("uploadQueries", client.uploadQueries(known(), images));
      },
      async () =>
        void (await this.#expect("removeQuery", client.removeQuery(known(), imageHash(this.#picture())))),
      async () => void (await this.#expect("commitLookupSlot", client.commitLookup(known()))),
      async () => void (await this.#expect("getLookupSlotResults", client.results(known()))),
      async () => void (await this.#expect("abandonLookupSlot", client.abandonLookup(known()))),
    ];
  }

  #ofSequences(): (() => Promise<void>)[] {
    const client = this.#sequences;
    const nothing = { sequenceId: "unknown", ticket: "unknown" };
    const known = (): TicketedSequence => this.#openSequences.any(this.#random, nothing);
    const admit = (frame: (sequence: TicketedSequence) => Uint8Array) => async (): Promise<void> => {
      const sequence = known();
      if (sequence !== nothing) await this.#expect("admitFrames", client.admit(sequence, [frame(sequence)]));
    };
    const body = (sequence: TicketedSequence): Uint8Array =>
      bodyFrame(sequence, 1 + Math.floor(3 * this.#random()), this.#picture());
    return [
      async () => {
        const opened = await this.#expect("openSequence", client.openSequence());
        if (opened !== null) this.#openSequences.add(opened);
      },
      admit(body),
      admit(body),
      admit((sequence) => endFrame(sequence, 4)),
      async () =>
        void (await this.#expect("removeFrame", client.remove(known(), 1 + Math.floor(3 * this.#random())))),
      async () => void (await this.#expect("getSequenceGaps", client.gaps(known()))),
      async () => void (await this.#expect("commitSequence", client.commit(known()))),
      async () => void (await this.#expect("abandonSequence", client.abandon(known()))),
    ];
  }

  #ofOperator(): (() => Promise<void>)[] {
    const original = (): string =>
      `/admin/originals/${this.#registrations.any(this.#random, { id: "", originalImageHash: "0".repeat(64) }).originalImageHash}`;
    const post = (route: OperationId, path: () => string) => async (): Promise<void> =>
      void (await this.#expect(route, this.#operator.call<null>("POST", path(), { reason: "a trial" })));
    const grant = (units: () => number) => async (): Promise<void> => {
      const grants = { registrations: units(), lookups: units() };
      await this.#expect("updateAccount", this.#operator.call<object>("PATCH", this.#account, grants));
    };
    return [
      grant(() => Math.floor(20 * this.#random())),
      grant(() => 1_000_000),
      grant(() => 1_000_000),
      post("suspendAccount", () => `${this.#account}/suspend`),
      post("resumeAccount", () => `${this.#account}/resume`),
      post("resumeAccount", () => `${this.#account}/resume`),
      post("resumeAccount", () => `${this.#account}/resume`),
      post("setOriginalAside", () => `${original()}/set-aside`),
      post("reinstateOriginal", () => `${original()}/reinstate`),
      post("takeDownOriginal", () => `${original()}/take-down`),
    ];
  }
}

if (import.meta.main) {
  await runTrial({ calls: 3_000, clients: 12, seed: 1 }, runEndpointRaces);
}
