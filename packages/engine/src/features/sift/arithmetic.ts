/** Powers of two from 2 ** -64 to 1. */
const HALVINGS = Float64Array.from({ length: 65 }, (_, i) => 2 ** -i);

/**
 * `exp(x)` for `x <= 0`, to about 1e-6: the same operations everywhere, unlike a platform's library function.
 * Below -44 the answer is 0.
 */
export function expNegative(x: number): number {
  const halvings = -x * Math.LOG2E;
  if (halvings >= 64) return 0;
  const whole = Math.ceil(halvings);
  const f = (whole - halvings) * Math.LN2;
  const series = 1 + f * (1 + f * (1 / 2 + f * (1 / 6 + f * (1 / 24 + f * (1 / 120 + f * (1 / 720))))));
  return HALVINGS[whole]! * series;
}

/** Angle of a vector in radians, 0 to 2 pi, to about 1e-5 (Abramowitz and Stegun 4.4.49); 0 for the zero vector. */
export function turnOf(y: number, x: number): number {
  const [ax, ay] = [Math.abs(x), Math.abs(y)];
  const steep = ay > ax;
  const t = (steep ? ax : ay) / ((steep ? ay : ax) + 1e-30);
  const s = t * t;
  let angle = t * (0.999866 + s * (-0.3302995 + s * (0.180141 + s * (-0.085133 + s * 0.0208351))));
  if (steep) angle = Math.PI / 2 - angle;
  if (x < 0) angle = Math.PI - angle;
  return y < 0 ? 2 * Math.PI - angle : angle;
}
