import type { Behaviour } from "./behaviour.ts";
import { collages } from "./collages.ts";
import { emptyParts } from "./empty-parts.ts";
import { hammeredStats } from "./hammered-stats.ts";
import { largePictures } from "./large-pictures.ts";
import { openPages } from "./open-pages.ts";
import { pipelinedFlood } from "./pipelined-flood.ts";
import { pooledQueries } from "./pooled-queries.ts";
import { recordBatches } from "./record-batches.ts";
import { reconnections } from "./reconnections.ts";
import { refusedUploads } from "./refused-uploads.ts";
import { repeatedScans } from "./repeated-scans.ts";
import { slowHeads } from "./slow-heads.ts";
import { tinyDeclines } from "./tiny-declines.ts";
import { tricklingBodies } from "./trickling-bodies.ts";
import { unfinishedJson } from "./unfinished-json.ts";

/** All that one account does at once, by the name that `--only` takes. */
export const BEHAVIOURS = {
  "pipelined-flood": pipelinedFlood,
  "hammered-stats": hammeredStats,
  "trickling-bodies": tricklingBodies,
  "unfinished-json": unfinishedJson,
  "empty-parts": emptyParts,
  "refused-uploads": refusedUploads,
  "repeated-scans": repeatedScans,
  "large-pictures": largePictures,
  collages,
  "pooled-queries": pooledQueries,
  "tiny-declines": tinyDeclines,
  "record-batches": recordBatches,
  "open-pages": openPages,
  reconnections,
  "slow-heads": slowHeads,
} as const satisfies Readonly<Record<string, Behaviour>>;

export type BehaviourName = keyof typeof BEHAVIOURS;

/** @throws Error for a word that names no behaviour */
export function behaviourNamed(word: string): BehaviourName {
  const name = behaviourNames.find((each) => each === word);
  if (name === undefined) throw new Error(`There is no ${word}; there are ${behaviourNames.join(", ")}.`);
  return name;
}

export const behaviourNames: readonly BehaviourName[] = Object.keys(BEHAVIOURS).filter(
  (word): word is BehaviourName => word in BEHAVIOURS,
);
