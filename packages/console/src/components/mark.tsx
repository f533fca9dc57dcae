import type { VNode } from "preact";

/** The printer's mark; decoration beside the name. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M20.6 16.6a6.2 6.2 0 1 0 0 6.8" />
      <path d="M15.4 13.2V5M11.6 8.4h7.6" />
    </svg>
  );
}
