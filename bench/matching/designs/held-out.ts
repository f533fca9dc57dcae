import { refuseCommandLine } from "@colophon/testing/command-line.ts";

/**
 * Which designs and attacks are held out while anything is chosen. A name tells by itself, so that one that is new
 * falls on a side without being put there. What is chosen is learned from draws of these as well in the end
 * (`tools/decision/material.ts`); what that gives is told by folds, and by the designs apart, which nothing is ever
 * learned from.
 */
export type Part = "train" | "report";

/** One name of so many is held out. */
const OF = 4;

/** Whether a design or an attack of this name is held out. */
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
