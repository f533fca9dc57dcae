import { type LookedAt, energyAt } from "./looked-at.ts";
import { around, roomAround } from "./neighbours.ts";
import { quantile } from "./sign-list.ts";

/** As much more energy than is usual around makes a place bold. */
export const BOLD = 1.25;
/** Places that tell what is usual, at least. */
const FEW = 3;

/** The energy that the query usually has around a place. */
export class UsualEnergy {
  readonly #looked: LookedAt;
  readonly #reach: number;
  readonly #near: Int32Array;
  readonly #energies: Float64Array;

  /** `reach`: how many steps each way are around a place. */
  constructor(looked: LookedAt, reach: number) {
    this.#looked = looked;
    this.#reach = reach;
    this.#near = roomAround(reach);
    this.#energies = new Float64Array(this.#near.length);
  }

  /** The median of the places around one that count; null where they are few. */
  around(place: number, counts: (other: number) => boolean): number | null {
    const [near, energies] = [this.#near, this.#energies];
    const reached = around(place, this.#looked.grid, this.#reach, near);
    let count = 0;
    for (let n = 0; n < reached; n += 1) {
      const other = near[n]!;
      if (!counts(other)) continue;
      energies[count] = energyAt(this.#looked, other);
      count += 1;
    }
    return count < FEW ? null : quantile(energies.subarray(0, count).toSorted(), 0.5);
  }
}
