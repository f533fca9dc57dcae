import { areOddsBorneOut, isSure } from "./borne-out.ts";
import { CLEAN, type Demand, meets } from "./demand.ts";
import type { Evidence, LayerEvidence } from "./evidence.ts";
import { MANY_BLOCKS, isMixed, isOverlaid, isUnderSign, isVeiled } from "./overlay-rules.ts";
import { isShownWhole } from "./shown-whole.ts";
import { FEW_BLOCKS, type Situation, isContained } from "./situation.ts";

export type RuleName =
  | "shown-whole"
  | "small-crop"
  | "learned"
  | "part-in-common"
  | "both-layers"
  | "fine-layer"
  | "under-sign"
  | "exactly-or-not"
  | "veiled"
  | "toned"
  | "even"
  | "smeared"
  | "boldest"
  | "shown-in-part"
  | "degraded"
  | "degraded-mixed"
  | "degraded-beyond"
  | "poor"
  | "poor-overlaid"
  | "poor-boldest"
  | "page"
  | "page-captioned"
  | "page-under-sign"
  | "page-boldest"
  | "page-degraded";

/** A way in which blocks show that the query derives from the original. */
export interface Rule {
  readonly name: RuleName;
  readonly why: string;
  /** The heading of `docs/decision.md` that says more, in lower case with hyphens. */
  readonly measured: string;
  readonly applies: (situation: Situation) => boolean;
  readonly holds: (evidence: Evidence, situation: Situation) => boolean;
}

/**
 * Least share of the original's points that lie in agreeing blocks where neither picture lies within the other. By policy six tenths of what it shows must be
 * seen; a fifth of the points of what is seen lie in blocks across its edge, or in weak ones.
 */
const SHOWN = 0.45;
/** Most of a picture, and of printed matter, that a sign may cover. */
const SIGN_COVER = 0.78;
const SIGN_COVER_PRINTED = 0.5;
/** A clean query of a mixed page must show most of both layers, or, beside an overlay, agree exactly where it agrees at all. */
const MIXED_SHARE = 0.65;
const MIXED_EXACT = 0.5;

const ALONE: Demand = { ...CLEAN, median: 0.96 };
const FINE: Demand = { ...CLEAN, median: 0.955 };
const OVERLAID: Demand = { ...CLEAN, median: 0.975 };
const EVEN_COARSE: Demand = { ...CLEAN, gap: 0.02, goodOfUsed: 0.95 };
const EVEN_FINE: Demand = { ...CLEAN, median: 0.8, gap: 0.06, goodOfUsed: 0.85 };
const SMEARED_COARSE: Demand = { ...CLEAN, median: 0.95, goodOfUsed: 0.98 };
const SMEARED_FINE: Demand = { ...CLEAN, median: 0.65, gap: 0.2, goodOfUsed: 0.55 };
const STRONG_COARSE: Demand = { ...CLEAN, median: 0.95, goodOfUsed: 0.98 };
const STRONG_FINE: Demand = { ...CLEAN, median: 0.93, gap: 0.02, goodOfUsed: 0.97 };
const MOSTLY: Demand = { ...CLEAN, gap: 0.02, goodOfUsed: 0.7 };
const TONED: Demand = { ...CLEAN, median: 0.87, gap: 0.03, goodOfUsed: 0.86 };
const SMALL: Demand = { rough: false, median: 0.96, gap: 0.02, goodOfSame: 0.9, goodOfUsed: 0.9 };
const TINY: Demand = { ...SMALL, median: 0.93, gap: 1.1 };
const DEGRADED: Demand = { rough: true, median: 0.88, gap: 0.025, goodOfSame: 0.5, goodOfUsed: 0.25 };
const DEGRADED_BEYOND: Demand = { ...DEGRADED, median: 0.94 };
const POOR: Demand = { rough: false, median: 0.75, gap: 0.1, goodOfSame: 0.6, goodOfUsed: 0.735 };
const POOR_OVERLAID: Demand = { rough: false, median: 0.87, gap: 0.05, goodOfSame: 0.6, goodOfUsed: 0.5 };
const POOR_HALF: Demand = { rough: false, median: 0.8, gap: 0.04, goodOfSame: 0.6, goodOfUsed: 0.85 };
const DEGRADED_MIXED: Demand = { ...DEGRADED, goodOfUsed: 0.75 };
const PRINTED_COARSE: Demand = { ...CLEAN, goodOfUsed: 0.84 };
const PRINTED_FINE: Demand = { ...CLEAN, median: 0.96, goodOfUsed: 0.84 };
const PRINTED_STRONG: Demand = { ...CLEAN, median: 0.97, goodOfUsed: 0.97 };
const PRINTED_MOSTLY: Demand = { ...CLEAN, gap: 0.03, goodOfUsed: 0.5 };
const PRINTED_DEGRADED: Demand = { ...DEGRADED, median: 0.95, goodOfUsed: 0.8 };

