import {
  consistencyProof,
  parseDecimal,
  parseNote,
  verifySignatures,
  writeAddCheckpoint,
} from "@colophon/log";
import type { Logger } from "pino";
import type { KnownWitness } from "../config/setting-values.ts";
import { Outage } from "../outage.ts";
import type { Database } from "../store/database.ts";
import { addCosignature, latestCheckpoint, type SignedCheckpoint } from "../store/log/checkpoints.ts";
import { tileReader } from "../store/log/tree.ts";
import { faultOf, post } from "./post.ts";

/** How long after a failure, or for want of news, the witnesses are asked again. */
const AGAIN_MS = 60_000;
const MAX_ANSWER = 16_384;

/**
 * Asks the witnesses of a log for their cosignatures (C2SP tlog-witness), one request at a time each; nobody waits for
 * them.
 */
export class Witnesses implements AsyncDisposable {
  readonly #visits: readonly Visits[];
  readonly #timer: NodeJS.Timeout;

  constructor(database: Database, witnesses: readonly KnownWitness[], log: Pick<Logger, "warn" | "info">) {
    this.#visits = witnesses.map((witness) => new Visits(database, witness, log));
    this.#timer = setInterval(() => this.ask(), AGAIN_MS).unref();
  }

  /** Has every witness asked for the latest checkpoint, unless it has signed it. */
  ask(): void {
    for (const visits of this.#visits) visits.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#visits.map((visits) => visits.end()));
  }
}

/** The requests to one witness. */
class Visits {
  readonly #database: Database;
  readonly #witness: KnownWitness;
  readonly #outage: Outage;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #asked = false;
  /** The size that it has signed last, as far as is known. */
  #seen = 0;

  constructor(database: Database, witness: KnownWitness, log: Pick<Logger, "warn" | "info">) {
    this.#database = database;
    this.#witness = witness;
    const { name } = witness.key;
    this.#outage = new Outage(
      (fault) => log.warn({ witness: name, fault }, "a witness gives no cosignature"),
      () => log.info({ witness: name }, "a witness cosigns again"),
    );
  }

  ask(): void {
    this.#asked = true;
    this.#running ??= this.#work().finally(() => (this.#running = null));
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    while (this.#asked && !this.#stop.signal.aborted) {
      this.#asked = false;
      const fault = await this.#visit().catch(faultOf);
      // What the stop itself broke off is no fault.
      if (!this.#stop.signal.aborted) this.#outage.note(fault);
    }
  }

  /** @returns what was wrong; null for nothing */
  async #visit(): Promise<string | null> {
    const checkpoint = await latestCheckpoint(this.#database);
    if (checkpoint === null || checkpoint.size === 0 || this.#hasSigned(checkpoint)) return null;
    const first = await this.#send(checkpoint);
    if (first.status !== 409) return this.#take(checkpoint, first);
    const seen = parseDecimal(first.text.trim());
    if (seen > checkpoint.size) return `it has seen ${seen} entries, and the log has ${checkpoint.size}`;
    this.#seen = seen;
    return this.#take(checkpoint, await this.#send(checkpoint));
  }

  async #send({ size, note }: SignedCheckpoint): Promise<{ status: number; text: string }> {
    const oldSize = Math.min(this.#seen, size);
    const hashes = await consistencyProof(oldSize, size, tileReader(this.#database));
    const body = writeAddCheckpoint({ oldSize, hashes, checkpoint: note });
    const answer = await post(`${this.#witness.url}/add-checkpoint`, "text/plain", Buffer.from(body), {
      limit: MAX_ANSWER,
      signal: this.#stop.signal,
    });
    return { status: answer.status, text: answer.body.toString("utf8") };
  }

  async #take(
    { size, note }: SignedCheckpoint,
    { status, text }: { status: number; text: string },
  ): Promise<string | null> {
    if (status !== 200) return `status ${status}`;
    const line = `${text.split("\n").find((one) => this.#isOurs(note, `${one}\n`)) ?? ""}\n`;
    if (line === "\n") return "its answer has no signature by its key";
    await addCosignature(this.#database, size, line);
    this.#seen = size;
    return null;
  }

  #hasSigned({ note, cosignatures }: SignedCheckpoint): boolean {
    return cosignatures.split("\n").some((line) => line !== "" && this.#isOurs(note, `${line}\n`));
  }

  /** Whether a line is the witness's signature of a checkpoint. */
  #isOurs(note: string, line: string): boolean {
    try {
      return verifySignatures(parseNote(note + line), [this.#witness.key]).length > 0;
    } catch {
      return false;
    }
  }
}
