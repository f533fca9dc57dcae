import { type NamedRoute, type RefusalCode, REFUSALS, ROUTES, routeOf } from "@colophon/contract";
import { createAccount } from "@colophon/testing/api-client.ts";
import { bodyFrame, endFrame, SequenceClient } from "@colophon/testing/sequence-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash, imageMaker } from "@colophon/testing/test-pictures.ts";

const PATIENCE_MS = 30_000;

/** An answer with how long it took. */
export interface TimedAnswer {
  readonly route: NamedRoute;
  readonly status: number;
  readonly title: string | null;
  readonly retryAfter: string | null;
  readonly milliseconds: number;
}

/** A sound request for every route that takes a token, on an account with something of each kind. */
export class EveryRoute {
  readonly accountId: string;
  readonly token: string;
  readonly #baseUrl: string;
  readonly #adminToken: string;
  readonly #params: Readonly<Record<string, string>>;
  readonly #ticket: string;
  readonly #image: Uint8Array;
  readonly #frame: Uint8Array;

  private constructor(
    service: { baseUrl: string; adminToken: string },
    account: { accountId: string; token: string },
    held: { params: Readonly<Record<string, string>>; ticket: string; image: Uint8Array; frame: Uint8Array },
  ) {
    this.#baseUrl = service.baseUrl;
    this.#adminToken = service.adminToken;
    this.accountId = account.accountId;
    this.token = account.token;
    this.#params = held.params;
    this.#ticket = held.ticket;
    this.#image = held.image;
    this.#frame = held.frame;
  }

  /**
   * Makes an account and what the routes name: a registration, a slot of each kind with an image, a sequence with a
   * frame.
   */
  static async prepare(baseUrl: string, adminToken: string, seed: number): Promise<EveryRoute> {
    const account = await createAccount(baseUrl, adminToken, {
      registrations: 1000,
      lookups: 1000,
      sequencesEnabled: true,
    });
    const image = imageMaker(seed);
    const [registered, held, query, framed, posted] = [
      await image(),
      await image(),
      await image(),
      await image(),
      await image(),
    ];
    const slots = new SlotClient(baseUrl, account.token);
    const registration = (await slots.register(Buffer.from(registered))).body;
    const { slotId } = (await slots.openSlot()).body;
    await slots.upload(slotId, [{ bytes: held }]);
    const { lookupSlotId } = (await slots.openLookupSlot()).body;
    await slots.uploadQueries(lookupSlotId, [{ bytes: query }]);
    const sequences = new SequenceClient(baseUrl, account.token);
    const sequence = (await sequences.openSequence()).body;
    const frame = bodyFrame(sequence, 1, framed);
    await sequences.admit(sequence, [frame, endFrame(sequence, 2)]);
    const params = {
      registrationId: registration.id,
      originalImageHash: registration.originalImageHash,
      slotId,
      imageHash: imageHash(held),
      lookupSlotId,
      sequenceId: sequence.sequenceId,
      frameId: "1",
      accountId: account.accountId,
      tokenId: "00000000-0000-4000-8000-000000000000",
    };
    return new EveryRoute({ baseUrl, adminToken }, account, {
      params,
      ticket: sequence.ticket,
      image: posted,
      frame,
    });
  }

