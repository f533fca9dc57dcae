/**
 * Planar maps as nine numbers, row-major: (x, y) goes to ((m0 x + m1 y + m2) / w, (m3 x + m4 y + m5) / w)
 * with w = m6 x + m7 y + m8.
 */
export type PlanarMap = Float64Array;

/** A position in a raster, or on a map of cells. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

/** Divisor of a map at a point: not positive where the point lies on the horizon or behind it. */
export function depthAt(map: PlanarMap, x: number, y: number): number {
  return map[6]! * x + map[7]! * y + map[8]!;
}

/** Where a map takes a point. */
export function applyMap(map: PlanarMap, x: number, y: number): Position {
  const w = depthAt(map, x, y);
  return { x: (map[0]! * x + map[1]! * y + map[2]!) / w, y: (map[3]! * x + map[4]! * y + map[5]!) / w };
}

/** The map that first applies `b`, then `a`. */
export function multiplyMaps(a: PlanarMap, b: PlanarMap): PlanarMap {
  const product = new Float64Array(9);
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      for (let k = 0; k < 3; k += 1) product[3 * row + column]! += a[3 * row + k]! * b[3 * k + column]!;
    }
  }
  return product;
}

/** The inverse of a map; null when it is singular. */
export function invertMap(m: PlanarMap): PlanarMap | null {
  const [a, b, c, d, e, f, g, h, i] = m as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (!(Math.abs(determinant) > 1e-15)) return null;
  const adjugate = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  return Float64Array.from(adjugate, (value) => value / determinant);
}
