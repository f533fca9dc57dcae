import type { LayerEvidence, ResidualStatistics } from "./evidence.ts";
import { MANY_BLOCKS, isMixed, isOverlaid, isUnderSign, isVeiled } from "./overlay-rules.ts";

/** The comparison at 192 and at 384 cells; null where the layer or the overlap is missing. */
export interface Layers {
  readonly coarse: LayerEvidence | null;
  readonly fine: LayerEvidence | null;
}

/** What is known of one placed candidate. */
export interface Evidence extends Layers {
  /** Distinct cells that agreeing points occupy. */
  readonly support: number;
  /** The same over `describedBlocks`; null where the original has more points than are kept, and these do not tell all that it shows. */
  readonly described: { readonly shown: Layers; readonly demanded: Layers } | null;
  /** `jpegCoarseness` and `noiseOf` of the query. */
  readonly coarseness: number;
  readonly noise: number;
  /** `textnessOf` the original. */
  readonly textness: number;
}

/** Fewer agreeing cells than this are never a match. */
export const MIN_SUPPORT = 8;

/** With fewer comparable blocks than this the overlap is small, and the finer layer decides. */
const FEW_BLOCKS = 40;
/**
 * A crop lies within its original, and an original within the page it is pasted on. Two pictures of which neither lies this
 * far within the other share a part, or show neighbouring parts of a scene: they must agree all the better.
 */
const CONTAINED = 0.9;
/** The same where the original is not printed matter: a crop pasted near the edge of a page reaches beyond it. */
const CONTAINED_SCENE = 0.7;
/** The same for a query too poor to show more than roughly what was photographed. */
const CONTAINED_POOR = 0.97;
/** Originals more printed than this share parts with others, as interfaces and forms do: with only a part in common they never match. */
const PARTLY_PRINTED = 0.5;
/** Originals at least this printed look like others of their template. */
const PRINTED = 0.93;

/** Of the blocks that a page's points describe: the least that must agree on each layer, the least that must agree clearly on one, and the fewest that tell. */
const GOOD_OF_DESCRIBED = 0.7;
const CLEAR_OF_DESCRIBED = 0.55;
const FEW_DESCRIBED = 15;

/** Most of a picture, and of printed matter, that a sign may cover. */
const SIGN_COVER = 0.78;
const SIGN_COVER_PRINTED = 0.5;

/**
 * How much the query can show. Who brings a second photograph of the scene brings a clean file and meets the strict demands;
 * degrading it only makes it match more.
 */
type Condition = "clean" | "degraded" | "poor";

interface Demand {
  /** The median is taken over blocks that look only roughly the same. */
  readonly rough: boolean;
  readonly median: number;
  readonly gap: number;
  /** Least share of good blocks among the same ones, and among all compared. */
  readonly goodOfSame: number;
  readonly goodOfUsed: number;
}

