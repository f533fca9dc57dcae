import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The heading of an answer that has just come: it takes the focus, so that it is read and the reader goes on from there. */
export function ArrivingHeading({ children }: { children: ComponentChildren }): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