const showsMost = ({ all }: LayerEvidence): boolean => all.good > MIXED_SHARE * all.used;

/** Whether a picture that two pages show may carry what little else agrees. */
function isWithoutItsPage({ coarse, fine }: Evidence): boolean {
  const compared = [fine, coarse].filter((layer) => layer !== null);
  const { exact, present } = compared[0]!.all;
  return exact < MIXED_EXACT * present && !compared.every(showsMost);
}

const isClean = ({ query, original, reach, isSmall }: Situation): boolean =>
  query === "clean" && original !== "printed" && reach === "within" && !isSmall;
const isCleanScene = (situation: Situation): boolean => isClean(situation) && situation.original === "scene";
/** A rule of clean queries; of mixed pages only if what agrees is more than one picture on them. */
const ofClean =
  (holds: (evidence: Evidence) => boolean) =>
  (evidence: Evidence, { original }: Situation): boolean =>
    holds(evidence) && (original === "scene" || !isWithoutItsPage(evidence));

const isPoor = ({ query, original, reach }: Situation): boolean =>
  query === "poor" && original !== "printed" && reach === "within";
/** Degraded, or with few blocks in common. */
const isLess = ({ query, original, reach, isSmall }: Situation): boolean =>
  (query === "degraded" || (query === "clean" && isSmall)) && original !== "printed" && reach === "within";
const isCleanPage = ({ query, original, reach }: Situation): boolean =>
  query === "clean" && original === "printed" && reach === "within";