const CLEAN_COARSE: Demand = { rough: false, median: 0.9, gap: 0.012, goodOfSame: 0.5, goodOfUsed: 0.25 };
const CLEAN_COARSE_ALONE: Demand = { ...CLEAN_COARSE, median: 0.96 };
const CLEAN_FINE: Demand = { ...CLEAN_COARSE, median: 0.955 };
/** The fine layer alone, where something laid over the picture spoils the larger blocks of the coarse one. */
const OVERLAID: Demand = { ...CLEAN_COARSE, median: 0.975 };
/** Nearly every block agrees, none of them perfectly: sharpened, posterised or coarsely coded all over. */
const EVEN_COARSE: Demand = { ...CLEAN_COARSE, gap: 0.02, goodOfUsed: 0.95 };
const EVEN_FINE: Demand = { ...CLEAN_COARSE, median: 0.8, gap: 0.06, goodOfUsed: 0.85 };
/** Every block of the coarse layer agrees nearly perfectly and most of the fine one agree: pixelated, smeared or scanned. */
const SMEARED_COARSE: Demand = { ...CLEAN_COARSE, median: 0.95, goodOfUsed: 0.98 };
const SMEARED_FINE: Demand = { ...CLEAN_COARSE, median: 0.65, gap: 0.2, goodOfUsed: 0.55 };
/** The blocks with most detail agree nearly perfectly, as under posterisation: contours in smooth areas spoil the others only. */
const STRONG_COARSE: Demand = { ...CLEAN_COARSE, median: 0.95, goodOfUsed: 0.98 };
const STRONG_FINE: Demand = { ...CLEAN_COARSE, median: 0.93, gap: 0.02, goodOfUsed: 0.97 };
const MOSTLY: Demand = { ...CLEAN_COARSE, gap: 0.02, goodOfUsed: 0.7 };
/** Nearly every block agrees, on both layers, as under another tone curve. */
const TONED: Demand = { ...CLEAN_COARSE, median: 0.87, gap: 0.03, goodOfUsed: 0.86 };
/** The few blocks of a small crop: all of them agree. With fewer than five, many points must; the gap of so few says nothing. */
const SMALL: Demand = { rough: false, median: 0.96, gap: 0.02, goodOfSame: 0.9, goodOfUsed: 0.9 };
const TINY: Demand = { ...SMALL, median: 0.93, gap: 1.1 };
const DEGRADED: Demand = { rough: true, median: 0.88, gap: 0.025, goodOfSame: 0.5, goodOfUsed: 0.25 };
/** The same where query or original reaches beyond the other: what two photographs share of a scene, blurred, agrees somewhat. */
const DEGRADED_BEYOND: Demand = { ...DEGRADED, median: 0.94 };
/** Either nearly everything agrees somewhat, or what is not overlaid agrees well, or the half with most detail: coding and noise drown the rest. */
const POOR: Demand = { rough: false, median: 0.75, gap: 0.1, goodOfSame: 0.6, goodOfUsed: 0.735 };
const POOR_OVERLAID: Demand = { rough: false, median: 0.87, gap: 0.05, goodOfSame: 0.6, goodOfUsed: 0.5 };
const POOR_HALF: Demand = { rough: false, median: 0.8, gap: 0.04, goodOfSame: 0.6, goodOfUsed: 0.85 };
/** Partly printed originals: a picture that two pages show must not carry the rest of the page. */
const PARTLY_PRINTED_DEGRADED: Demand = { ...DEGRADED, goodOfUsed: 0.75 };
/** Clean queries of them must show most of both layers, or, beside an overlay, agree exactly where they agree at all. */
const PARTLY_PRINTED_SHARE = 0.65;
const PARTLY_PRINTED_EXACT = 0.5;
const PRINTED_COARSE: Demand = { ...CLEAN_COARSE, goodOfUsed: 0.84 };
const PRINTED_FINE: Demand = { ...CLEAN_COARSE, median: 0.96, goodOfUsed: 0.84 };
/** The same of the blocks with most detail, where lines drawn anew by a rotation spoil weak ones. */
const PRINTED_STRONG: Demand = { ...CLEAN_COARSE, median: 0.97, goodOfUsed: 0.97 };
const PRINTED_MOSTLY: Demand = { ...CLEAN_COARSE, gap: 0.03, goodOfUsed: 0.5 };
const PRINTED_DEGRADED: Demand = { ...DEGRADED, median: 0.95, goodOfUsed: 0.8 };

function containmentOf({ coarse, fine }: Evidence): number {
  return Math.max(coarse?.containment ?? 0, fine?.containment ?? 0);
}

function meets(s: ResidualStatistics | null, demand: Demand, fewest = 5): boolean {
  if (s === null) return false;
  const same = demand.rough ? s.roughlySame : s.same;
  return (
    same >= fewest &&
    s.good >= fewest &&
    (demand.rough ? s.roughMedian : s.median) > demand.median &&
    s.gap < demand.gap &&
    s.good > demand.goodOfSame * same &&
    s.good > demand.goodOfUsed * s.used
  );
}

function conditionOf({ coarse, fine, coarseness, noise }: Evidence): Condition {
  const cells = coarse?.all.cellsPerPixel ?? 0;
  const fineness = fine?.all.fineness ?? 1;
  if (coarseness > 60 || noise > 10 || cells > 1.6 || fineness < 0.35) return "poor";
  if (coarseness > 10 || noise > 6 || cells > 1 || fineness < 0.9) return "degraded";
  return "clean";
}

