/**
 * Where a picture's pixels lie in another: a homography by rows, pixel edges, so that a picture ends at its width and
 * height.
 */
export type PlaneMap = readonly [number, number, number, number, number, number, number, number, number];

/** A place, pixels across and down. */
export type Point = readonly [x: number, y: number];

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The whole of one picture on the whole of another. */
export function stretch(from: Size, to: Size): PlaneMap {
  return [to.width / from.width, 0, 0, 0, to.height / from.height, 0, 0, 0, 1];
}

/** Moved across and down. */
export function shift(x: number, y: number): PlaneMap {
  return [1, 0, x, 0, 1, y, 0, 0, 1];
}

/** Turned clockwise about the middle of one picture onto the middle of another. */
export function turn(degrees: number, from: Size, to: Size): PlaneMap {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const about: PlaneMap = [cosine, -sine, 0, sine, cosine, 0, 0, 0, 1];
  const toMiddle = shift(-from.width / 2, -from.height / 2);
  return after(after(toMiddle, about), shift(to.width / 2, to.height / 2));
}

/** Left and right exchanged. */
export function mirror({ width }: Size): PlaneMap {
  return [-1, 0, width, 0, 1, 0, 0, 0, 1];
}

/** One map, then another. */
export function after(first: PlaneMap, second: PlaneMap): PlaneMap {
  const entry = (row: number, column: number): number =>
    [0, 1, 2].reduce((sum, k) => sum + second[3 * row + k]! * first[3 * k + column]!, 0);
  return [
    entry(0, 0),
    entry(0, 1),
    entry(0, 2),
    entry(1, 0),
    entry(1, 1),
    entry(1, 2),
    entry(2, 0),
    entry(2, 1),
    entry(2, 2),
  ];
}

/** The map back. */
export function inverse([a, b, c, d, e, f, g, h, i]: PlaneMap): PlaneMap {
  const [p, q, r] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const whole = a * p + b * q + c * r;
  return [
    p / whole,
    (c * h - b * i) / whole,
    (b * f - c * e) / whole,
    q / whole,
    (a * i - c * g) / whole,
    (c * d - a * f) / whole,
    r / whole,
    (b * g - a * h) / whole,
    (a * e - b * d) / whole,
  ];
}

/** Where the map takes a place. */
export function placed([a, b, c, d, e, f, g, h, i]: PlaneMap, [x, y]: Point): Point {
  const depth = g * x + h * y + i;
  return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
}
