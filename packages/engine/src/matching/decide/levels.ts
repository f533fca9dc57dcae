/** A block whose best shift agrees by more than this looks the same. */
export const SAME = 0.67;
/** A block that agrees in place, and those that do so clearly, or exactly. */
export const GOOD = 0.49;
export const CLEAR = 0.97;
export const EXACT = 0.99;
/** Differing bits up to which two points are the same; without one such at its place, a point is gone. */
export const SAME_POINT = 36;
