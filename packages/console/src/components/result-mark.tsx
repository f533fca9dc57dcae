import type { RecordCheck } from "@colophon/formats";
import type { VNode } from "preact";

type Result = RecordCheck["result"];

const SHAPES: Readonly<Record<Result, string>> = {
  passed: "M3.5 8.5l3 3 6-7",
  failed: "M4 4l8 8M12 4l-8 8",
  absent: "M4 8h8",
  notChecked: "M4 8h1M7.5 8h1M11 8h1",
};

/** What a result is called. */
export const RESULT_WORDS: Readonly<Record<Result, string>> = {
  passed: "passed",
  failed: "failed",
  absent: "not stated",
  notChecked: "not checked",
};

/** A result as a mark; its word stands beside it. */
export function ResultMark({ result }: { result: Result }): VNode {
  return (
    <svg class={`result-mark ${result}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[result]} />
    </svg>
  );
}