/** The layer that decides alone when the overlap is small or the query shows little. */
function decidingLayer(evidence: Evidence): ResidualStatistics | null {
  const coarse = evidence.coarse?.all ?? null;
  const fine = evidence.fine?.all ?? null;
  if (coarse === null || fine === null) return coarse ?? fine;
  const tooFineForQuery = fine.fineness < 0.9 || coarse.cellsPerPixel > 1;
  if (coarse.used >= FEW_BLOCKS || fine.used <= coarse.used) return coarse;
  return tooFineForQuery && coarse.used >= 15 ? coarse : fine;
}

function passesPrinted(evidence: Evidence, isSmall: boolean, deciding: ResidualStatistics): boolean {
  const { coarse, fine } = evidence;
  if (conditionOf(evidence) !== "clean") return meets(deciding, PRINTED_DEGRADED);
  if (
    (isSmall || meets(coarse?.all ?? null, PRINTED_COARSE)) &&
    (fine === null || meets(fine.all, PRINTED_FINE))
  )
    return true;
  if (coarse === null || fine === null) return false;
  return (
    isOverlaid(fine) ||
    isUnderSign(fine, SIGN_COVER_PRINTED) ||
    (fine.strong.used >= 15 &&
      meets(coarse.strong, PRINTED_STRONG) &&
      meets(fine.strong, PRINTED_STRONG) &&
      meets(fine.all, PRINTED_MOSTLY))
  );
}

/**
 * Whether nearly all blocks agree, and the small ones no worse than the large. Another tone curve spoils both layers alike;
 * motion and parallax spoil small blocks more.
 */
function isToned(coarse: LayerEvidence, fine: LayerEvidence): boolean {
  return (
    meets(coarse.all, TONED, MANY_BLOCKS) &&
    meets(fine.all, TONED, MANY_BLOCKS) &&
    fine.all.median > coarse.all.median - 0.02
  );
}

function showsMost({ all }: LayerEvidence): boolean {
  return all.good > PARTLY_PRINTED_SHARE * all.used;
}

function isWithoutItsPage(coarse: LayerEvidence, fine: LayerEvidence): boolean {
  const isExact = fine.all.exact >= PARTLY_PRINTED_EXACT * fine.all.present;
  return !isExact && !(showsMost(coarse) && showsMost(fine));
}

function passesClean({ coarse, fine, textness }: Evidence): boolean {
  if (coarse === null) return false;
  if (textness > PARTLY_PRINTED && isWithoutItsPage(coarse, fine ?? coarse)) return false;
  if (fine === null) return meets(coarse.all, CLEAN_COARSE_ALONE);
  return (
    (meets(coarse.all, CLEAN_COARSE) && meets(fine.all, CLEAN_FINE)) ||
    meets(fine.all, OVERLAID) ||
    (textness <= PARTLY_PRINTED && [coarse, fine].some((layer) => isUnderSign(layer, SIGN_COVER))) ||
    (textness < PRINTED && (isMixed(fine) || isVeiled(coarse, fine) || isToned(coarse, fine))) ||
    (meets(coarse.all, EVEN_COARSE) && meets(fine.all, EVEN_FINE)) ||
    (textness <= PARTLY_PRINTED &&
      meets(coarse.all, SMEARED_COARSE, MANY_BLOCKS) &&
      meets(fine.all, SMEARED_FINE)) ||
    (fine.strong.used >= 40 &&
      meets(coarse.all, MOSTLY) &&
      meets(coarse.strong, STRONG_COARSE) &&
      meets(fine.strong, STRONG_FINE))
  );
}

/** Whether what a degraded or small query shows of the original agrees as a clean one's must: the rest may lie under the page that it was pasted on. */
function isPartlyShown({ coarse, fine, textness }: Evidence): boolean {
  if (coarse === null || fine === null || !meets(fine.all, OVERLAID, FEW_BLOCKS)) return false;
  return textness <= PARTLY_PRINTED || !isWithoutItsPage(coarse, fine);
}

function passesUncontained({ coarse, fine, support, textness }: Evidence): boolean {
  if (textness > PARTLY_PRINTED || support < 20) return false;
  return fine === null ? meets(coarse?.all ?? null, CLEAN_COARSE_ALONE) : meets(fine.all, OVERLAID);
}

