import { setTimeout as sleep } from "node:timers/promises";
import type { DecodeCost } from "../image/coded/decode-cost.ts";
import type { DeclineName } from "../image/coded/header/declined.ts";
import type { Picture } from "../image/coded/read-picture.ts";
import { type Answer, DecoderLife } from "./decoder-life.ts";
import { DECODE, type DecoderSetting, DROP, pictureOf } from "./messages.ts";

/** The image itself is why there is no picture. */
export interface Declined {
  readonly outcome: "declined";
  readonly name: DeclineName | "ImageFailed";
  readonly message: string;
}

/** The process ended under the image; another one serves by now, or soon. */
export interface Lost {
  readonly outcome: "lost";
  /** Whether it failed at the image, rather than being ended by somebody, or for having hung. */
  readonly failed: boolean;
}

export interface Weighed {
  readonly outcome: "weighed";
  readonly cost: DecodeCost;
}

export interface Read {
  readonly outcome: "read";
  readonly picture: Picture;
}

export interface DecoderOptions extends DecoderSetting {
  /** The module that a decoder process runs. */
  readonly entry?: URL | undefined;
}

/** Reading an image and its headers; more is a decoder that hangs. */
const WEIGH_SECONDS = 60;
/**
 * The clock's seconds for one of the processor's, which others may want, too. More is a decoder that hangs, and
 * nobody's fault.
 */
const CLOCK_SHARE = 10;
/** A process that could not be started is started again after this rest. */
const RESTART_REST_MILLISECONDS = 1000;
/** How long an image waits for a process that is being replaced. */
const PATIENCE_MILLISECONDS = 30_000;
/** A process that holds more than this between two images is replaced. One that has just begun holds some 70 MB. */
const RESTING_BYTES = 201_326_592;

const TOO_SLOW = {
  outcome: "declined",
  name: "ImageTooSlow",
  message: "The image took too long to decode.",
} as const;
const TOO_LARGE = {
  outcome: "declined",
  name: "ImageTooCostly",
  message: "Decoding the image took more memory than its headers announced.",
} as const;

const ENTRY = new URL(
  `./decoder-process${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`,
  import.meta.url,
);

/**
 * A place where images are decoded, one at a time: a process of its own, that is killed when an image takes it too
 * long, and replaced whenever it ends. What is said of an image is said once no decode of it is under way.
 */
export class Decoder implements AsyncDisposable {
  readonly #options: DecoderOptions;
  /** Processes that are not gone; the last one serves, or soon will. */
  readonly #lives = new Set<DecoderLife>();
  #serving: Promise<DecoderLife>;
  /** The image that was weighed last. */
  #weighed: { readonly life: DecoderLife; readonly seconds: number } | null = null;
  readonly #replaced = new WeakSet<DecoderLife>();
  #isServing = false;
  #closed = false;

  private constructor(options: DecoderOptions) {
    this.#options = options;
    this.#serving = this.#start();
  }

  /** @throws {Error} when its first process does not serve */
  static async open(options: DecoderOptions): Promise<Decoder> {
    const decoder = new Decoder(options);
    await decoder.#serving;
    return decoder;
  }

  /** Whether a process is there that takes images. */
  get isServing(): boolean {
    return this.#isServing;
  }

  /** Ids of its processes. */
  get pids(): readonly number[] {
    return [...this.#lives].flatMap((life) => life.pid ?? []);
  }

  /**
   * Sends an image and has its headers read. After `weighed` it is to be read or dropped.
   *
   * @param parts the image's bytes, not empty; only read, and not after the promise settles
   */
  async weigh(parts: readonly Uint8Array[]): Promise<Weighed | Declined | Lost> {
    const life = await this.#inTime();
    if (life === null) return { outcome: "lost", failed: false };
    const answer = await life.send(parts, WEIGH_SECONDS);
    if (answer.message?.kind !== "cost") return this.#otherwise(life, answer);
    const { cost } = answer.message;
    this.#weighed = { life, seconds: CLOCK_SHARE * cost.seconds };
    return { outcome: "weighed", cost };
  }

  /** Decodes the image that was weighed. Its luma is the caller's to zero. */
  async read(): Promise<Read | Declined | Lost> {
    const { life, seconds } = this.#takeWeighed();
    const answer = await life.command(DECODE, seconds);
    const { message, raster } = answer;
    if (message?.kind !== "decoded" || message.lumaWidth * message.lumaHeight !== raster.length) {
      return this.#otherwise(life, answer);
    }
    this.#rest(life, message.residentBytes);
    return { outcome: "read", picture: pictureOf(message, raster) };
  }

  /** Forgets the image that was weighed. */
  async drop(): Promise<void> {
    const { life } = this.#takeWeighed();
    const { message } = await life.command(DROP, WEIGH_SECONDS);
    if (message?.kind === "dropped") this.#rest(life, message.residentBytes);
  }

  /** Ends every process and waits until they are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const life of this.#lives) life.kill();
    await Promise.all(Array.from(this.#lives, (life) => life.gone));
  }

  /** The process that serves; null when none does for too long. */
  async #inTime(): Promise<DecoderLife | null> {
    const patience = new AbortController();
    try {
      const { signal } = patience;
      return await Promise.race([this.#serving, sleep(PATIENCE_MILLISECONDS, null, { signal })]);
    } finally {
      patience.abort();
    }
  }

  #takeWeighed(): { readonly life: DecoderLife; readonly seconds: number } {
    const weighed = this.#weighed;
    if (weighed === null) throw new TypeError("No image was weighed.");
    this.#weighed = null;
    return weighed;
  }

  async #start(): Promise<DecoderLife> {
    const life = new DecoderLife(this.#options.entry ?? ENTRY, this.#options);
    this.#lives.add(life);
    void life.gone.then(() => this.#lives.delete(life));
    await life.ready();
    this.#isServing = true;
    void life.gone.then(() => this.#replace(life));
    return life;
  }

  /** Has another process take over from one that ended, or is about to. */
  #replace(life: DecoderLife): void {
    if (this.#closed || this.#replaced.has(life)) return;
    this.#replaced.add(life);
    this.#isServing = false;
    this.#serving = this.#startAgain();
    // Nobody may be waiting when the place is closed.
    this.#serving.catch(() => {});
  }

  async #startAgain(): Promise<DecoderLife> {
    for (;;) {
      try {
        return await this.#start();
      } catch (error) {
        if (this.#closed) throw error;
        await sleep(RESTART_REST_MILLISECONDS, undefined, { ref: false });
      }
    }
  }

  /** What an answer other than the one hoped for says of the image, once nothing more is done with it. */
  async #otherwise(life: DecoderLife, { message, end }: Answer): Promise<Declined | Lost> {
    if (message === null) return { outcome: "lost", failed: end === "failed" };
    if (message.kind !== "declined") {
      life.kill();
      await life.gone;
      if (message.kind !== "exhausted") return { outcome: "lost", failed: true };
      return message.exceeded === "time" ? TOO_SLOW : TOO_LARGE;
    }
    this.#rest(life, message.residentBytes);
    return { outcome: "declined", name: message.name, message: message.message };
  }

  /** Replaces a process that has kept too much. */
  #rest(life: DecoderLife, residentBytes: number): void {
    if (residentBytes <= RESTING_BYTES) return;
    this.#replace(life);
    life.kill();
  }
}
