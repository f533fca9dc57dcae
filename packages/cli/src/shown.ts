const TOKEN = /clp_[\w-]*/g;
const LONGEST = 200;

/**
 * An argument as a message names it: in quotes, cut where it is very long, and nothing in it steers the terminal. A token that was
 * pasted by mistake is left out, because messages end in the logs of scripts.
 */
export function shown(argument: string): string {
  const text = printable(argument).replaceAll(TOKEN, "clp_…");
  return `'${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}'`;
}

/** A text that others wrote, with a mark for each control character. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "\u{fffd}");
}
