import type { CommittedSequence, SequenceProgress } from "@colophon/contract";
import { blake3Hex, encodeFrame } from "@colophon/formats";
import { ColophonConnectionError, ColophonError } from "../http/errors.ts";
import type { ManifestInput } from "../http/parts.ts";
import { pause } from "../http/pause.ts";
import { SequenceLinks } from "../routes/sequence-links.ts";
import type { SequenceKey, Sequences } from "../routes/sequences.ts";
import type { CallOptions } from "../http/transport.ts";
import { workThrough } from "./work-through.ts";

/** An encoded still of a type that the service accepts. */
export type FrameImage = Blob | Uint8Array;

/** What it takes to go on with a sequence that is not committed. Keep it as it is: its ticket opens the sequence. */
export interface UnfinishedSequence extends SequenceKey {
  /** Ids of the frames that an earlier run has left out. */
  readonly leftOut: readonly number[];
}

/** How a sequence is registered. */
export interface SequenceOptions extends CallOptions {
  /** Of the sequence as a whole: they are in every frame's record. */
  readonly manifests?: readonly ManifestInput[] | undefined;
  /** How many frames there will be, if known; advice to the service. */
  readonly expectedSize?: number | undefined;
  /** A sequence of an earlier run to go on with; its manifests are those given then. */
  readonly sequence?: UnfinishedSequence | undefined;
  /** Leaves frames that match a registered original out of the chain. */
  readonly leaveOutErrata?: boolean | undefined;
  /** Called at every step, with the state of the whole run. */
  readonly onProgress?: ((progress: SequenceProgressReport) => void) | undefined;
  /** How many batches are under way at once; 2 unless told. */
  readonly concurrency?: number | undefined;
  /**
   * How many frames one batch carries at most; 8 unless told. It carries 32 MiB at most, a single longer frame apart.
   */
  readonly framesPerBatch?: number | undefined;
}

/** Where a run stands. */
export interface SequenceProgressReport {
  readonly phase: "sending" | "committing" | "done";
  /** Keep it to go on after an interruption. */
  readonly sequence: UnfinishedSequence;
  /** Frames read so far. */
  readonly frames: number;
  /** Frames read that the sequence held before this run. */
  readonly alreadyHeld: number;
  /** Frames that this run has sent and the sequence has admitted. */
  readonly sent: number;
  /** Frames that match a registered original. */
  readonly errata: number;
}

/** What became of one frame. */
export interface RegisteredFrame {
  /** Its place in the order given, from 1. */
  readonly frameId: number;
  /** BLAKE3-256 of the image, lowercase hex: under it the frame's record is read once it is published. */
  readonly originalImageHash: string;
  readonly state: "published" | "alreadyPublished" | "notPublished" | "erratum" | "leftOut";
  /** Why the engine did not publish it. */
  readonly refusalName: string | null;
}

/** What became of a sequence, one entry per frame in the order given. */
export interface SequenceResult {
  readonly sequence: UnfinishedSequence;
  /** `errata`: nothing was committed, because some frames match registered originals. */
  readonly outcome: CommittedSequence["outcome"] | "errata";
  /** Of a sequence that is committed. */
  readonly sequenceHash: string | null;
  readonly frames: readonly RegisteredFrame[];
}

type Container = Uint8Array<ArrayBuffer>;

const FRAMES_PER_BATCH = 8;
const BYTES_PER_BATCH = 32 * 2 ** 20;
/** How often a batch that could not be checked is sent, and a commit that did not come to its end. */
const TRIES = 3;
const PAUSE_SECONDS = 1;
/** How often the frames are read at most; more means that somebody else changes the sequence. */
const MOST_READINGS = 5;

/** One sequence from its frames to its record. */
export class SequenceRegistration {
  readonly #sequences: Sequences;
  readonly #key: SequenceKey;
  readonly #source: Iterable<FrameImage> | AsyncIterable<FrameImage>;
  readonly #options: SequenceOptions;
  readonly #links: SequenceLinks;
  /** BLAKE3 of the frames read, by frame id less one. */
  readonly #hashes: string[] = [];
  #errata: ReadonlySet<number> = new Set();
  #bytesPerBatch = BYTES_PER_BATCH;
  #progress: SequenceProgressReport;

