import { fitPlane, LAYERS, type Luma, type Plane, resizePlane, splitBands } from "@colophon/engine/lab";
import type { Attempt } from "./attacks.ts";
import { correlation, resized } from "./planes.ts";

/** Longest sides of the maps that the two layers describe. */
const [COARSE, FINE] = LAYERS.map(({ side }) => side) as [number, number];

/** A picture as it is compared: its luma, the band of the coarse layer, the band of the fine one. */
type Views = readonly [Plane, Plane, Plane];

function viewsOf(coarse: Plane, fine: Plane): Views {
  return [coarse, splitBands(coarse).band, splitBands(fine).band];
}

/** What attempts on one packet are compared with: the truth, and pictures that have nothing to do with it. */
export class Judge {
  readonly #truth: Views;
  readonly #strangers: readonly Views[];

  constructor(luma: Luma, strangers: readonly Luma[]) {
    this.#truth = viewsOf(fitPlane(luma, COARSE), fitPlane(luma, FINE));
    const [coarse, , fine] = this.#truth;
    this.#strangers = strangers.map((stranger) =>
      viewsOf(
        resizePlane(stranger, coarse.width, coarse.height),
        resizePlane(stranger, fine.width, fine.height),
      ),
    );
  }

  /** The picture itself, and its band as the coarse layer describes it. */
  get truth(): readonly [Plane, Plane] {
    return [this.#truth[0], this.#truth[1]];
  }

  /** Correlation with the truth in each view, and the largest with another picture. */
  likeness({ picture }: Attempt): readonly { readonly own: number; readonly chance: number }[] {
    const [coarse, , fine] = this.#truth;
    const shown = viewsOf(
      resized(picture, coarse.width, coarse.height),
      resized(picture, fine.width, fine.height),
    );
    return shown.map((view, k) => ({
      own: correlation(this.#truth[k]!, view),
      chance: Math.max(...this.#strangers.map((stranger) => correlation(stranger[k]!, view))),
    }));
  }

  line(attempt: Attempt): string {
    const cells = this.likeness(attempt).map(
      ({ own, chance }) => `${own.toFixed(2).padStart(6)} (${chance.toFixed(2).padStart(5)})`,
    );
    return `${attempt.name.padEnd(28)}${cells.join("  ")}`;
  }
}
