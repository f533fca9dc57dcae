import type { ComponentChildren, VNode } from "preact";
import { useArrivalFocus } from "../browser/arrival-focus.ts";

/**
 * The heading of an answer that has just come: it takes the focus, so that it is read and the reader goes on from
 * there.
 */
export function ArrivingHeading({ children }: { children: ComponentChildren }): VNode {
  const heading = useArrivalFocus<HTMLHeadingElement>();
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
