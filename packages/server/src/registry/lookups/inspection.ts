import { type Inspection, refuse } from "@colophon/contract";
import { placeInPixels, type Polygon, type Size } from "@colophon/engine";
import type { Checked, MatchedOriginal } from "../../engine/port.ts";
import type { Read } from "../../store/database.ts";
import { type Holding, holdingsOf } from "../../store/originals/holdings.ts";

type InspectedMatch = Inspection["matches"][number];

/**
 * The places of what was found, as the account may see it: originals of anybody, holdings of its own.
 * @throws Refusal imageCouldNotBeChecked for bytes that were registered before sizes were kept and are not read any
 * more
 */
export async function inspectionOf(
  read: Read,
  accountId: string,
  { matches, size }: Checked,
): Promise<Inspection> {
  if (size === null) throw refuse("imageCouldNotBeChecked", "declined");
  const holdings = await holdingsOf(read, accountId, matches);
  return {
    matched: matches.length > 0,
    width: size.width,
    height: size.height,
    matches: matches.map((match) => inspectedMatch(match, size, holdings.get(match.imageNo) ?? null)),
  };
}

function inspectedMatch(match: MatchedOriginal, query: Size, own: Holding | null): InspectedMatch {
  const original = match.size ?? query;
  const { region, part, isMirrored, isInverted, turned, scale } = placeInPixels(match.place, original, query);
  return {
    originalImageHash: match.originalImageHash.toString("hex"),
    relation: match.relation,
    own,
    originalWidth: original.width,
    originalHeight: original.height,
    region: region && corners(region),
    part: part && corners(part),
    mirrored: isMirrored,
    inverted: isInverted,
    turnedDegrees: turned,
    scale,
  };
}

function corners(polygon: Polygon): [x: number, y: number][] {
  return polygon.map(([x, y]) => [x, y]);
}
