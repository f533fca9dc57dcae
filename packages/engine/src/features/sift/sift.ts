import type { Luma } from "../../image/luma.ts";
import { describe } from "./descriptor.ts";
import { type Extremum, findExtrema } from "./extrema.ts";
import { orientationsOf } from "./orientation.ts";
import { buildPyramid, type Octave, type Pyramid } from "./pyramid.ts";

/** The steps of finding and describing points (D. Lowe, 2004), with the constants of OpenCV's implementation. */
export interface Sift {
  /** Only one pyramid may be open at a time. */
  readonly buildPyramid: (luma: Luma) => Pyramid;
  readonly findExtrema: (octaves: readonly Octave[], contrast: number) => Extremum[];
  readonly orientationsOf: (octave: Octave, point: Extremum) => number[];
  readonly describe: (octave: Octave, point: Extremum, angle: number, into: Float32Array) => void;
}

/** The steps in plain TypeScript: what the vectorised ones are checked against. */
export const referenceSift: Sift = { buildPyramid, findExtrema, orientationsOf, describe };
