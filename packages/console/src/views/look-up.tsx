import type { VNode } from "preact";

/** Asks where a picture comes from. */
export function LookUp(): VNode {
  return <h1>Where does it come from?</h1>;
}
