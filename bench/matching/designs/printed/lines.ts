import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import { disc, polyline } from "../drawing.ts";
import { between, several } from "../language.ts";

type Field = (x: number, y: number) => number;
type Point = readonly [x: number, y: number];

/**
 * A smooth field of some waves of any direction, -1 to 1; `spans`: how many of the longest go along the longer side.
 */
export function field(random: Random, { width, height }: Canvas, spans: number): Field {
  const longer = Math.max(width, height);
  const waves = several(between(random, 3, 6), () => {
    const [turn, often] = [2 * Math.PI * random(), (2 * Math.PI * spans * (0.5 + 1.5 * random())) / longer];
    return {
      u: often * Math.cos(turn),
      v: often * Math.sin(turn),
      from: 2 * Math.PI * random(),
      by: 0.4 + random(),
    };
  });
  const all = waves.reduce((sum, { by }) => sum + by, 0);
  return (x, y) =>
    waves.reduce((sum, { u, v, from, by }) => sum + by * Math.sin(u * x + v * y + from), 0) / all;
}

/** What lines are drawn with: two colours in turns or one, and a width. */
function pen({ random, style }: Canvas): (k: number, points: readonly Point[]) => string {
  const [one, other] = [pick(random, [style.faint, style.second, style.accent]), style.faint];
  const [line, both] = [0.7 + 1.6 * random(), random() < 0.4];
  return (k, points) => polyline(points, both && k % 2 === 1 ? other : one, line);
}

const STEPS = 72;

/** Lines that go along a sheet, moved aside by what `aside` says of a line's place and of how far along it is. */
function along(canvas: Canvas, gap: number, aside: (from: number, t: number) => number): string {
  const { width, height, random } = canvas;
  const drawn = pen(canvas);
  const isDown = random() < 0.3;
  const [far, across] = isDown ? [height, width] : [width, height];
  return several(Math.ceil((across * 1.6) / gap), (k) => {
    const from = -0.3 * across + k * gap;
    return drawn(
      k,
      several(STEPS + 1, (p) => {
        const t = (p * far) / STEPS;
        const at = from + aside(from, t);
        return isDown ? [at, t] : [t, at];
      }),
    );
  }).join("");
}

/** Lines that flow, none as the one before it. */
function flowing(canvas: Canvas): string {
  const { random, unit } = canvas;
  const [bent, by] = [field(random, canvas, 2 + 5 * random()), unit * (1 + 3 * random())];
  return along(canvas, 4 + 10 * random(), (from, t) => by * bent(t, from));
}

/** Waves whose length and height change from line to line. */
function waving(canvas: Canvas): string {
  const { random, unit, width, height } = canvas;
  const [often, more] = [(4 + 14 * random()) / width, (0.2 + 2 * random()) / height];
  const by = unit * (0.3 + 0.9 * random());
  const turn = (1 + 6 * random()) / height;
  return along(
    canvas,
    5 + 8 * random(),
    (from, t) => by * Math.sin(2 * Math.PI * t * (often + (more * from) / height) + turn * from * 6),
  );
}

/** Rings about two far places, or lines of two directions, that beat against each other. */
function beating(canvas: Canvas): string {
  const { random, width, height } = canvas;
  const far = Math.hypot(width, height);
  const gap = 5 + 9 * random();
  const drawn = pen(canvas);
  const ring = (x: number, y: number, k: number): string =>
    drawn(
      k,
      several(STEPS + 1, (p) => {
        const t = (2 * Math.PI * p) / STEPS;
        return [x + k * gap * Math.cos(t), y + k * gap * Math.sin(t)];
      }),
    );
  const [x, y] = [width * random(), height * random()];
  const [dx, dy] = [gap * (2 + 12 * random()), gap * (2 + 12 * random())];
  const rings = Math.ceil(far / gap);
  return several(rings, (k) => ring(x, y, k + 1) + ring(x + dx, y + dy, k + 1)).join("");
}

/** Lines of height of smooth hills, each followed from left to right. */
function hills(canvas: Canvas): string {
  const { random, unit } = canvas;
  const [ground, rough] = [
    field(random, canvas, 1.5 + 2 * random()),
    field(random, canvas, 6 + 8 * random()),
  ];
  const by = unit * (3 + 4 * random());
  return along(
    canvas,
    5 + 8 * random(),
    (from, t) => by * ground(t, from * 0.4) + 0.15 * by * rough(t, from) * (1 + ground(from, t)),
  );
}

