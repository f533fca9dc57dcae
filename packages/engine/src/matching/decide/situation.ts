import type { Evidence, Layers, ResidualStatistics } from "./evidence.ts";

/**
 * How much the query can show. Who brings a second photograph of the scene brings a clean file and meets the strict demands; degrading it only makes it
 * match more.
 */
type Condition = "clean" | "degraded" | "poor";

/** How much the original looks printed. Mixed ones share parts with others, as interfaces do, printed ones look like others of their form. */
type Look = "scene" | "mixed" | "printed";

/**
 * How the two lie. A crop lies within its original, and an original within the page it is pasted on. `beyond`: they do, but a degraded query reaches
 * further beyond than such a query may. `apart`: neither lies within the other; they share a part, or show neighbouring parts of a scene.
 */
type Reach = "within" | "beyond" | "apart";

/** What kind of case the evidence is: which rules apply. */
export interface Situation {
  readonly query: Condition;
  readonly original: Look;
  readonly reach: Reach;
  /** Few blocks overlap, and the finer layer decides. */
  readonly isSmall: boolean;
  /** The layer that decides alone where the overlap is small or the query shows little. */
  readonly deciding: ResidualStatistics | null;
}

/** With fewer comparable blocks than this the overlap is small. */
export const FEW_BLOCKS = 40;
/** How far a picture lies within the other; less of one that is no page, since a crop pasted near the edge of a page reaches beyond it; more of a poor one. */
const CONTAINED = 0.9;
const CONTAINED_SCENE = 0.7;
const CONTAINED_POOR = 0.97;
/** Text-likeness over which a picture looks printed, at least in part, and altogether. */
export const MIXED = 0.5;
const PRINTED = 0.93;

function containmentOf({ coarse, fine }: Layers): number {
  return Math.max(coarse?.containment ?? 0, fine?.containment ?? 0);
}

/** Whether one of the two pictures lies within the other, however printed or poor. */
export function isContained(layers: Layers): boolean {
  return containmentOf(layers) >= CONTAINED;
}

function conditionOf({ coarse, fine, quantisation, noise }: Evidence): Condition {
  const cells = coarse?.all.cellsPerPixel ?? 0;
  const fineness = fine?.all.fineness ?? 1;
  if (quantisation > 60 || noise > 10 || cells > 1.6 || fineness < 0.35) return "poor";
  if (quantisation > 10 || noise > 6 || cells > 1 || fineness < 0.9) return "degraded";
  return "clean";
}

function lookOf(textLikeness: number): Look {
  if (textLikeness > PRINTED) return "printed";
  return textLikeness > MIXED ? "mixed" : "scene";
}

function reachOf(contained: number, query: Condition, original: Look): Reach {
  if (contained < (original === "scene" ? CONTAINED_SCENE : CONTAINED)) return "apart";
  if (query === "clean" || original === "printed") return "within";
  return contained < (query === "poor" ? CONTAINED_POOR : CONTAINED) ? "beyond" : "within";
}

function decidingLayer(layers: Layers): ResidualStatistics | null {
  const coarse = layers.coarse?.all ?? null;
  const fine = layers.fine?.all ?? null;
  if (coarse === null || fine === null) return coarse ?? fine;
  const tooFineForQuery = fine.fineness < 0.9 || coarse.cellsPerPixel > 1;
  if (coarse.used >= FEW_BLOCKS || fine.used <= coarse.used) return coarse;
  return tooFineForQuery && coarse.used >= 15 ? coarse : fine;
}

export function situationOf(evidence: Evidence): Situation {
  const query = conditionOf(evidence);
  const original = lookOf(evidence.textLikeness);
  return {
    query,
    original,
    reach: reachOf(containmentOf(evidence), query, original),
    isSmall: (evidence.coarse?.all.used ?? 0) < FEW_BLOCKS,
    deciding: decidingLayer(evidence),
  };
}