  /** The same requests to another process on the same data. */
  at(baseUrl: string): EveryRoute {
    const { accountId, token } = this;
    const held = { params: this.#params, ticket: this.#ticket, image: this.#image, frame: this.#frame };
    return new EveryRoute({ baseUrl, adminToken: this.#adminToken }, { accountId, token }, held);
  }

  /** Asks every route that takes a token, all at once. */
  askAll(): Promise<readonly TimedAnswer[]> {
    return Promise.all(TOKEN_ROUTES.map((route) => this.ask(route)));
  }

  /** Asks every route that takes a token, one after the other, what deletes last. */
  async askInTurn(): Promise<readonly TimedAnswer[]> {
    const answers: TimedAnswer[] = [];
    for (const route of TOKEN_ROUTES.toSorted((a, b) => rank(a) - rank(b))) {
      answers.push(await this.ask(route));
    }
    return answers;
  }

  async ask(route: NamedRoute): Promise<TimedAnswer> {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#params[name] ?? "");
    const body = this.#body(route);
    const began = performance.now();
    const response = await fetch(this.#baseUrl + path, {
      method: route.method,
      headers: {
        authorization: `Bearer ${route.auth === "admin" ? this.#adminToken : this.token}`,
        "x-sequence-ticket": this.#ticket,
        ...(typeof body === "string" && { "content-type": "application/json" }),
      },
      ...(body !== null && { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const isProblem = response.headers.get("content-type") === "application/problem+json";
    const title: unknown = isProblem ? JSON.parse(text).title : null;
    return {
      route,
      status: response.status,
      title: typeof title === "string" ? title : null,
      retryAfter: response.headers.get("retry-after"),
      milliseconds: Math.round(performance.now() - began),
    };
  }

  #body({ operationId, body }: NamedRoute): FormData | string | null {
    if (body === undefined) return null;
    if (body.kind === "json") return JSON.stringify(this.#json(operationId));
    const form = new FormData();
    const parts = body.parts.map(({ part }) => part);
    if (parts.includes("manifest")) {
      form.append("manifest[credit]", new Blob(["{}"], { type: "application/json" }));
    }
    if (parts.includes("image")) form.append("image", jpeg(this.#image), "image.jpg");
    if (parts.includes("file")) form.append("query", jpeg(this.#image), "image.jpg");
    if (parts.includes("frame")) form.append("frame", new Blob([Uint8Array.from(this.#frame)]), "frame.px");
    return form;
  }

  #json(operationId: string): object {
    switch (operationId) {
      case "getRecords":
        return { originalImageHashes: [this.#params["originalImageHash"]] };
      case "setExpectedSize":
        return { expectedSize: 3 };
      default:
        return {};
    }
  }
}

const TOKEN_ROUTES = ROUTES.filter(({ auth }) => auth !== "none");

/** The one route with a token whose answer is in memory. */
const KNOWN_BY_HEART = "getTrustRoot";

/**
 * What is wrong with the answers that a service without its database gave; every one must be 503, in time, and say when
 * to come again.
 */
export function faultsOf(answers: readonly TimedAnswer[], limitMs: number): readonly string[] {
  return answers.flatMap((answer) => {
    const { route, status, title, retryAfter, milliseconds } = answer;
    if (route.operationId === KNOWN_BY_HEART && status === 200) return [];
    const name = `${route.method} ${route.path}`;
    const expected = REFUSALS[unavailableOn(route)].title;
    return [
      ...(status === 503 && title === expected ? [] : [`${name}: ${status} ${title ?? ""}, not ${expected}`]),
      ...(/^[1-9]\d*$/.test(retryAfter ?? "") ? [] : [`${name}: no Retry-After`]),
      ...(milliseconds <= limitMs ? [] : [`${name}: answered after ${milliseconds} ms`]),
    ];
  });
}

/** How a route says that the service cannot answer for the moment. */
export function unavailableOn(route: NamedRoute): RefusalCode {
  const ownCode: RefusalCode = "imageCouldNotBeCheckedYet";
  return routeOf(route.operationId).refusals.includes(ownCode) ? ownCode : "serviceUnavailable";
}

/** Reads first, then what adds, then commits, then what deletes. */
function rank({ method, operationId }: NamedRoute): number {
  if (method === "GET") return 0;
  if (method === "DELETE") return 3;
  return operationId.startsWith("commit") ? 2 : 1;
}

function jpeg(bytes: Uint8Array): Blob {
  return new Blob([Uint8Array.from(bytes)], { type: "image/jpeg" });
}