function passes(evidence: Evidence, deciding: ResidualStatistics): boolean {
  const { coarse, fine } = evidence;
  if (containmentOf(evidence) < (evidence.textness > PARTLY_PRINTED ? CONTAINED : CONTAINED_SCENE))
    return passesUncontained(evidence);
  const isSmall = (coarse?.all.used ?? 0) < FEW_BLOCKS;
  if (evidence.textness > PRINTED) return passesPrinted(evidence, isSmall, deciding);
  const condition = conditionOf(evidence);
  if (condition !== "clean" && containmentOf(evidence) < (condition === "poor" ? CONTAINED_POOR : CONTAINED))
    return meets(deciding, DEGRADED_BEYOND);
  if (condition === "poor")
    return (
      meets(deciding, POOR) ||
      meets(deciding, POOR_OVERLAID) ||
      meets(coarse?.half ?? null, POOR_HALF, FEW_BLOCKS)
    );
  if (condition === "clean" && !isSmall) return passesClean(evidence);
  if (isPartlyShown(evidence)) return true;
  if (evidence.textness > PARTLY_PRINTED) {
    const fewest = isSmall ? 15 : 5;
    if (meets(deciding, PARTLY_PRINTED_DEGRADED, fewest)) return true;
    if (coarse === null || fine === null || !showsMost(coarse)) return false;
    return meets(fine.all, PARTLY_PRINTED_DEGRADED, fewest);
  }
  return meets(deciding, DEGRADED) || (isSmall && meets(coarse?.all ?? null, DEGRADED, 15));
}

/** A crop so small that few blocks are left, every one of them in agreement on one of the layers. */
function isSmallCrop(evidence: Evidence): boolean {
  const { support, coarse, fine, textness } = evidence;
  if (containmentOf(evidence) < CONTAINED) return false;
  return [coarse, fine].some((layer) => {
    const s = layer?.all ?? null;
    if (s === null || s.used >= FEW_BLOCKS) return false;
    if (textness > PARTLY_PRINTED) return support >= 12 && meets(s, SMALL, 8);
    return meets(s, SMALL) || (support >= 12 && meets(s, TINY, 3));
  });
}

function agrees(evidence: Evidence): boolean {
  const { support } = evidence;
  const deciding = decidingLayer(evidence);
  if (support < MIN_SUPPORT || deciding === null) return false;
  if (isSmallCrop(evidence)) return true;
  // Few points or few blocks: the other must speak the clearer.
  return (
    passes(evidence, deciding) &&
    (deciding.good >= 15 || support >= 12) &&
    (support > 10 || deciding.good >= 0.5 * deciding.used)
  );
}

/**
 * Whether a page says something else than the original where the original says anything, however much of the template's lines
 * and frames agrees.
 */
function saysOtherwise({ described, textness }: Evidence): boolean {
  if (described === null || textness <= PARTLY_PRINTED) return false;
  const { coarse, fine } = described.shown;
  const telling = [coarse, fine].flatMap((layer) =>
    layer !== null && layer.all.used >= FEW_DESCRIBED ? [layer.all] : [],
  );
  return (
    telling.some(({ good, used }) => good < GOOD_OF_DESCRIBED * used) ||
    (telling.length === 2 && telling.every(({ clear, used }) => clear < CLEAR_OF_DESCRIBED * used))
  );
}

/**
 * Whether the evidence shows that the query derives from the original, rather than from another photograph of the same scene or
 * another page of the same template. Of an original on plain ground it is enough that all it shows agrees, whatever was laid
 * over the ground.
 */
export function isDerived(evidence: Evidence): boolean {
  const { described } = evidence;
  if (described !== null && agrees({ ...evidence, ...described.demanded })) return true;
  return agrees(evidence) && !saysOtherwise(evidence);
}

/** Of a query that looks like the whole original: whether blocks all over the picture agree. Pictures without texture never do. */
export function isWhole(evidence: Evidence): boolean {
  const deciding = decidingLayer(evidence);
  return (
    deciding !== null &&
    deciding.good >= 15 &&
    deciding.good >= 0.6 * deciding.used &&
    passes(evidence, deciding) &&
    !saysOtherwise(evidence)
  );
}
