import { AGREES } from "../compare/telling.ts";

/** A block whose best shift agrees by more than this looks the same. */
export const SAME = 0.67;
/** A block that agrees in place, and those that do so clearly, or exactly. */
export const GOOD: number = AGREES;
export const CLEAR = 0.97;
export const EXACT = 0.99;
/** Differing bits up to which two points are the same; without one such at its place, a point is gone. */
export const SAME_POINT = 36;
/**
 * Differing bits, of 128, up to which a point that is described again is the same; over the second something else is
 * there.
 */
export const DESCRIBED_SAME = 30;
export const DESCRIBED_ELSE = 40;