  constructor(
    sequences: Sequences,
    key: SequenceKey,
    source: Iterable<FrameImage> | AsyncIterable<FrameImage>,
    options: SequenceOptions,
  ) {
    this.#sequences = sequences;
    this.#key = key;
    this.#source = source;
    this.#options = options;
    this.#links = new SequenceLinks(options.sequence?.leftOut ?? []);
    this.#progress = {
      phase: "sending",
      sequence: this.#unfinished(),
      frames: 0,
      alreadyHeld: 0,
      sent: 0,
      errata: 0,
    };
  }

  /**
   * Admits the frames, fills what is missing, seals, commits. When it throws, the sequence stays as far as it came.
   *
   * @throws ColophonError, ColophonConnectionError, the signal's reason
   */
  async run(): Promise<SequenceResult> {
    this.#report({});
    const standing = await this.#admitAll();
    if (this.#hashes.length === 0) throw new Error("There is no frame to register.");
    const isEmpty = standing.framesReceived === 0 && !isOver(standing);
    if (this.#errata.size > 0 || isEmpty) return this.#result("errata", null, []);
    this.#report({ phase: "committing" });
    if (standing.state === "open") await this.#sequences.admit(this.#key, [this.#end()], this.#options);
    const { outcome, sequenceHash, frames } = await this.#commit();
    return this.#result(outcome, sequenceHash, frames);
  }

  /** Reads the frames, again while any is missing, and sends those; answers how the sequence stands then. */
  async #admitAll(): Promise<SequenceProgress> {
    for (let reading = 1; ; reading += 1) {
      const before = await this.#standing();
      const sent = await this.#sendMissing(before);
      const after = sent === 0 ? before : await this.#sequences.progress(this.#key, this.#options);
      this.#errata = new Set(after.errata.map(({ frameId }) => frameId));
      this.#report({ errata: this.#errata.size });
      const toLeaveOut = this.#options.leaveOutErrata === true && this.#errata.size > 0;
      if (isOver(after) || (!toLeaveOut && this.#isWhole(after))) return after;
      if (reading === MOST_READINGS) throw new Error("The sequence is being changed by somebody else.");
    }
  }

  /** How the sequence stands, once the errata in it have been left out where that is wanted. */
  async #standing(): Promise<SequenceProgress> {
    const standing = await this.#sequences.progress(this.#key, this.#options);
    if (this.#options.leaveOutErrata !== true || standing.errata.length === 0) return standing;
    for (const { frameId } of standing.errata) this.#links.leaveOut(frameId);
    // Told before anything is removed: a run that is cut off here goes on with the right links.
    this.#report({ sequence: this.#unfinished() });
    for (const { frameId } of standing.errata) {
      // The frame after it names it as `prev`, which contradicts the new links until it is sent again.
      await this.#remove(this.#links.next(frameId));
      await this.#remove(frameId);
    }
    return this.#sequences.progress(this.#key, this.#options);
  }

  async #remove(frameId: number): Promise<void> {
    try {
      await this.#sequences.removeFrame(this.#key, frameId, this.#options);
    } catch (error) {
      if (!(error instanceof ColophonError && error.is("frameNotFound"))) throw error;
    }
  }

  #isWhole({ gaps, framesReceived }: SequenceProgress): boolean {
    const left = this.#links.leftOut.filter((frameId) => frameId <= this.#hashes.length);
    return gaps.length === 0 && framesReceived === this.#hashes.length - left.length;
  }

  /** Reads all frames and sends those that the sequence lacks; answers how many. */
  async #sendMissing(standing: SequenceProgress): Promise<number> {
    const before = this.#progress.sent;
    const isMissing = isOver(standing) ? () => false : this.#links.missingFrom(standing);
    await workThrough(this.#batches(isMissing), this.#options, (batch, options) =>
      this.#admit(batch, options),
    );
    return this.#progress.sent - before;
  }

  /** The missing frames as containers, in batches of bounded size. */
  async *#batches(
    isMissing: (frameId: number) => boolean,
  ): AsyncGenerator<Container[], undefined, undefined> {
    const { framesPerBatch = FRAMES_PER_BATCH, signal } = this.#options;
    let [batch, size, frameId]: [Container[], number, number] = [[], 0, 0];
    for await (const image of this.#source) {
      signal?.throwIfAborted();
      frameId += 1;
      const bytes = image instanceof Blob ? new Uint8Array(await image.arrayBuffer()) : image;
      const missing = isMissing(frameId);
      this.#read(frameId, bytes, missing);
      if (!missing) continue;
      const container = this.#body(frameId, bytes);
      const full = batch.length >= framesPerBatch || size + container.length > this.#bytesPerBatch;
      if (batch.length > 0 && full) {
        yield batch;
        [batch, size] = [[], 0];
      }
      batch.push(container);
      size += container.length;
    }
    if (frameId < this.#hashes.length) {
      throw new Error("Frames are missing, and they cannot be read again: give an array of them.");
    }
    if (batch.length > 0) yield batch;
  }

  #read(frameId: number, bytes: Uint8Array, missing: boolean): void {
    if (frameId <= this.#hashes.length) return;
    this.#hashes.push(blake3Hex(bytes));
    const held = this.#progress.alreadyHeld + (missing ? 0 : 1);
    this.#report({ frames: frameId, alreadyHeld: held });
  }

  /** Sends a batch; in halves when it is more than the service takes at once. */
  async #admit(batch: readonly Container[], options: CallOptions): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#sequences.admit(this.#key, batch, options);
        this.#report({ sent: this.#progress.sent + batch.length });
        return;
      } catch (error) {
        if (batch.length > 1 && isTooMuch(error)) return this.#admitHalves(batch, options);
        // The engine may be busy, which this refusal does not tell apart from an image that it cannot read.
        const again = error instanceof ColophonError && error.is("imageCouldNotBeChecked");
        if (!again || attempt === TRIES) throw error;
      }
      await pause(PAUSE_SECONDS * attempt, options.signal);
    }
  }

  async #admitHalves(batch: readonly Container[], options: CallOptions): Promise<void> {
    const size = batch.reduce((sum, { length }) => sum + length, 0);
    this.#bytesPerBatch = Math.min(this.#bytesPerBatch, size >> 1);
    const middle = (batch.length + 1) >> 1;
    await this.#admit(batch.slice(0, middle), options);
    await this.#admit(batch.slice(middle), options);
  }

  #body(frameId: number, image: Uint8Array): Container {
    const { sequenceId } = this.#key;
    const [prev, next] = [this.#links.prev(frameId), this.#links.next(frameId)];
    return encodeFrame({ type: "BODY", sequenceId, frameId, prev, next, image });
  }

  #end(): Container {
    const { sequenceId } = this.#key;
    const frameId = this.#hashes.length + 1;
    return encodeFrame({ type: "END", sequenceId, frameId, prev: this.#links.prev(frameId), next: null });
  }

  /**
   * Commits; again while no answer comes, or while nothing that the answer names keeps it incomplete. A sequence that
   * is committed already answers with its record.
   */
  async #commit(): Promise<CommittedSequence> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const committed = await this.#sequences.commit(this.#key, this.#options);
        const refused = committed.frames.some(({ refusalName }) => refusalName !== null);
        if (committed.outcome !== "incomplete" || refused || attempt === TRIES) return committed;
      } catch (error) {
        const closed = error instanceof ColophonError && error.is("sequenceDoesNotAcceptThisCommand");
        if (closed) return this.#committed();
        if (!(error instanceof ColophonConnectionError) || attempt === TRIES) throw error;
      }
      await pause(PAUSE_SECONDS, this.#options.signal);
    }
  }

  /** What the answer of the commit that closed the sequence would say now. */
  async #committed(): Promise<CommittedSequence> {
    const { sequenceHash, outcome } = await this.#sequences.results(this.#key, this.#options);
    return { sequenceHash, outcome, sequenceRecordPublished: true, frames: [] };
  }

  #result(
    outcome: SequenceResult["outcome"],
    sequenceHash: string | null,
    answers: CommittedSequence["frames"],
  ): SequenceResult {
    const byId = new Map(answers.map((answer) => [answer.frameId, answer]));
    const leftOut = new Set(this.#links.leftOut);
    const frames = this.#hashes.map((originalImageHash, at): RegisteredFrame => {
      const frameId = at + 1;
      const frame = { frameId, originalImageHash, refusalName: null };
      if (leftOut.has(frameId)) return { ...frame, state: "leftOut" };
      if (this.#errata.has(frameId)) return { ...frame, state: "erratum" };
      const answer = byId.get(frameId);
      if (answer !== undefined) return { ...frame, state: answer.state, refusalName: answer.refusalName };
      return { ...frame, state: sequenceHash === null ? "notPublished" : "alreadyPublished" };
    });
    this.#report({ phase: "done" });
    return { sequence: this.#unfinished(), outcome, sequenceHash, frames };
  }

  #unfinished(): UnfinishedSequence {
    const { sequenceId, ticket } = this.#key;
    return { sequenceId, ticket, leftOut: this.#links.leftOut };
  }

  #report(changes: Partial<SequenceProgressReport>): void {
    this.#progress = { ...this.#progress, ...changes };
    this.#options.onProgress?.(this.#progress);
  }
}

/** Whether a sequence takes no frames any more. */
function isOver({ state }: SequenceProgress): boolean {
  return state === "committed" || state === "abandoned";
}

/** A request past the account's cap is cut off, which may reach the caller as a connection that broke. */
function isTooMuch(error: unknown): boolean {
  return error instanceof ColophonError
    ? error.is("requestTooLarge")
    : error instanceof ColophonConnectionError;
}