/** Every rule; the first that holds names the answer. */
export const RULES: readonly Rule[] = [
  {
    name: "shown-whole",
    why: "The original lies whole in a small part of the query, as a mark on a photograph, and all that it shows agrees.",
    measured: "shown-whole",
    applies: () => true,
    holds: isShownWhole,
  },
  {
    name: "small-crop",
    why: "A crop so small that few blocks are left: every one of them agrees on one of the layers.",
    measured: "small-crops",
    applies: () => true,
    holds: (evidence, { original }) =>
      isContained(evidence) &&
      [evidence.coarse, evidence.fine].some((layer) => {
        if (layer === null || layer.all.used >= FEW_BLOCKS) return false;
        if (original !== "scene") {
          const isPlaced =
            evidence.inliers >= 12 || (isSure(evidence.odds) && layer.all.good === layer.all.used);
          return isPlaced && meets(layer.all, SMALL, 8);
        }
        return meets(layer.all, SMALL) || (evidence.inliers >= 12 && meets(layer.all, TINY, 3));
      }),
  },
  {
    name: "learned",
    why: "Both learned hypotheses speak clearly: something laid all over a picture leaves few blocks in which it agrees as rules ask. Of few blocks nearly all must agree; of a page that lies partly beyond another most must be shown.",
    measured: "hypotheses",
    applies: ({ reach, original }) => reach !== "apart" || original !== "scene",
    holds: (evidence, { reach }) =>
      isSure(evidence.odds) && areOddsBorneOut(evidence) && (reach !== "apart" || evidence.shown >= SHOWN),
  },
  {
    name: "part-in-common",
    why: "Neither picture lies within the other, as with a crop pasted across the edge of a page: what they share agrees nearly perfectly, and is most of what the original shows.",
    measured: "containment",
    applies: ({ original, reach }) => reach === "apart" && original === "scene",
    holds: ({ coarse, fine, inliers, shown }) =>
      inliers >= 20 &&
      shown >= SHOWN &&
      (fine === null ? meets(coarse?.all, ALONE) : meets(fine.all, OVERLAID)),
  },
  {
    name: "both-layers",
    why: "What looks the same agrees in place on both layers.",
    measured: "the-decision",
    applies: isClean,
    holds: ofClean(({ coarse, fine }) =>
      fine === null ? meets(coarse?.all, ALONE) : meets(coarse?.all, CLEAN) && meets(fine.all, FINE),
    ),
  },
  {
    name: "fine-layer",
    why: "Something laid over the picture spoils the larger blocks of the coarse layer; the smaller ones beside it agree nearly perfectly.",
    measured: "overlays",
    applies: isClean,
    holds: ofClean(({ fine }) => meets(fine?.all, OVERLAID)),
  },
  {
    name: "under-sign",
    why: "All beside a few rectangles agrees clearly, and what is boldest disagrees.",
    measured: "overlays",
    applies: isCleanScene,
    holds: ({ coarse, fine }) =>
      fine !== null && coarse !== null && [coarse, fine].some((layer) => isUnderSign(layer, SIGN_COVER)),
  },
  {
    name: "exactly-or-not",
    why: "Blocks agree exactly or not at all, as beside and under an overlay; in another photograph agreement is spread in between.",
    measured: "overlays",
    applies: isClean,
    holds: ofClean(({ fine }) => fine !== null && isMixed(fine)),
  },
  {
    name: "veiled",
    why: "Small blocks agree better than large ones: something thin laid all over spoils large ones more, motion small ones.",
    measured: "overlays",
    applies: isClean,
    holds: ofClean(({ coarse, fine }) => coarse !== null && fine !== null && isVeiled(coarse, fine)),
  },
  {
    name: "toned",
    why: "Another tone curve spoils both layers alike: nearly all blocks agree, the small ones no worse than the large.",
    measured: "tones",
    applies: isClean,
    holds: ofClean(
      ({ coarse, fine }) =>
        meets(coarse?.all, TONED, MANY_BLOCKS) &&
        meets(fine?.all, TONED, MANY_BLOCKS) &&
        fine!.all.median > coarse!.all.median - 0.02,
    ),
  },
  {
    name: "even",
    why: "Nearly every block agrees, none of them perfectly: sharpened, posterised or coarsely coded all over.",
    measured: "the-decision",
    applies: isClean,
    holds: ofClean(({ coarse, fine }) => meets(coarse?.all, EVEN_COARSE) && meets(fine?.all, EVEN_FINE)),
  },
  {
    name: "smeared",
    why: "Pixelated, shaken or scanned, a picture keeps its coarse layer and loses the fine one.",
    measured: "smeared",
    applies: isCleanScene,
    holds: ({ coarse, fine }) =>
      meets(coarse?.all, SMEARED_COARSE, MANY_BLOCKS) && meets(fine?.all, SMEARED_FINE),
  },
  {
    name: "boldest",
    why: "The blocks with most detail agree nearly perfectly: contours in smooth areas, as of posterising, spoil the others only.",
    measured: "the-decision",
    applies: isClean,
    holds: ofClean(
      ({ coarse, fine }) =>
        fine !== null &&
        fine.strong.used >= 40 &&
        meets(coarse?.all, MOSTLY) &&
        meets(coarse?.strong, STRONG_COARSE) &&
        meets(fine.strong, STRONG_FINE),
    ),
  },
  {
    name: "shown-in-part",
    why: "What a degraded or small query shows of the original agrees as a clean one's must: the rest may lie under the page that it was pasted on.",
    measured: "shown-in-part",
    applies: isLess,
    holds: (evidence, { original }) =>
      evidence.coarse !== null &&
      meets(evidence.fine?.all, OVERLAID, FEW_BLOCKS) &&
      (original === "scene" || !isWithoutItsPage(evidence)),
  },
  {
    name: "degraded",
    why: "Blurred, small or coarsely coded, a picture still agrees roughly where it looks roughly the same.",
    measured: "the-decision",
    applies: (situation) => isLess(situation) && situation.original === "scene",
    holds: ({ coarse }, { deciding, isSmall }) =>
      meets(deciding, DEGRADED) || (isSmall && meets(coarse?.all, DEGRADED, 15)),
  },
  {
    name: "degraded-mixed",
    why: "The same of a page with pictures: a picture that two pages show must not carry the rest of the page.",
    measured: "printed-matter",
    applies: (situation) => isLess(situation) && situation.original === "mixed",
    holds: ({ coarse, fine }, { deciding, isSmall }) => {
      const fewest = isSmall ? 15 : 5;
      if (meets(deciding, DEGRADED_MIXED, fewest)) return true;
      return coarse !== null && showsMost(coarse) && meets(fine?.all, DEGRADED_MIXED, fewest);
    },
  },
  {
    name: "degraded-beyond",
    why: "A degraded query that reaches beyond the original agrees better than others: blurred, two views of one scene agree roughly.",
    measured: "containment",
    applies: ({ reach, original }) => reach === "beyond" && original !== "printed",
    holds: (_, { deciding }) => meets(deciding, DEGRADED_BEYOND),
  },
  {
    name: "poor",
    why: "Nearly everything agrees somewhat, which is all that coarse coding, noise and blur leave.",
    measured: "the-decision",
    applies: isPoor,
    holds: (_, { deciding }) => meets(deciding, POOR),
  },
  {
    name: "poor-overlaid",
    why: "The same where half of it lies under something: the rest agrees well.",
    measured: "the-decision",
    applies: isPoor,
    holds: (_, { deciding }) => meets(deciding, POOR_OVERLAID),
  },
  {
    name: "poor-boldest",
    why: "Coding and noise drown the blocks with little detail; the half with most of it agrees.",
    measured: "the-decision",
    applies: isPoor,
    holds: ({ coarse }) => meets(coarse?.half, POOR_HALF, FEW_BLOCKS),
  },
  {
    name: "page",
    why: "Nearly all blocks of a page agree, as those of another page of the same form do not.",
    measured: "printed-matter",
    applies: isCleanPage,
    holds: ({ coarse, fine }, { isSmall }) =>
      (isSmall || meets(coarse?.all, PRINTED_COARSE)) && (fine === null || meets(fine.all, PRINTED_FINE)),
  },
  {
    name: "page-captioned",
    why: "All disagreement of a page lies in a few rectangles, as under captions and logos; what two forms say differently is spread over them.",
    measured: "printed-matter",
    applies: isCleanPage,
    holds: ({ coarse, fine }) => coarse !== null && fine !== null && isOverlaid(fine),
  },
  {
    name: "page-under-sign",
    why: "All beside a few rectangles of a page agrees clearly, and what is boldest disagrees: half of it may lie under a sign.",
    measured: "printed-matter",
    applies: isCleanPage,
    holds: ({ coarse, fine }) => coarse !== null && fine !== null && isUnderSign(fine, SIGN_COVER_PRINTED),
  },
  {
    name: "page-boldest",
    why: "Lines drawn again by a rotation spoil weak blocks of a page; those with most detail agree nearly perfectly.",
    measured: "printed-matter",
    applies: isCleanPage,
    holds: ({ coarse, fine }) =>
      fine !== null &&
      fine.strong.used >= 15 &&
      meets(coarse?.strong, PRINTED_STRONG) &&
      meets(fine.strong, PRINTED_STRONG) &&
      meets(fine.all, PRINTED_MOSTLY),
  },
  {
    name: "page-degraded",
    why: "A blurred, small or coarsely coded page agrees nearly everywhere.",
    measured: "printed-matter",
    applies: ({ query, original, reach }) =>
      query !== "clean" && original === "printed" && reach === "within",
    holds: (_, { deciding }) => meets(deciding, PRINTED_DEGRADED),
  },
];
