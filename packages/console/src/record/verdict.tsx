import type { RecordCheck, RecordVerdict } from "@colophon/formats";
import type { VNode } from "preact";
import { counted } from "../wording.ts";
import { ResultMark } from "./result-mark.tsx";

const WORDS = {
  verified: {
    result: "passed",
    mark: "passed",
    title: "Verified",
    says: "Everything the record states holds, and leads to the root you trust.",
  },
  imageOnly: {
    result: "absent",
    mark: "absent",
    title: "The image only",
    says: "The image's signature holds and leads to the root you trust. Nothing signs which manifests belong to it: anybody may have changed them or taken them away.",
  },
  unanchored: {
    result: "notChecked",
    mark: "passed",
    title: "Holds together",
    says: "Everything the record states agrees with its own certificates. Whether those can be trusted is yours to compare.",
  },
  failed: {
    result: "failed",
    mark: "failed",
    title: "Does not hold",
    says: "Do not rely on this record.",
  },
  notPublished: {
    result: "absent",
    mark: "absent",
    title: "Not published",
    says: "There is nothing to verify.",
  },
} as const;

/** What the checks of a record come to. */
export function Verdict({
  verdict,
  checks,
}: {
  verdict: RecordVerdict;
  checks: readonly RecordCheck[];
}): VNode {
  const { result, mark, title, says } = WORDS[verdict];
  const failed = checks.filter((check) => check.result === "failed").length;
  const passed = checks.filter((check) => check.result === "passed").length;
  return (
    <div class={`verdict ${result}`} role="status">
      <ResultMark result={mark} />
      <div>
        <strong>{title}</strong>
        <p>
          {says} {counted(passed, "check")} passed{failed > 0 && <>, {failed} failed</>}.
        </p>
      </div>
    </div>
  );
}
