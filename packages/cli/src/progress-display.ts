import type { BatchProgress } from "@colophon/client";

const WIDTH = 24;
const REDRAW_MS = 100;
const PLAIN_STEP = 0.1;
const CLEAR_LINE = "\r\u001b[2K";

/** Where it is shown; standard error is one. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  /** Characters a line holds. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Shows on standard error how a batch comes along: a bar on a terminal, a line now and then elsewhere. */
export class ProgressDisplay implements Disposable {
  readonly #stream: Screen;
  readonly #now: () => number;
  #phase: BatchProgress["phase"] | null = null;
  #drawn = Number.NEGATIVE_INFINITY;
  #shown = 0;
  /** When the first byte of this run was about to be sent, and how many needed not to be. */
  #start = { at: 0, bytesDone: 0 };

  constructor(stream: Screen = process.stderr, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
  }

  update(progress: BatchProgress): void {
    if (progress.sent === 0) this.#start = { at: this.#now(), bytesDone: progress.bytesDone };
    const entered = progress.phase !== this.#phase;
    this.#phase = progress.phase;
    if (this.#stream.isTTY) this.#draw(progress, entered);
    else this.#tell(progress, entered);
  }

  [Symbol.dispose](): void {
    if (this.#stream.isTTY) this.#stream.write(CLEAR_LINE);
  }

  #draw(progress: BatchProgress, entered: boolean): void {
    if (!entered && this.#now() - this.#drawn < REDRAW_MS) return;
    this.#drawn = this.#now();
    const share = shareOf(progress);
    const filled = Math.round(WIDTH * share);
    const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
    const line = `${progress.phase} [${bar}] ${percent(share)} ${countOf(progress)}${this.#pace(progress)}`;
    this.#stream.write(CLEAR_LINE + line.slice(0, (this.#stream.columns ?? line.length + 1) - 1));
  }

  #tell(progress: BatchProgress, entered: boolean): void {
    const share = shareOf(progress);
    if (entered) this.#shown = 0;
    const { phase, files, images } = progress;
    if (entered && phase === "hashing") this.#stream.write(`Hashing ${files} files.\n`);
    if (entered && phase === "committing") this.#stream.write(`Committing ${images} images.\n`);
    if (phase !== "uploading" || share < this.#shown + PLAIN_STEP) return;
    this.#shown = share;
    this.#stream.write(`Uploaded ${percent(share)}, ${countOf(progress)}${this.#pace(progress)}.\n`);
  }

  /** Rate and time left, once there is something to measure. */
  #pace({ phase, bytes, bytesDone, sent }: BatchProgress): string {
    const seconds = (this.#now() - this.#start.at) / 1000;
    const moved = bytesDone - this.#start.bytesDone;
    if (phase !== "uploading" || sent === 0 || moved <= 0 || seconds <= 0) return "";
    const rate = moved / seconds;
    return `, ${(rate / 1e6).toFixed(1)} MB/s, ${duration((bytes - bytesDone) / rate)} left`;
  }
}

function shareOf({ phase, files, hashed, bytes, bytesDone }: BatchProgress): number {
  if (phase === "hashing") return files === 0 ? 1 : hashed / files;
  return phase === "uploading" && bytes > 0 ? bytesDone / bytes : 1;
}

function countOf({ phase, files, hashed, images, alreadyHeld, sent }: BatchProgress): string {
  if (phase === "hashing") return `${hashed} of ${files} files`;
  const held = alreadyHeld === 0 ? "" : `, ${alreadyHeld} held already`;
  return `${sent} of ${images - alreadyHeld} images sent${held}`;
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
