import {
  type BatchOptions,
  type BatchProgress,
  type ColophonClient,
  ColophonError,
  lookUpAll,
  registerAll,
} from "@colophon/client";
import { Observable } from "../observable.ts";
import { type ManifestDraft, manifestInput } from "../register/manifest-draft.ts";
import { type BatchRow, lookedUpRow, newRow, registeredRow, steppedRow } from "./batch-row.ts";

/** What is asked for every file of a batch. */
export type BatchTask =
  | { readonly kind: "register"; readonly manifests: readonly ManifestDraft[] }
  | { readonly kind: "lookUp" };

/** A batch as it is shown. */
export interface BatchState {
  readonly phase: "running" | "stopped" | "failed" | "done";
  readonly rows: readonly BatchRow[];
  readonly progress: BatchProgress | null;
  /** Images that the commit has dealt with so far. */
  readonly committed: number;
  /** When this run, or its continuation, began; milliseconds of the clock. */
  readonly startedAt: number;
  readonly error: unknown;
}

/** The table follows the work this often, in milliseconds, however fast the work is. */
const SHOW_EVERY = 100;
const ASK_COMMIT_EVERY = 1000;

/** A batch under way. It goes on whichever view is shown, and can be stopped and gone on with. */
export class BatchRun {
  readonly task: BatchTask;
  readonly files: readonly File[];
  readonly state: Observable<BatchState>;
  readonly #client: ColophonClient;
  readonly #onDone: (rows: readonly BatchRow[]) => void;
  #rows: BatchRow[];
  #progress: BatchProgress | null = null;
  #slotId: string | undefined;
  #controller = new AbortController();
  #pending: ReturnType<typeof setTimeout> | null = null;

  constructor(
    client: ColophonClient,
    task: BatchTask,
    files: readonly File[],
    onDone: (rows: readonly BatchRow[]) => void,
  ) {
    this.#client = client;
    this.#onDone = onDone;
    this.task = task;
    this.files = files;
    this.#rows = files.map(newRow);
    this.state = new Observable<BatchState>({
      phase: "running",
      rows: this.#rows,
      progress: null,
      committed: 0,
      startedAt: 0,
      error: null,
    });
  }

  /** Starts the batch, or goes on where it was stopped; what the service holds is not sent again. */
  async run(): Promise<void> {
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#set({ phase: "running", startedAt: Date.now(), error: null });
    const asking = setInterval(() => void this.#askCommit(), ASK_COMMIT_EVERY);
    try {
      this.#rows = await this.#work({
        signal,
        slotId: this.#slotId,
        onProgress: (progress) => this.#follow(progress),
        onFile: (at, step) => this.#step(at, (row) => steppedRow(row, step)),
      });
      this.#set({ phase: "done" });
    } catch (error) {
      // An expired slot cannot be gone on with: the next attempt takes a new one.
      if (error instanceof ColophonError && error.is("slotNotFound")) this.#slotId = undefined;
      this.#set(signal.aborted ? { phase: "stopped" } : { phase: "failed", error });
    } finally {
      clearInterval(asking);
    }
    this.#onDone(this.state.value.phase === "done" ? this.#rows : []);
  }

  /** Stops; `run` goes on from here. */
  stop(): void {
    this.#controller.abort(new Error("stopped"));
  }

  /** Gives up what the service holds of a stopped batch, and the grant reserved for it. */
  async drop(): Promise<void> {
    const slots = this.task.kind === "register" ? this.#client.slots : this.#client.lookupSlots;
    if (this.#slotId !== undefined) await slots.abandon(this.#slotId);
  }

  async #work(options: BatchOptions): Promise<BatchRow[]> {
    const { task } = this;
    const named = this.files.map((image, at) => ({ name: this.#rows[at]?.name ?? image.name, image }));
    if (task.kind === "lookUp") {
      const { items } = await lookUpAll(this.#client, named, options);
      return this.#rows.map((row, at) => settled(row, items[at], lookedUpRow));
    }
    const manifests = task.manifests.map(manifestInput);
    const files = named.map((file) => ({ ...file, manifests }));
    const { items } = await registerAll(this.#client, files, options);
    return this.#rows.map((row, at) => settled(row, items[at], registeredRow));
  }

  #follow(progress: BatchProgress): void {
    this.#progress = progress;
    this.#slotId = progress.slotId ?? this.#slotId;
    this.#showSoon();
  }

  #step(at: number, step: (row: BatchRow) => BatchRow): void {
    const row = this.#rows[at];
    if (row !== undefined) this.#rows[at] = step(row);
    this.#showSoon();
  }

  /** A commit answers once, at its end; meanwhile the slot's own progress tells how far it is. */
  async #askCommit(): Promise<void> {
    if (this.#progress?.phase !== "committing" || this.#slotId === undefined) return;
    const slots = this.task.kind === "register" ? this.#client.slots : this.#client.lookupSlots;
    // The commit itself reports what goes wrong.
    const told = await slots.progress(this.#slotId).catch(() => null);
    if (told === null || this.state.value.phase !== "running") return;
    this.#set({ committed: told.counts.total - told.counts.held });
  }

  #showSoon(): void {
    this.#pending ??= setTimeout(() => this.#set({}), SHOW_EVERY);
  }

  #set(changes: Partial<BatchState>): void {
    if (this.#pending !== null) clearTimeout(this.#pending);
    this.#pending = null;
    const rows = [...this.#rows];
    this.state.set({ ...this.state.value, rows, progress: this.#progress, ...changes });
  }
}

function settled<Item>(
  row: BatchRow,
  item: Item | undefined,
  settle: (row: BatchRow, item: Item) => BatchRow,
): BatchRow {
  return item === undefined ? row : settle(row, item);
}
