import type { LayerEvidence } from "./evidence.ts";

/** Fewest blocks from which shares of them mean something. */
export const MANY_BLOCKS = 60;

/** Captions and logos on a page: most of the compared area that they may cover, fewest blocks beside them, least share of these that agree clearly. */
const CAPTION_COVER = 0.3;
const BESIDE_CAPTION = 40;
const CLEAR_BESIDE_CAPTION = 0.8;

/**
 * Whether all disagreement lies in a few rectangles and no block disagrees beside them, as with captions and logos on a
 * page. What two pages of a form say differently is spread over the page.
 */
export function isOverlaid({ beside }: LayerEvidence): boolean {
  const { covered, used, bad, clear } = beside;
  return (
    covered <= CAPTION_COVER && used >= BESIDE_CAPTION && bad === 0 && clear >= CLEAR_BESIDE_CAPTION * used
  );
}

/** A large sign: the same of what is beside it, and the share of the boldest blocks that may agree. */
const BESIDE_SIGN = 20;
const CLEAR_BESIDE_SIGN = 0.87;
const BOLD_AGREEING = 1 / 3;

/**
 * Whether all beside a few rectangles agrees clearly, and what is boldest disagrees: something large laid over the picture.
 * Where two pictures carry the same sign or frame, or two pages the same lettering, it is the boldest blocks that agree.
 * `cover`: most of the compared area that the rectangles may cover.
 */
export function isUnderSign({ beside, strong }: LayerEvidence, cover: number): boolean {
  const { covered, used, bad, clear } = beside;
  return (
    covered <= cover &&
    used >= BESIDE_SIGN &&
    bad === 0 &&
    clear >= CLEAR_BESIDE_SIGN * used &&
    strong.good <= BOLD_AGREEING * strong.used
  );
}

/**
 * Whether blocks either agree exactly or not at all, as beside and under an overlay; in another photograph, agreement is
 * spread in between.
 */
export function isMixed({ all }: LayerEvidence): boolean {
  return (
    all.used >= MANY_BLOCKS &&
    all.gap < 0.03 &&
    all.clear >= 0.33 * all.used &&
    all.exact >= 0.5 * all.present
  );
}

/**
 * Whether the small blocks of the fine layer agree better than the large ones of the coarse. Something thin laid all over a
 * picture spoils large blocks more; noise, motion and parallax spoil small ones more.
 */
export function isVeiled(coarse: LayerEvidence, { all }: LayerEvidence): boolean {
  return (
    all.used >= MANY_BLOCKS &&
    all.median > coarse.all.median + 0.02 &&
    all.gap < 0.05 &&
    all.clear >= 0.27 * all.used &&
    all.exact >= 0.32 * all.present
  );
}
