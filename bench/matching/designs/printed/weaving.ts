import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import { type Box, polyline, rule } from "../drawing.ts";
import { between, several } from "../language.ts";

/** A rose of one line that turns about itself many times. */
export function rose(random: Random, x: number, y: number, radius: number, stroke: string): string {
  const [petals, inner] = [between(random, 5, 21), 0.3 + 0.5 * random()];
  const turns = between(random, 3, 7);
  const points = several(420, (k) => {
    const t = (2 * Math.PI * turns * k) / 419;
    const far = radius * (inner + (1 - inner) * Math.cos((petals / turns) * t));
    return [x + far * Math.cos(t), y + far * Math.sin(t)] as const;
  });
  return polyline(points, stroke, 1);
}

/** Two sets of fine bent lines across a box, which weave where they meet. */
export function crossed(random: Random, { x, y, width, height }: Box, stroke: string): string {
  const [step, bend] = [height / between(random, 16, 44), height * (0.1 + 0.25 * random())];
  const count = Math.ceil((height + 2 * bend) / step);
  const waves = 1 + 3 * random();
  const family = (sign: number): string =>
    several(count, (k) =>
      polyline(
        several(
          40,
          (p) =>
            [
              x + (p * width) / 39,
              Math.max(
                y,
                Math.min(
                  y + height,
                  y - bend + k * step + sign * bend * Math.sin((waves * Math.PI * p) / 20),
                ),
              ),
            ] as const,
        ),
        stroke,
        0.9,
      ),
    ).join("");
  return family(1) + family(-1);
}

/** Fine lines over a whole sheet. */
export function woven(canvas: Canvas): string {
  const { width, height, random, style } = canvas;
  const whole = { x: 0, y: 0, width, height };
  const colours = [style.faint, style.second];
  return pick(random, [
    () => crossed(random, whole, pick(random, colours)),
    () =>
      several(between(random, 4, 10), () =>
        rose(
          random,
          width * random(),
          height * random(),
          height * (0.2 + 0.3 * random()),
          pick(random, colours),
        ),
      ).join(""),
    () =>
      several(Math.ceil(height / 9), (k) =>
        rule(0, 9 * k, width, 9 * k + (k % 2 ? 6 : 0), style.faint, 1),
      ).join("") + rose(random, width / 2, height / 2, height * 0.45, style.second),
    () =>
      crossed(random, { ...whole, height: height / 2 }, colours[0]!) +
      crossed(random, { ...whole, y: height / 2, height: height / 2 }, colours[1]!),
  ])();
}
