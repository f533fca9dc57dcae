import {
  type BatchOptions,
  type BatchProgress,
  type ColophonClient,
  ColophonError,
  lookUpAll,
  registerAll,
} from "@colophon/client";
import { withMediaType } from "@colophon/formats";
import { carriedManifests } from "../credentials/carried.tsx";
import { Observable } from "../browser/observable.ts";
import { manifestInput } from "../register/manifest-draft.ts";
import type { BatchTask } from "./batch-task.ts";
import { type KeptBatch, keepBatch } from "./kept-batch.ts";
import { type BatchRow, lookedUpRow, newRow, registeredRow, steppedRow } from "./batch-row.ts";

/** A batch as it is shown. */
export interface BatchState {
  /** `fileless`: the page was loaded again, and has the pictures no more. */
  readonly phase: "running" | "stopped" | "failed" | "done" | "fileless";
  readonly rows: readonly BatchRow[];
  readonly progress: BatchProgress | null;
  /** When the present phase of the progress began; milliseconds of the clock. */
  readonly since: number;
  readonly error: unknown;
}

/** The table follows the work this often, in milliseconds, however fast the work is. */
const SHOW_EVERY = 100;

/**
 * A batch under way. It goes on whichever view is shown, and can be stopped and gone on with; what the tab keeps of it
 * outlives the page.
 */
export class BatchRun {
  readonly task: BatchTask;
  readonly state: Observable<BatchState>;
  readonly #client: ColophonClient;
  /** Called whenever a run ends, with the rows of one that came to its end. */
  readonly #onEnd: (rows: readonly BatchRow[]) => void;
  #files: readonly (File | null)[];
  #rows: BatchRow[];
  #progress: BatchProgress | null = null;
  #since = 0;
  #slotId: string | undefined;
  #isKept = true;
  #controller = new AbortController();
  #pending: ReturnType<typeof setTimeout> | null = null;

  private constructor(
    client: ColophonClient,
    { task, slotId, isDone, rows }: KeptBatch,
    files: readonly (File | null)[],
    onEnd: (rows: readonly BatchRow[]) => void,
  ) {
    this.#client = client;
    this.#onEnd = onEnd;
    this.task = task;
    this.#files = files;
    this.#rows = [...rows];
    this.#slotId = slotId ?? undefined;
    this.state = new Observable<BatchState>({
      phase: isDone ? "done" : "fileless",
      rows: this.#rows,
      progress: null,
      since: 0,
      error: null,
    });
  }

  /** A batch of these files; `run` starts it. */
  static of(
    client: ColophonClient,
    task: BatchTask,
    files: readonly File[],
    onEnd: (rows: readonly BatchRow[]) => void,
  ): BatchRun {
    return new BatchRun(client, { task, slotId: null, isDone: false, rows: files.map(newRow) }, files, onEnd);
  }

  /** The batch that the tab has kept from before the page was loaded again. */
  static from(client: ColophonClient, kept: KeptBatch, onEnd: (rows: readonly BatchRow[]) => void): BatchRun {
    return new BatchRun(client, kept, Array<null>(kept.rows.length).fill(null), onEnd);
  }

  /** The picture of a row, for as long as the page has it. */
  fileAt(at: number): File | null {
    return this.#files[at] ?? null;
  }

