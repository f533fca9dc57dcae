import type { RecordCheck, RecordVerdict } from "@colophon/formats";
import type { VNode } from "preact";
import { counted } from "../wording.ts";
import { RESULT_WORDS, ResultMark } from "../components/result-mark.tsx";
import { rootInWords, type Trust } from "./trust.ts";

interface Words {
  readonly result: RecordCheck["result"];
  readonly mark: RecordCheck["result"];
  readonly title: string;
  /** @param root the root the certificates were compared with */
  readonly says: (root: string) => string;
}

const WORDS: Readonly<Record<RecordVerdict | "otherRoot", Words>> = {
  verified: {
    result: "passed",
    mark: "passed",
    title: "Verified",
    says: (root) => `Everything the record states holds, and leads to ${root}.`,
  },
  imageOnly: {
    result: "absent",
    mark: "absent",
    title: "The image only",
    says: (root) =>
      `The image's signature holds and leads to ${root}. Nothing signs which manifests belong to it: anybody may have changed them or taken them away.`,
  },
  unanchored: {
    result: "notChecked",
    mark: "passed",
    title: "Holds together",
    says: () =>
      "Everything the record states agrees with its own certificates. Whether those can be trusted is yours to compare.",
  },
  otherRoot: {
    result: "failed",
    mark: "failed",
    title: "Another registry's",
    says: (root) =>
      `The record agrees with its own certificates, but they do not lead to ${root}. Another registry signed it, or somebody made one up.`,
  },
  failed: {
    result: "failed",
    mark: "failed",
    title: "Does not hold",
    says: () => "Do not rely on this record.",
  },
  notPublished: {
    result: "absent",
    mark: "absent",
    title: "Not published",
    says: () => "There is nothing to verify.",
  },
};

/** What the checks of a record come to. */
export function Verdict({
  verdict,
  checks,
  trust,
}: {
  verdict: RecordVerdict;
  checks: readonly RecordCheck[];
  trust: Trust | null;
}): VNode {
  const failed = checks.filter((check) => check.result === "failed");
  const isOtherRoot = failed.length > 0 && failed.every(({ name }) => name === "trustRoot");
  const { result, mark, title, says } = WORDS[isOtherRoot ? "otherRoot" : verdict];
  return (
    <div class={`verdict ${result}`} role="status">
      <ResultMark result={mark} />
      <div>
        <strong>{title}</strong>
        <p>
          {says(rootInWords(trust))} {tally(checks)}
        </p>
      </div>
    </div>
  );
}

/** How many checks came out how, and what those lacked that could not be made. */
function tally(checks: readonly RecordCheck[]): string {
  const by = Map.groupBy(checks, ({ result }) => result);
  const others = (["failed", "absent", "notChecked"] as const).flatMap((result) => {
    const count = by.get(result)?.length ?? 0;
    return count === 0 ? [] : [`, ${count} ${RESULT_WORDS[result]}`];
  });
  const lacking = new Set(by.get("notChecked")?.map(({ sentence }) => sentence));
  const passed = by.get("passed")?.length ?? 0;
  return [`${passed} of ${counted(checks.length, "check")} passed${others.join("")}.`, ...lacking].join(" ");
}
