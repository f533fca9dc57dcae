import type { ComponentChildren, VNode } from "preact";

/** A list of names and what they stand for. */
export function Facts({ children }: { children: ComponentChildren }): VNode {
  return <dl class="facts">{children}</dl>;
}

/** One line of such a list. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
