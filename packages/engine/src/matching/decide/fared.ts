import { NATURAL, WEAK } from "../../signature/block-kinds.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { UNSEEN, placeOfPoint } from "./block-grid.ts";
import { DESCRIBED_ELSE, DESCRIBED_SAME } from "./levels.ts";
import { type LookedAt, kindAt } from "./looked-at.ts";

/** How some of an original's points fare in the query, described there again. */
export class Fared {
  total = 0;
  /** Looks the same. */
  same = 0;
  /** Something else is there: something photographed, something drawn, nothing much. */
  other = 0;
  photographedThere = 0;
  drawnThere = 0;
  plainThere = 0;

  /** @param distance how many bits the `i`th point differs by */
  count(distance: number, points: PlacedPoints, i: number, looked: LookedAt): void {
    this.total += 1;
    this.same += Number(distance <= DESCRIBED_SAME);
    if (distance <= DESCRIBED_ELSE) return;
    this.other += 1;
    const { layer, grid } = looked;
    if (grid.at[placeOfPoint(points, i, layer, grid)] === UNSEEN) return;
    const kind = kindAt(looked, points, i);
    if (kind === NATURAL) this.photographedThere += 1;
    else if (kind === WEAK) this.plainThere += 1;
    else this.drawnThere += 1;
  }
}
