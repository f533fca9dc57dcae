import type { BatchProgress } from "@colophon/client";
import { counted } from "../print.ts";
import type { Step } from "./progress-bar.ts";

/** How far a batch has come. */
export function batchStep(progress: BatchProgress): Step {
  const { phase, files, hashed, images, alreadyHeld, sent, settled, bytes, bytesDone } = progress;
  if (phase === "hashing") {
    const share = files === 0 ? 1 : hashed / files;
    return {
      phase,
      share,
      count: `${hashed} of ${counted(files, "file")}`,
      opening: `Hashing ${counted(files, "file")}.`,
    };
  }
  const held = alreadyHeld === 0 ? "" : `, ${alreadyHeld} sent before`;
  const count = `${sent} of ${counted(images - alreadyHeld, "image")} sent${held}`;
  if (phase === "committing") {
    return {
      phase,
      share: images === 0 ? 1 : settled / images,
      count: `${settled} of ${counted(images, "image")}`,
      ...(sent + alreadyHeld > 0 && { opening: `Committing ${counted(images, "image")}.` }),
      done: "Committed",
      pace: { begun: settled > 0, done: settled, total: images, rate: imagesPerSecond },
    };
  }
  if (phase === "done") return { phase, share: 1, count };
  const isAllRefused = sent === 0 && alreadyHeld === 0 && bytes > 0 && bytesDone === bytes;
  return {
    phase,
    share: bytes > 0 ? bytesDone / bytes : 1,
    count,
    done: "Uploaded",
    ...(isAllRefused && { instead: "Nothing sent." }),
    pace: { begun: sent > 0, done: bytesDone, total: bytes, rate: bytesPerSecond },
  };
}

function bytesPerSecond(rate: number): string {
  return rate < 100_000 ? `${Math.round(rate / 1e3)} kB/s` : `${(rate / 1e6).toFixed(1)} MB/s`;
}

function imagesPerSecond(rate: number): string {
  return `${rate.toFixed(1)} images/s`;
}
