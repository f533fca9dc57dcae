const TOKEN = /clp_[\w-]*/g;
const LONGEST = 200;

/**
 * An argument as a message names it: in quotes, cut where it is very long, and nothing in it steers the terminal. A
 * token that was pasted by mistake is left out, because messages end in the logs of scripts.
 */
export function shown(argument: string): string {
  const text = printable(argument).replaceAll(TOKEN, "clp_…");
  return `'${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}'`;
}

/** Control characters, and those that reorder what stands beside them (Unicode Standard Annex 9). */
const STEERING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text that others wrote, with a mark for each character that steers the terminal. */
export function printable(text: string): string {
  return text.replaceAll(STEERING, "\u{fffd}");
}
