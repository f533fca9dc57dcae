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

/** How far a piece of work has come. */
export interface Step {
  readonly phase: string;
  /** From 0 to 1. */
  readonly share: number;
  /** For example `3 of 8 images sent`. */
  readonly count: string;
  /** The line that tells of the phase where there is no terminal, once. */
  readonly opening?: string;
  /** The word before the share in the lines that tell of it where there is no terminal; none are written without. */
  readonly done?: string;
  /** Takes the place of such a line. */
  readonly instead?: string;
  /** What time left and rate are measured by; none are shown without. */
  readonly pace?: Pace;
}

/** Work in some unit: how much is done, and how much there is. */
export interface Pace {
  /** Whether any was done by this run. */
  readonly begun: boolean;
  readonly done: number;
  readonly total: number;
  /** A rate in the unit's terms, for example `2.0 MB/s`. */
  readonly rate: (perSecond: number) => string;
}

/** Shows on standard error how work comes along: a bar on a terminal, a line now and then elsewhere. */
export class ProgressBar implements Disposable {
  readonly #stream: Screen;
  readonly #now: () => number;
  #phase: string | null = null;
  #drawn = Number.NEGATIVE_INFINITY;
  #shown = 0;
  /** When this run was about to begin, and how much was done without it. */
  #start = { at: 0, done: 0 };

  constructor(stream: Screen = process.stderr, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
  }

  show(step: Step): void {
    if (step.pace === undefined || !step.pace.begun) {
      this.#start = { at: this.#now(), done: step.pace?.done ?? 0 };
    }
    const entered = step.phase !== this.#phase;
    this.#phase = step.phase;
    if (this.#stream.isTTY) this.#draw(step, entered);
    else this.#tell(step, entered);
  }

  [Symbol.dispose](): void {
    if (this.#stream.isTTY) this.#stream.write(CLEAR_LINE);
  }

  #draw(step: Step, entered: boolean): void {
    if (!entered && this.#now() - this.#drawn < REDRAW_MS) return;
    this.#drawn = this.#now();
    const filled = Math.round(WIDTH * step.share);
    const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
    const line = `${step.phase} [${bar}] ${percent(step.share)} ${step.count}${this.#pace(step)}`;
    this.#stream.write(CLEAR_LINE + line.slice(0, (this.#stream.columns ?? line.length + 1) - 1));
  }

  #tell(step: Step, entered: boolean): void {
    if (entered) this.#shown = 0;
    if (entered && step.opening !== undefined) this.#stream.write(`${step.opening}\n`);
    if (step.done === undefined || step.share < this.#shown + PLAIN_STEP) return;
    this.#shown = step.share;
    const line = `${step.done} ${percent(step.share)}, ${step.count}${this.#pace(step)}.`;
    this.#stream.write(`${step.instead ?? line}\n`);
  }

  /** Rate and time left, once there is something to measure. */
  #pace({ pace }: Step): string {
    if (pace === undefined) return "";
    const seconds = (this.#now() - this.#start.at) / 1000;
    const moved = pace.done - this.#start.done;
    if (!pace.begun || moved <= 0 || seconds <= 0) return "";
    const perSecond = moved / seconds;
    return `, ${pace.rate(perSecond)}, ${duration(Math.max(0, pace.total - pace.done) / perSecond)} left`;
  }
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
