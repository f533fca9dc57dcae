import type { VNode } from "preact";
import { byteSize, counted } from "../wording.ts";
import type { BatchState } from "./batch-run.ts";

/** How far a batch is, and how fast. */
export function BatchProgressBar({ state }: { state: BatchState }): VNode {
  const { done, whole, words } = stageOf(state);
  const percent = whole === 0 ? 0 : Math.floor((done / whole) * 100);
  return (
    <div class="batch-progress">
      <div class="batch-progress-words">
        <span>{words}</span>
        <span class="quiet">{rateOf(state)}</span>
      </div>
      <progress aria-label="Progress of the batch" value={done} max={Math.max(1, whole)}>
        {percent} %
      </progress>
    </div>
  );
}

/** Each stage of a batch fills the bar once. */
function stageOf({ progress, rows }: BatchState): {
  done: number;
  whole: number;
  words: string;
} {
  const files = counted(rows.length, "file");
  if (progress === null) return { done: 0, whole: 1, words: `${files} to begin with` };
  const { hashed, images, bytes, bytesDone, alreadyHeld, settled } = progress;
  const held = alreadyHeld > 0 ? `, ${counted(alreadyHeld, "picture")} of them sent before` : "";
  switch (progress.phase) {
    case "hashing":
      return { done: hashed, whole: rows.length, words: `Prepared ${hashed} of ${files}` };
    case "uploading":
      return {
        done: bytesDone,
        whole: bytes,
        words: `Sent ${byteSize(bytesDone)} of ${byteSize(bytes)}${held}`,
      };
    case "committing":
    case "done":
      return { done: settled, whole: images, words: `Answered ${settled} of ${counted(images, "picture")}` };
    default:
      return progress.phase satisfies never;
  }
}

/** How fast the present stage is, and how long it will take at that rate. */
function rateOf(state: BatchState): string {
  const { phase, progress, since } = state;
  const isTimed = progress?.phase === "uploading" || progress?.phase === "committing";
  const { done, whole } = stageOf(state);
  if (phase !== "running" || !isTimed || done === 0) return "";
  const rate = done / Math.max(0.1, (Date.now() - since) / 1000);
  const words = progress.phase === "uploading" ? byteSize(Math.round(rate)) : `${rate.toFixed(1)} pictures`;
  return `${words} a second, about ${Math.ceil((whole - done) / rate)} s left`;
}
