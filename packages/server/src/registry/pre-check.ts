import { unionArea } from "@colophon/engine";
import type { Declined, Extracted, Identical, MatchedOriginal, NotYet } from "../engine/port.ts";
import type { Write } from "../store/database.ts";
import type { Extraction } from "../store/originals/extraction.ts";
import { type LiveOriginal, liveOriginalByImage } from "../store/originals/originals.ts";

/** Why an image does not register. */
export interface Hindrance {
  readonly ground: "alreadyRegistered" | "derivative";
  /** The registered originals that stand against it; those that show on most of the image first. */
  readonly originals: NonEmpty<Pick<LiveOriginal, "imageNo" | "originalImageHash">>;
}

type NonEmpty<Item> = readonly [Item, ...Item[]];

/** What a pre-check comes to. */
export type PreCheck =
  | { readonly outcome: "clear"; readonly extraction: Extraction }
  | ({ readonly outcome: "hindered" } & Hindrance)
  | Declined
  | NotYet;

/** What the engine's answer about a new image comes to. @param cover share of the image, 0..1, as for `hindranceOf` */
export function preCheckOf(answer: Extracted | Identical | Declined | NotYet, cover: number): PreCheck {
  switch (answer.outcome) {
    case "identical":
      return { outcome: "hindered", ground: "alreadyRegistered", originals: [answer.original] };
    case "checked": {
      const hindrance = hindranceOf(answer.matches, cover);
      if (hindrance !== null) return { outcome: "hindered", ...hindrance };
      return { outcome: "clear", extraction: answer.extraction };
    }
    case "declined":
    case "notYet":
      return answer;
    default:
      return answer satisfies never;
  }
}

/**
 * Whether the originals found in a new image keep it from being registered: one of the same bytes does, and so do
 * originals that show together on at least `cover` (0..1) of its area. No matter who holds them: what shows less may be
 * in anybody's picture.
 */
export function hindranceOf(matches: readonly MatchedOriginal[], cover: number): Hindrance | null {
  const identical = matches.filter((match) => match.relation === "identical");
  if (isSome(identical)) return { ground: "alreadyRegistered", originals: identical };
  const shares = matches.map((match) => ({ match, share: unionArea(match.shown) }));
  const originals = shares.toSorted((a, b) => b.share - a.share).map(({ match }) => match);
  return isSome(originals) && isCovered(shares, cover) ? { ground: "derivative", originals } : null;
}

/**
 * A hindrance as it stands when the image is refused: bytes that somebody has registered since the engine compared it
 * go before all that it shows. Asked on the locked account, so that nothing of the account's own comes between.
 * @param apartFrom numbers of originals that do not count, as for the engine's pre-check
 */
export async function hindranceNow(
  write: Write,
  imageHash: Buffer,
  hindrance: Hindrance,
  apartFrom: ReadonlySet<number> = NONE,
): Promise<Hindrance> {
  if (hindrance.ground === "alreadyRegistered") return hindrance;
  const original = await liveOriginalByImage(write, imageHash);
  if (original === null || apartFrom.has(original.imageNo)) return hindrance;
  return { ground: "alreadyRegistered", originals: [original] };
}

/** The union is only drawn where neither the largest share nor the sum of all decides. */
function isCovered(
  shares: readonly { readonly match: MatchedOriginal; readonly share: number }[],
  cover: number,
): boolean {
  if (shares.some(({ share }) => share >= cover)) return true;
  if (shares.reduce((sum, { share }) => sum + share, 0) < cover) return false;
  return unionArea(shares.flatMap(({ match }) => match.shown)) >= cover;
}

function isSome<Item>(items: readonly Item[]): items is NonEmpty<Item> {
  return items.length > 0;
}

const NONE: ReadonlySet<number> = new Set();