/** Rays from a place within or beside a sheet, bent. */
function radiating(canvas: Canvas): string {
  const { random, width, height, unit } = canvas;
  const [x, y] = [width * (1.4 * random() - 0.2), height * (1.4 * random() - 0.2)];
  const far = 1.5 * Math.hypot(width, height);
  const [bent, by] = [field(random, canvas, 3 + 4 * random()), unit * 2 * random()];
  const drawn = pen(canvas);
  const rays = between(random, 160, 420);
  return several(rays, (k) => {
    const t = (2 * Math.PI * k) / rays;
    return drawn(
      k,
      several(41, (p) => {
        const r = (p * far) / 40;
        const [u, v] = [x + r * Math.cos(t), y + r * Math.sin(t)];
        return [u + by * bent(u, v), v + by * bent(v, u)];
      }),
    );
  }).join("");
}

/** Bands of lines that go over from one curve to another and back, as on shares and cheques. */
function bands(canvas: Canvas): string {
  const { random, width, height } = canvas;
  const count = between(random, 2, 6);
  return several(count, (band) => {
    const drawn = pen(canvas);
    const [low, high] = [field(random, canvas, 3), field(random, canvas, 3)];
    const tall = (height / count) * (0.7 + 0.5 * random());
    const [often, lines] = [between(random, 3, 14), between(random, 8, 22)];
    return several(lines, (k) =>
      drawn(
        k,
        several(2 * STEPS + 1, (p) => {
          const x = (p * width) / (2 * STEPS);
          const [from, to] = [tall * (0.15 * low(x, band) + 0.05), tall * (0.85 + 0.15 * high(x, band))];
          const share = 0.5 + 0.5 * Math.sin(2 * Math.PI * ((often * x) / width + k / lines));
          return [x, (band * height) / count + from + (to - from) * share];
        }),
      ),
    ).join("");
  }).join("");
}

/** One line that turns about the middle of a sheet and fills it. */
function turning(canvas: Canvas): string {
  const { random, width, height } = canvas;
  return several(between(random, 1, 3), (k) => {
    const drawn = pen(canvas);
    const [turns, loops] = [between(random, 20, 45), between(random, 3, 9) + random()];
    const loop = 0.2 + 0.5 * random();
    const points = several(turns * 60, (p): Point => {
      const t = (2 * Math.PI * p) / 60;
      const far = 0.75 * (1 - loop) + 0.75 * loop * Math.cos(t * loops);
      return [
        width * (0.5 + far * Math.cos(t + p / 900)),
        height * (0.5 + 1.2 * far * Math.sin(t + p / 900)),
      ];
    });
    return drawn(k, points);
  }).join("");
}

/** The grain of a board: lines drawn about knots. */
function grain(canvas: Canvas): string {
  const { random, width, height, unit } = canvas;
  const knots = several(between(random, 2, 6), () => ({
    x: width * random(),
    y: height * random(),
    wide: unit * (2 + 4 * random()),
    by: unit * (1.5 + 3 * random()),
  }));
  const bent = field(random, canvas, 3);
  return along(
    canvas,
    4 + 8 * random(),
    (from, t) =>
      unit * bent(t, from) +
      knots.reduce((sum, { x, y, wide, by }) => {
        const near = Math.exp(-(((t - x) / (2.5 * wide)) ** 2) - ((from - y) / wide) ** 2);
        return sum + by * near * Math.sign(from - y || 1);
      }, 0),
  );
}

/** Arcs and rings thrown over a sheet. */
function thrown(canvas: Canvas): string {
  const { random, width, height, unit, style } = canvas;
  const line = 0.8 + 1.4 * random();
  return several(between(random, 60, 180), () =>
    disc(width * random(), height * random(), unit * (0.5 + 5 * random() ** 2), {
      stroke: pick(random, [style.faint, style.second]),
      line,
    }),
  ).join("");
}

/** Fine lines that cover a whole sheet and nowhere repeat, by kind. */
export const LINES: Readonly<Record<string, (canvas: Canvas) => string>> = {
  flowing,
  waving,
  beating,
  hills,
  radiating,
  bands,
  turning,
  grain,
  thrown,
};
