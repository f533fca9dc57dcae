import type { VNode } from "preact";
import { useState } from "preact/hooks";

/** Browsers lend the clipboard to secure pages only. */
const CAN_COPY = "clipboard" in navigator;

/**
 * An id, a hash or a fingerprint, shown whole, with a way to copy it; `shown` is the same in a form that reads better.
 */
export function Copyable({
  name,
  text,
  shown = text,
}: {
  name: string;
  text: string;
  shown?: string;
}): VNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <span class="copyable">
      <code>{shown}</code>
      {CAN_COPY && (
        <button type="button" class="plain" aria-label={`Copy ${name}`} onClick={() => void copy()}>
          {copied ? "Copied" : "Copy"}
        </button>
      )}
    </span>
  );
}
