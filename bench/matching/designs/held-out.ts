import { refuseCommandLine } from "@colophon/testing/command-line.ts";

/**
 * Which designs and attacks nothing is learned from: they are drawn for the report alone, with photographs that nothing was learned from either. A name
 * tells by itself, so that one that is new falls on a side without being put there.
 */
export type Part = "train" | "report";

/** One name of so many is held out. */
const OF = 4;

/** Whether a design or an attack of this name is for the report alone. */
export function isHeldOut(name: string): boolean {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 3) % OF === 0;
}

/** Whether a name is of the part; of all of them when it is null. */
export function isOfPart(name: string, part: Part | null): boolean {
  return part === null || isHeldOut(name) === (part === "report");
}

/** The part that an option names. */
export function readPart(value: string | undefined): Part | null {
  if (value === undefined) return null;
  if (value !== "train" && value !== "report") refuseCommandLine("--part is train or report");
  return value;
}
