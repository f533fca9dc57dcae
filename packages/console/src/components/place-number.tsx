import type { VNode } from "preact";

/** Colours that tell originals apart; after them they begin again. */
const COLOURS = 6;

/** The class that colours what belongs to the original in this place of the list. */
export function colourOf(at: number): string {
  return `place-${at % COLOURS}`;
}

/** The number of an original in its colour, as it stands on the picture. */
export function PlaceNumber({ at }: { at: number }): VNode {
  return <b class={`place-number ${colourOf(at)}`}>{at + 1}</b>;
}
