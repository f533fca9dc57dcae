import type { LayerParts } from "../../src/matching/compare/parts.ts";
import { NONE_NEAR, type PlacedPoints } from "../../src/matching/compare/point-agreement.ts";
import { BLOCK } from "../../src/signature/projections.ts";
import { LAYERS, blockStart } from "../../src/signature/block-signature.ts";

const [KIND] = LAYERS as [(typeof LAYERS)[number]];
export const COLUMNS = 12;
export const ROWS = 9;
const centre = (n: number): number => blockStart(n, KIND) + (BLOCK - 1) / 2;

/** A place of the grid, by its column and row. */
export type Place = readonly [column: number, row: number];
const isIn = (places: readonly Place[], column: number, row: number): boolean =>
  places.some(([c, r]) => c === column && r === row);

interface Drawn {
  /**
   * Where the query shows something of its own, as bold as a stroke; where it lacks something; where it shows hardly
   * anything.
   */
  readonly put?: readonly Place[];
  readonly taken?: readonly Place[];
  readonly plain?: readonly Place[];
  /** Plain places that do not agree, and those that are flat. */
  readonly lacking?: readonly Place[];
  readonly flat?: readonly Place[];
  /** Where the original shows nothing at all. */
  readonly empty?: readonly Place[];
  /** Energy up to which the query's noise decides. */
  readonly spurious?: number;
  /** Whether what the query shows is drawn, on flat ground. */
  readonly isDrawn?: boolean;
}

/** A layer of twelve by nine blocks that were compared. */
export function drawnLayer({
  put = [],
  taken = [],
  plain = [],
  lacking = [],
  flat = [],
  empty = [],
  spurious = 0,
  isDrawn = false,
}: Drawn): LayerParts {
  const all = Array.from({ length: COLUMNS * ROWS }, (_, k): Place => [k % COLUMNS, Math.floor(k / COLUMNS)]);
  const shown = all.filter(([c, r]) => !isIn(plain, c, r));
  const of = (value: (place: Place) => number): Float64Array => Float64Array.from(shown, value);
  const inPlace = of(([c, r]) => (isIn(put, c, r) || isIn(taken, c, r) ? 0 : 0.99));
  const bytes = (value: number): Uint8Array => new Uint8Array(shown.length).fill(value);
  const width = KIND.side;
  const height = blockStart(ROWS - 1, KIND) + BLOCK + 4;
  return {
    layer: { kind: KIND, number: 0, width, height, columns: COLUMNS, bits: new Uint16Array(COLUMNS * ROWS) },
    blocks: {
      count: shown.length,
      inPlace,
      best: inPlace,
      shiftX: of(() => 0),
      shiftY: of(() => 0),
      energy: of(([c, r]) => (isIn(put, c, r) ? 200 : 50)),
      x: of(([c]) => centre(c)),
      y: of(([, r]) => centre(r)),
    },
    spurious,
    isEmpty: Uint8Array.from(all, ([c, r]) => Number(isIn(empty, c, r))),
    plain: {
      x: Float64Array.from(plain, ([c]) => centre(c)),
      y: Float64Array.from(plain, ([, r]) => centre(r)),
      inPlace: Float64Array.from(plain, ([c, r]) => (isIn(lacking, c, r) ? 0 : 0.99)),
      energy: Float64Array.from(plain, ([c, r]) => (isIn(flat, c, r) ? 0.1 : 1)),
    },
    measures: {
      contrast: bytes(100),
      low: bytes(isDrawn ? 2 : 60),
      high: bytes(60),
      first: bytes(20),
      second: bytes(20),
      oneWay: bytes(128),
    },
    map: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    within: { query: 1, original: 1 },
    containment: 1,
    fineness: 1,
    cellsPerPixel: 1,
  };
}

/** Points in places, the strongest first; those of the second list have no counterpart. */
export function pointsIn(found: readonly Place[], gone: readonly Place[]): PlacedPoints {
  const all = [...found, ...gone];
  return {
    x: Float64Array.from(all, ([c]) => centre(c)),
    y: Float64Array.from(all, ([, r]) => centre(r)),
    covered: new Uint8Array(all.length).fill(1),
    distance: Uint8Array.from(all, (_, k) => (k < found.length ? 0 : NONE_NEAR)),
  };
}
