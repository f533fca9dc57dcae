import type { SequenceProgressReport } from "@colophon/client";
import type { Step } from "./progress-bar.ts";

/**
 * How far a sequence has come.
 * @param expected how many frames there will be, as far as that is known
 */
export function sequenceStep(
  { phase, frames, sent, alreadyHeld }: SequenceProgressReport,
  expected: number,
): Step {
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
