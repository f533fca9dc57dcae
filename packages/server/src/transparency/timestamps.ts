import type { Logger } from "pino";
import { Outage } from "../outage.ts";
import type { Database } from "../store/database.ts";
import { isTimestamped, latestCheckpoint, readTimestamp, setTimestamp } from "../store/log/checkpoints.ts";
import { faultOf, post } from "./post.ts";
import { grantsTimestamp, timestampRequest } from "./timestamp-request.ts";

const LOOK_MS = 60_000;
const MAX_ANSWER = 65_536;

/**
 * Has a time-stamping authority (RFC 3161) sign the latest checkpoint, once a UTC day on which there is one that it has
 * not signed.
 */
export class Timestamps implements AsyncDisposable {
  readonly #database: Database;
  readonly #url: string;
  readonly #outage: Outage;
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;

  constructor(database: Database, url: string, log: Pick<Logger, "warn" | "info">) {
    this.#database = database;
    this.#url = url;
    this.#outage = new Outage(
      (fault) => log.warn({ fault }, "the checkpoint has no timestamp yet"),
      () => log.info("checkpoints are timestamped again"),
    );
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Looks whether a timestamp is due, and asks for it. */
  look(): void {
    this.#running ??= this.#work().finally(() => (this.#running = null));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    const fault = await this.#stamp().catch(faultOf);
    // What the stop itself broke off is no fault.
    if (!this.#stop.signal.aborted) this.#outage.note(fault);
  }

  /** @returns what was wrong; null for nothing */
  async #stamp(): Promise<string | null> {
    const now = new Date();
    const checkpoint = await latestCheckpoint(this.#database);
    if (checkpoint === null || checkpoint.size === 0) return null;
    if (await isTimestamped(this.#database, now.toISOString().slice(0, 10))) return null;
    if ((await readTimestamp(this.#database, checkpoint.size)) !== null) return null;
    const request = Uint8Array.from(timestampRequest(Buffer.from(checkpoint.note)));
    const { status, body } = await post(this.#url, "application/timestamp-query", request, {
      limit: MAX_ANSWER,
      signal: this.#stop.signal,
    });
    if (status !== 200) return `status ${status}`;
    if (!grantsTimestamp(body, request)) return "its answer grants nothing about the checkpoint";
    await setTimestamp(this.#database, checkpoint.size, body, now);
    return null;
  }
}
