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
function stageOf({ phase, progress, rows, committed }: BatchState): {
  done: number;
  whole: number;
  words: string;
} {
  const files = counted(rows.length, "file");
  if (progress === null) return { done: 0, whole: 1, words: `${files} to begin with` };
  const { hashed, images, bytes, bytesDone, alreadyHeld } = progress;
  if (phase === "done") return { done: 1, whole: 1, words: `Done: ${files}` };
  const held = alreadyHeld > 0 ? `, ${counted(alreadyHeld, "picture")} of them held from before` : "";
  switch (progress.phase) {
    case "hashing":
      return { done: hashed, whole: rows.length, words: `Hashed ${hashed} of ${files}` };
    case "uploading":
      return {
        done: bytesDone,
        whole: bytes,
        words: `Sent ${byteSize(bytesDone)} of ${byteSize(bytes)}${held}`,
      };
    case "committing":
    case "done":
      return { done: committed, whole: images, words: `The service is answering: ${committed} of ${images}` };
    default:
      return progress.phase satisfies never;
  }
}

function rateOf({ phase, progress, startedAt }: BatchState): string {
  if (phase !== "running" || progress?.phase !== "uploading" || progress.bytesDone === 0) return "";
  const { bytesDone, bytes } = progress;
  const rate = bytesDone / Math.max(0.1, (Date.now() - startedAt) / 1000);
  return `${byteSize(Math.round(rate))} a second, about ${Math.ceil((bytes - bytesDone) / rate)} s left`;
}
