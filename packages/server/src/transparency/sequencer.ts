import { setTimeout as sleep } from "node:timers/promises";
import { type Checkpoint, checkpointText, isSameHash, rootOf, signNote, writeNote } from "@colophon/log";
import type { Logger } from "pino";
import type { LogSigner } from "../keys/log-signer.ts";
import { Outage } from "../outage.ts";
import { type Database, type Write, writing } from "../store/database.ts";
import { reasonOf } from "../store/database-fault.ts";
import { insertCheckpoint, latestCheckpoint } from "../store/log/checkpoints.ts";
import {
  beginTree,
  isBehind,
  lockLog,
  type LogTree,
  readTree,
  tileReader,
  tryLockLog,
} from "../store/log/tree.ts";
import { enterPending } from "./enter-pending.ts";
import { type Origin, originLine, parseOrigin } from "./origin.ts";
import type { SignedHead } from "./signed-head.ts";

/** How long an entry waits for the next round, at most. */
const ROUND_MS = 500;

/** What the sequencer works with. */
export interface SequencerParts {
  readonly database: Database;
  readonly signer: LogSigner;
  readonly head: SignedHead;
  /** Of a log that begins now; one that there is keeps its own. */
  readonly origin: string;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Is called after every checkpoint that this process has signed. */
  readonly onSigned: () => void;
}

/**
 * Enters what waits in the log's tree, and signs checkpoints. Every process has one; whose turn it is, an advisory lock
 * says, for a transaction at a time. The tree is committed before any of it is signed, and what is signed is what
 * another transaction reads of it: no process signs from memory.
 */
export class Sequencer implements AsyncDisposable {
  readonly #parts: SequencerParts;
  readonly #stop = new AbortController();
  readonly #outage: Outage;
  #running: Promise<void> = Promise.resolve();
  #origin: Origin = { origin: "", generation: 1 };

  private constructor(parts: SequencerParts) {
    this.#parts = parts;
    this.#outage = new Outage(
      (reason) => parts.log.warn({ reason }, "the log is not kept at the moment"),
      () => parts.log.info("the log is kept again"),
    );
  }

  /** Opens the log, or begins it; entering and signing goes on until it is disposed. */
  static async start(parts: SequencerParts): Promise<Sequencer> {
    const sequencer = new Sequencer(parts);
    await writing(parts.database, async (write) => {
      await lockLog(write);
      sequencer.#origin = await sequencer.#opened(write);
    });
    await sequencer.#round();
    sequencer.#running = sequencer.#work();
    return sequencer;
  }

  /** Of the log as it was at the start. */
  get origin(): Origin {
    return this.#origin;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let more = false;
      try {
        more = await this.#round();
        this.#outage.note(null);
      } catch (error) {
        this.#outage.note(reasonOf(error));
      }
      if (!more) await sleep(ROUND_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** @returns whether more may wait */
  async #round(): Promise<boolean> {
    const { database } = this.#parts;
    if (!(await isBehind(database))) return false;
    const more = await writing(database, async (write) => {
      if (!(await tryLockLog(write))) return false;
      return enterPending(write, await this.#opened(write));
    });
    const signed = await writing(database, async (write) =>
      (await tryLockLog(write)) ? this.#sign(write, await this.#opened(write)) : false,
    );
    if (signed) this.#parts.onSigned();
    return more;
  }

  /** The tree, if it begins with all that was signed; else a new one, under an origin of its own. */
  async #opened(write: Write): Promise<LogTree> {
    const { head, origin, log } = this.#parts;
    const tree = await readTree(write);
    const signed = await head.read();
    if (tree !== null && (signed === null || (await beginsWith(write, tree, signed)))) return tree;
    const own = tree?.origin ?? origin;
    const before = signed === null ? null : parseOrigin(signed.origin);
    const last = Math.max(tree?.generation ?? 0, before?.origin === own ? before.generation : 0);
    const next = { origin: own, generation: last + 1 };
    if (last > 0) {
      const named = { before: signed?.origin, now: originLine(next) };
      log.error(named, "the database is older than what the log has signed: the log begins again");
    }
    return beginTree(write, next);
  }

  /** @returns whether there was anything to sign */
  async #sign(write: Write, tree: LogTree): Promise<boolean> {
    if ((await latestCheckpoint(write))?.size === tree.size) return false;
    const { signer, head } = this.#parts;
    const checkpoint: Checkpoint = { origin: originLine(tree), size: tree.size, root: tree.root };
    await head.write(checkpoint);
    const text = checkpointText(checkpoint);
    const note = writeNote({
      text,
      signatures: [signNote(text, signer.keyOf(checkpoint.origin), signer.sign)],
    });
    await insertCheckpoint(write, tree.size, note);
    return true;
  }
}

/** Whether a tree begins with the one that was signed last, as far as that is of the same log. */
async function beginsWith(write: Write, tree: LogTree, signed: Checkpoint): Promise<boolean> {
  const { origin, generation } = parseOrigin(signed.origin);
  if (origin !== tree.origin || generation < tree.generation) return true;
  if (generation > tree.generation || signed.size > tree.size) return false;
  return isSameHash(await rootOf(signed.size, tileReader(write)), signed.root);
}
