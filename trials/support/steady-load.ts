import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";

const WIDTH = 200;
const HEIGHT = 140;
const CALLERS = 2;

/** Clients that register pictures and look crops of theirs up, one call after the other, through whatever happens. */
export class SteadyLoad {
  readonly #token: string;
  readonly #callers: Promise<void>[] = [];
  readonly #over = new AbortController();
  readonly #registered: string[] = [];
  readonly #wrong: string[] = [];
  #baseUrl: string;
  #seed: number;
  #right = 0;
  #turnedAway = 0;

  constructor(baseUrl: string, token: string, seed: number) {
    this.#baseUrl = baseUrl;
    this.#token = token;
    this.#seed = seed;
    for (let n = 0; n < CALLERS; n += 1) this.#callers.push(this.#callOnAndOn());
  }

  /** Goes on at another address. */
  move(baseUrl: string): void {
    this.#baseUrl = baseUrl;
  }

  /** Originals that were answered as registered. */
  get registered(): readonly string[] {
    return this.#registered;
  }

  /**
   * Ends it.
   * @returns what was answered right, what was turned away (503, or no answer at all), and answers that were neither
   */
  async end(): Promise<{ right: number; turnedAway: number; wrong: readonly string[] }> {
    this.#over.abort();
    await Promise.all(this.#callers);
    return { right: this.#right, turnedAway: this.#turnedAway, wrong: this.#wrong };
  }

  async #callOnAndOn(): Promise<void> {
    while (!this.#over.signal.aborted) {
      this.#seed += 1;
      const picture = await paintedPicture(this.#seed, WIDTH, HEIGHT);
      const hash = await this.#register(picture);
      if (hash === null) await sleep(200);
      else await this.#lookUp(await derivedPicture(picture), hash);
    }
  }

  async #register(picture: Uint8Array): Promise<string | null> {
    const reply = await new ApiClient(this.#baseUrl, this.#token).register(picture).catch(() => null);
    if (!this.#count("registration", reply?.status) || reply === null) return null;
    this.#registered.push(reply.body.originalImageHash);
    return reply.body.originalImageHash;
  }

  async #lookUp(crop: Uint8Array, hash: string): Promise<void> {
    const reply = await new ApiClient(this.#baseUrl, this.#token).lookUp(crop).catch(() => null);
    if (!this.#count("look-up", reply?.status) || reply === null) return;
    if (!reply.body.matchedOriginalImageHashes.includes(hash)) {
      this.#wrong.push(`a crop does not find ${hash}`);
    }
  }

  /** @returns whether it was answered */
  #count(what: string, status: number | undefined): boolean {
    if (status === 200) this.#right += 1;
    else if (status === undefined || status === 503) this.#turnedAway += 1;
    else this.#wrong.push(`${what}: status ${status}`);
    return status === 200;
  }
}
