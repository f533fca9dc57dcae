import type { RecordCheck } from "@colophon/formats";
import type { VNode } from "preact";
import { checkGroups } from "./check-groups.ts";
import { RESULT_WORDS, ResultMark } from "../components/result-mark.tsx";

/** Every check of a record, step by step, in words and with its result. */
export function Checks({ checks }: { checks: readonly RecordCheck[] }): VNode {
  return (
    <ol class="steps">
      {checkGroups(checks).map(({ title, checks: own, result }) => (
        <li key={title} class={`step ${result}`}>
          <h4>
            <ResultMark result={result} />
            {title}
          </h4>
          <ul class="leaders">
            {own.map((check) => (
              <Check key={`${check.name} ${check.index}`} check={check} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function Check({ check: { name, index, result, sentence } }: { check: RecordCheck }): VNode {
  const subject = index !== null && name.startsWith("manifest") ? `Manifest ${index + 1}: ` : "";
  return (
    <li data-check={name} data-result={result}>
      <span>
        {subject}
        {sentence}
      </span>
      <b class={result}>{RESULT_WORDS[result]}</b>
    </li>
  );
}
