import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { deserialize } from "node:v8";
import type { Finding, LayerParts } from "@colophon/engine/lab";
import type { Relation } from "./pairs.ts";

/** A pair that was compared, and where it comes from. */
export interface Compared {
  readonly registered: string;
  readonly asked: string;
  /** A design's family, `attack` or `hard`. */
  readonly group: string;
  /** The design, the kind of the original, or the category of a hard pair. */
  readonly name: string;
  readonly draw: number;
  readonly relation: Relation;
  readonly edit: string;
  /** As a pair's. */
  readonly shared: number;
  readonly seen: number;
  readonly filled: number;
  /** Whether what was edited is registered, and asked with what it was made of. */
  readonly isSwapped: boolean;
}

/** What the asked picture is to the registered one when these are swapped. */
const SWAPPED: Readonly<Record<Relation, Relation>> = {
  other: "other",
  itself: "itself",
  under: "bare",
  bare: "under",
};

/** The same two pictures the other way round. */
export function swapped(compared: Compared): Compared {
  const { registered, asked, relation, isSwapped } = compared;
  return {
    ...compared,
    registered: asked,
    asked: registered,
    relation: SWAPPED[relation],
    isSwapped: !isSwapped,
  };
}

/** The pair as it was drawn. */
export const asDrawn = (compared: Compared): Compared => (compared.isSwapped ? swapped(compared) : compared);

/** Edits after which a page shows too little of a photograph on it to be a right pair to it. */
const SHOWS_LITTLE = /^(half of it|thumbnail|carried in small)$/;

/** Whether an edit has left so much of a photograph that a page under or over it is a right pair to it. */
export function isShownEnough({ group, relation, edit }: Compared): boolean {
  const isUnder = relation === "under" || relation === "bare";
  return !(isUnder && group !== "overlay" && SHOWS_LITTLE.test(edit));
}

/**
 * The least share of what an original shows that makes of a picture one that derives from it, whatever else it shows.
 */
const DERIVES = 0.6;

/**
 * Whether other members of a design show mostly one photograph: they derive from one another, as previews of it under
 * other lettering do, and are no different pictures.
 */
export const isMostlyShared = ({ relation, shared }: Compared): boolean =>
  relation === "other" && shared >= DERIVES;

/** The least share of a photograph on a page that makes of it a part of the page, as a crop is. */
const WITHIN = 0.9;

/**
 * Whether of a page and a photograph neither lies within the other, and the photograph is less of the page than makes
 * of it its original. The page derives from the photograph, and not the other way round.
 */
export const isInPart = ({ relation, seen, filled }: Compared): boolean =>
  (relation === "under" || relation === "bare") && seen < WITHIN && filled < DERIVES;

/** Whether a pair is what its relation says. */
export const isWhatItSays = (compared: Compared): boolean =>
  !isMostlyShared(compared) &&
  isShownEnough(compared) &&
  !(compared.relation === "bare" && isInPart(compared));

/** What a report calls a pair. */
export function labelOf(compared: Compared): string {
  const { group, relation, name } = compared;
  if (group === "hard" || group === "scene") return `${group}, ${name}`;
  if (isMostlyShared(compared)) return `${group}, mostly shared`;
  return `${group}, ${relation}${isInPart(compared) ? " in part" : ""}`;
}

/** What is kept of one finding: all that a decision may look at, without the signature's bits. */
export type FindingTrace = Pick<Finding, "inliers" | "evidence" | "parts" | "isMatch">;

export interface Trace {
  readonly compared: Compared;
  /** The byte that fills the key which the original is registered under. */
  readonly key: number;
  /** Words that the query shares with the registered picture. */
  readonly shared: number;
  readonly findings: readonly FindingTrace[];
}

function withoutBits(layer: LayerParts | null): LayerParts | null {
  return layer && { ...layer, layer: { ...layer.layer, bits: new Uint16Array(0) } };
}

export function traceOf({ inliers, evidence, parts, isMatch }: Finding): FindingTrace {
  return {
    inliers,
    evidence,
    parts: { ...parts, coarse: withoutBits(parts.coarse), fine: withoutBits(parts.fine) },
    isMatch,
  };
}

/** A file name of its own for each pair. */
export function traceName({ registered, asked, relation }: Compared): string {
  return createHash("sha256").update(`${registered}\n${asked}\n${relation}`).digest("hex").slice(0, 32);
}

/** The trace of one pair in a folder. */
export function readTrace(folder: string, compared: Compared): Trace {
  return deserialize(readFileSync(join(folder, traceName(compared)))) as Trace;
}

/** All traces of folders, one after the other. */
export function* readTraces(folders: readonly string[]): Generator<Trace> {
  for (const folder of folders) {
    for (const name of readdirSync(folder).toSorted()) {
      if (/^[0-9a-f]{32}$/.test(name)) yield deserialize(readFileSync(join(folder, name))) as Trace;
    }
  }
}
