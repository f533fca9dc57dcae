import {
  consistencyProof,
  parseDecimal,
  parseNote,
  verifySignatures,
  writeAddCheckpoint,
} from "@colophon/log";
import type { Logger } from "pino";
import type { KnownWitness } from "../config/environment.ts";
import type { Database } from "../store/database.ts";
import { addCosignature, latestCheckpoint, type SignedCheckpoint } from "../store/log/checkpoints.ts";
import { tileReader } from "../store/log/tree.ts";
import { post } from "./post.ts";

/** How long after a failure, or for want of news, the witnesses are asked again. */
const AGAIN_MS = 60_000;
const MAX_ANSWER = 16_384;

/** Asks the witnesses of a log for their cosignatures (C2SP tlog-witness), one request at a time each; nobody waits for them. */
export class Witnesses implements AsyncDisposable {
  readonly #database: Database;
  readonly #log: Pick<Logger, "warn" | "info">;
  readonly #visits: readonly Visits[];
  readonly #timer: NodeJS.Timeout;

  constructor(database: Database, witnesses: readonly KnownWitness[], log: Pick<Logger, "warn" | "info">) {
    this.#database = database;
    this.#log = log;
    this.#visits = witnesses.map((witness) => new Visits(witness));
    this.#timer = setInterval(() => this.ask(), AGAIN_MS).unref();
  }

  /** Has every witness asked for the latest checkpoint, unless it has signed it. */
  ask(): void {
    for (const visits of this.#visits) visits.ask(this.#database, this.#log);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#visits.map((visits) => visits.end()));
  }
}

/** The requests to one witness. */
class Visits {
  readonly #witness: KnownWitness;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #asked = false;
  /** The size that it has signed last, as far as is known. */
  #seen = 0;
  #fault: string | null = null;

  constructor(witness: KnownWitness) {
    this.#witness = witness;
  }

  ask(database: Database, log: Pick<Logger, "warn" | "info">): void {
    this.#asked = true;
    this.#running ??= this.#work(database, log).finally(() => (this.#running = null));
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #work(database: Database, log: Pick<Logger, "warn" | "info">): Promise<void> {
    const { name } = this.#witness.key;
    while (this.#asked && !this.#stop.signal.aborted) {
      this.#asked = false;
      const fault = await this.#visit(database).catch((error: unknown) =>
        error instanceof Error ? error.name : "unknown",
      );
      if (fault !== null && fault !== this.#fault) {
        log.warn({ witness: name, fault }, "a witness gives no cosignature");
      }
      if (fault === null && this.#fault !== null) log.info({ witness: name }, "a witness cosigns again");
      this.#fault = fault;
    }
  }

  /** @returns what was wrong; null for nothing */
  async #visit(database: Database): Promise<string | null> {
    const checkpoint = await latestCheckpoint(database);
    if (checkpoint === null || checkpoint.size === 0 || this.#hasSigned(checkpoint)) return null;
    const first = await this.#send(database, checkpoint);
    if (first.status !== 409) return this.#take(database, checkpoint, first);
    const seen = parseDecimal(first.text.trim());
    if (seen > checkpoint.size) return `it has seen ${seen} entries, and the log has ${checkpoint.size}`;
    this.#seen = seen;
    return this.#take(database, checkpoint, await this.#send(database, checkpoint));
  }

  async #send(
    database: Database,
    { size, note }: SignedCheckpoint,
  ): Promise<{ status: number; text: string }> {
    const oldSize = Math.min(this.#seen, size);
    const hashes = await consistencyProof(oldSize, size, tileReader(database));
    const body = writeAddCheckpoint({ oldSize, hashes, checkpoint: note });
    const answer = await post(`${this.#witness.url}/add-checkpoint`, "text/plain", Buffer.from(body), {
      limit: MAX_ANSWER,
      signal: this.#stop.signal,
    });
    return { status: answer.status, text: answer.body.toString("utf8") };
  }

  async #take(
    database: Database,
    { size, note }: SignedCheckpoint,
    { status, text }: { status: number; text: string },
  ): Promise<string | null> {
    if (status !== 200) return `status ${status}`;
    const line = `${text.split("\n").find((one) => this.#isOurs(note, `${one}\n`)) ?? ""}\n`;
    if (line === "\n") return "its answer has no signature by its key";
    await addCosignature(database, size, line);
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
