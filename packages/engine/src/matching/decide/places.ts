import type { LookedAt } from "./looked-at.ts";
import { type Signs, quantile } from "./sign-list.ts";

/** Places across and down into which the original is divided. */
const PLACES = 6;
/** Fewest blocks or points by which a place is judged. */
const FEW_IN_PLACE = 4;
const HARDLY = 0.25;

const inside = (place: number): number => Math.min(PLACES - 1, Math.max(0, Math.floor(place)));

/**
 * How the agreement is spread over the original: two fillings of one form differ in a few places, however much agrees
 * in the others.
 */
export class Places {
  readonly #total = new Float64Array(PLACES * PLACES);
  readonly #agreeing = new Float64Array(PLACES * PLACES);

  /** Counts what lies at a place of the layer, cells. */
  count({ layer: { layer } }: LookedAt, x: number, y: number, agrees: boolean): void {
    const place = inside((y * PLACES) / layer.height) * PLACES + inside((x * PLACES) / layer.width);
    this.#total[place]! += 1;
    if (agrees) this.#agreeing[place]! += 1;
  }

  /** Adds what was counted to the signs. */
  addTo(signs: Signs): void {
    const room = new Float64Array(PLACES * PLACES);
    let [told, hardly] = [0, 0];
    for (let place = 0; place < room.length; place += 1) {
      if (this.#total[place]! < FEW_IN_PLACE) continue;
      const share = this.#agreeing[place]! / this.#total[place]!;
      room[told] = share;
      told += 1;
      hardly += Number(share < HARDLY);
    }
    const shares = room.subarray(0, told).toSorted();
    signs.add("places", told);
    signs.share("places.least", quantile(shares, 0), 1);
    signs.share("places.tenth", quantile(shares, 0.1), 1);
    signs.share("places.quarter", quantile(shares, 0.25), 1);
    signs.share("places.half", quantile(shares, 0.5), 1);
    signs.share("places.hardly", hardly, told);
  }
}