  /** Takes pictures of the batch that the page has no more, by name and size, and goes on when it has all of them. */
  giveBack(files: readonly File[]): void {
    const given = Map.groupBy(files, ({ name, size }) => `${size} ${name}`);
    this.#files = this.#files.map((file, at) => file ?? given.get(keyOf(this.#rows[at]))?.shift() ?? null);
    this.#set({});
    if (this.#files.every((file) => file !== null)) void this.run();
  }

  /** Starts the batch, or goes on where it was stopped; what the service holds is not sent again. */
  async run(): Promise<void> {
    const heldBefore = this.#slotId !== undefined;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#progress = null;
    this.#set({ phase: "running", error: null });
    try {
      this.#rows = await this.#work({
        signal,
        slotId: this.#slotId,
        onProgress: (progress) => this.#follow(progress),
        onFile: (at, step) => this.#step(at, (row) => steppedRow(row, step)),
      });
      this.#set({ phase: "done" });
    } catch (error) {
      if (isSlotGone(error)) this.#slotId = undefined;
      // What expired while the batch was stopped is begun again; nothing of it was charged.
      if (heldBefore && isSlotGone(error)) return this.run();
      this.#set(signal.aborted ? { phase: "stopped" } : { phase: "failed", error });
    }
    this.#keep();
    this.#onEnd(this.state.value.phase === "done" ? this.#rows : []);
  }

  /** Stops; `run` goes on from here. */
  stop(): void {
    this.#controller.abort(new Error("stopped"));
  }

  /** Stops for good, with nothing kept in the tab. */
  leave(): void {
    this.#isKept = false;
    this.stop();
  }

  /** Gives up what the service holds of a batch that does not run, and the allowance reserved for it. */
  async drop(): Promise<void> {
    const slots = this.task.kind === "register" ? this.#client.slots : this.#client.lookupSlots;
    try {
      if (this.#slotId !== undefined) await slots.abandon(this.#slotId);
    } catch (error) {
      // One that has expired is dropped already.
      if (!isSlotGone(error)) throw error;
    }
  }

  async #work(options: BatchOptions): Promise<BatchRow[]> {
    const { task } = this;
    const named: { name: string; image: Blob }[] = [];
    for (const [at, file] of this.#files.entries()) {
      if (file === null) continue;
      named.push({ name: this.#rows[at]?.name ?? file.name, image: await withMediaType(file) });
    }
    if (task.kind !== "register") {
      const { items } = await lookUpAll(this.#client, named, options);
      return this.#rows.map((row, at) => settled(row, items[at], lookedUpRow));
    }
    const manifests = task.manifests.map(manifestInput);
    const files = named.map((file) => ({
      ...file,
      manifests: task.takesCarried
        ? async () => [...manifests, ...(await carriedManifests(file.image, manifests))]
        : manifests,
    }));
    const { items } = await registerAll(this.#client, files, options);
    return this.#rows.map((row, at) => settled(row, items[at], registeredRow));
  }

  #follow(progress: BatchProgress): void {
    if (this.#progress?.phase !== progress.phase) this.#since = Date.now();
    this.#progress = progress;
    const isNew = progress.slotId !== null && progress.slotId !== this.#slotId;
    this.#slotId = progress.slotId ?? this.#slotId;
    if (isNew) this.#keep();
    this.#showSoon();
  }

  #step(at: number, step: (row: BatchRow) => BatchRow): void {
    const row = this.#rows[at];
    if (row !== undefined) this.#rows[at] = step(row);
    this.#showSoon();
  }

  #keep(): void {
    if (!this.#isKept) return;
    const { phase, rows } = this.state.value;
    void keepBatch({ task: this.task, slotId: this.#slotId ?? null, isDone: phase === "done", rows });
  }

  #showSoon(): void {
    this.#pending ??= setTimeout(() => this.#set({}), SHOW_EVERY);
  }

  #set(changes: Partial<BatchState>): void {
    if (this.#pending !== null) clearTimeout(this.#pending);
    this.#pending = null;
    const rows = [...this.#rows];
    this.state.set({ ...this.state.value, rows, progress: this.#progress, since: this.#since, ...changes });
  }
}

function isSlotGone(error: unknown): boolean {
  return error instanceof ColophonError && error.is("slotNotFound");
}

function settled<Item>(
  row: BatchRow,
  item: Item | undefined,
  settle: (row: BatchRow, item: Item) => BatchRow,
): BatchRow {
  return item === undefined ? row : settle(row, item);
}

/** What a row's picture is known by when it is given again: its size and its name without folders. */
function keyOf(row: BatchRow | undefined): string {
  return row === undefined ? "" : `${row.bytes} ${row.name.slice(row.name.lastIndexOf("/") + 1)}`;
}
