/**
 * Tries every defect that a review once found on the build at hand, each on a service of its own, and prints a table of
 * what happens. Ends with 1 if any of them is back. Best on a machine that does nothing else.
 *
 *     node trials/reproductions.ts [--only NAME,...] [--seed 1] [--list]
 */
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { strippedRecord, movedTime, otherContext } from "./reproductions/changed-records.ts";
import { commonElements } from "./reproductions/common-elements.ts";
import { costlyLookup, veiledLookup } from "./reproductions/costly-lookup.ts";
import { fullDisk } from "./reproductions/full-disk.ts";
import { progressiveGrowth, refusedUploads } from "./reproductions/memory-growth.ts";
import { endedNpmStart, loggedToken } from "./reproductions/npm-start.ts";
import {
  hammeredStats,
  pipelinedWithoutGrant,
  pipelinedWithoutToken,
} from "./reproductions/pipelined-requests.ts";
import { pixelsInMemory } from "./reproductions/pixels-in-memory.ts";
import { repeatedScans } from "./reproductions/repeated-scans.ts";
import type { Outcome, Reproduction } from "./reproductions/reproduction.ts";
import { bareRefusals, emptyParts, escapedAddress, sameBytesAtOnce } from "./reproductions/small-defects.ts";
import { tricklingUploads, unfinishedBodies } from "./reproductions/unfinished-bodies.ts";

/** All that was found, in the order of severity. */
export const REPRODUCTIONS: readonly Reproduction[] = [
  pixelsInMemory,
  progressiveGrowth,
  refusedUploads,
  repeatedScans,
  pipelinedWithoutToken,
  pipelinedWithoutGrant,
  hammeredStats,
  tricklingUploads,
  unfinishedBodies,
  fullDisk,
  commonElements,
  strippedRecord,
  movedTime,
  otherContext,
  endedNpmStart,
  costlyLookup,
  veiledLookup,
  escapedAddress,
  bareRefusals,
  emptyParts,
  loggedToken,
  sameBytesAtOnce,
];

/** Runs one of them; what it throws is an outcome too. */
export async function reproduce(reproduction: Reproduction, seed: number): Promise<Outcome> {
  try {
    return await reproduction.run(seed);
  } catch (error) {
    return { holds: false, happens: `it could not be tried to its end: ${firstLine(error)}` };
  }
}

function firstLine(error: unknown): string {
  return String(error).split("\n")[0] ?? "";
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      only: { type: "string" },
      seed: { type: "string", default: "1" },
      list: { type: "boolean", default: false },
    },
  });
  const names = values.only?.split(",");
  const chosen = REPRODUCTIONS.filter(({ name }) => names === undefined || names.includes(name));
  if (values.list) {
    for (const { name, defect } of chosen) process.stdout.write(`${name.padEnd(26)}${defect}\n`);
    return;
  }
  process.stdout.write(`Seed ${values.seed}\n\n| | Defect | What happens |\n| --- | --- | --- |\n`);
  for (const reproduction of chosen) {
    const { holds, happens } = await reproduce(reproduction, Number(values.seed));
    process.stdout.write(
      `| ${holds ? "mended" : "**there**"} | ${reproduction.defect} (\`${reproduction.name}\`) | ${happens} |\n`,
    );
    if (!holds) process.exitCode = 1;
  }
}

if (import.meta.main) await main();
