import type { SequenceProgressReport } from "@colophon/client";
import { ProgressBar, type Screen, type Step } from "./progress-bar.ts";

/** Shows how a sequence comes along. */
export class SequenceDisplay implements Disposable {
  readonly #bar: ProgressBar;
  readonly #expected: number;

  /** @param expected how many frames there will be, as far as that is known */
  constructor(expected: number, stream?: Screen, now?: () => number) {
    this.#expected = expected;
    this.#bar = new ProgressBar(stream, now);
  }

  update(progress: SequenceProgressReport): void {
    this.#bar.show(stepOf(progress, this.#expected));
  }

  [Symbol.dispose](): void {
    this.#bar[Symbol.dispose]();
  }
}

function stepOf({ phase, frames, sent, alreadyHeld }: SequenceProgressReport, expected: number): Step {
  const held = alreadyHeld === 0 ? "" : `, ${alreadyHeld} sent before`;
  const read = `${frames} frames`;
  if (phase === "committing") return { phase, share: 1, count: read, opening: `Committing ${read}.` };
  if (phase === "done") return { phase, share: 1, count: read };
  // The number expected of a video is an estimate, and frames may be sent twice.
  const total = Math.max(expected, frames);
  const done = Math.min(sent + alreadyHeld, total);
  return {
    phase,
    share: total === 0 ? 0 : done / total,
    count: `${done - alreadyHeld} of ${total - alreadyHeld} frames sent${held}`,
    done: "Sent",
    pace: { begun: sent > 0, done, total, rate: framesPerSecond },
  };
}

function framesPerSecond(rate: number): string {
  return `${rate.toFixed(1)} frames/s`;
}
