import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import { box, disc, path, polyline, rule, text } from "../drawing.ts";
import { between, several, words } from "../language.ts";
import { field } from "../printed/lines.ts";

/** What covers a whole page before anything is said on it. */
export type Ground = (canvas: Canvas) => string;

type Point = readonly [x: number, y: number];

const closed = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}z`;

const covered = ({ width, height }: Canvas, fill: string): string => box(0, 0, width, height, { fill });

/** A tone of one hue. */
const tone = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${hue.toFixed(0)},${saturation.toFixed(0)}%,${lightness.toFixed(0)}%)`;

/** Panes of glass side by side, none of one tone with the next. */
const panes: Ground = (canvas) => {
  const { width, height, random, style } = canvas;
  const [columns, rows, hue] = [between(random, 6, 18), between(random, 5, 14), 360 * random()];
  const corner = several(
    (columns + 1) * (rows + 1),
    (k): Point => [
      (((k % (columns + 1)) + 0.8 * (random() - 0.5)) * width) / columns,
      ((Math.floor(k / (columns + 1)) + 0.8 * (random() - 0.5)) * height) / rows,
    ],
  );
  const edge = random() < 0.5 ? { stroke: style.ink, line: between(random, 1, 4) } : {};
  return several(columns * rows, (k) => {
    const at = Math.floor(k / columns) * (columns + 1) + (k % columns);
    const [a, b, c, d] = [corner[at]!, corner[at + 1]!, corner[at + columns + 2]!, corner[at + columns + 1]!];
    const paint = (): string => tone(hue + 60 * random(), 20 + 40 * random(), 30 + 50 * random());
    return random() < 0.5
      ? path(closed([a, b, c, d]), { fill: paint(), ...edge })
      : path(closed([a, b, c]), { fill: paint(), ...edge }) +
          path(closed([a, c, d]), { fill: paint(), ...edge });
  }).join("");
};

/** Depths or heights in tints, step by step. */
const tints: Ground = (canvas) => {
  const { width, height, random } = canvas;
  const [hue, isLined] = [360 * random(), random() < 0.6];
  const level = field(random, canvas, 1 + 3 * random());
  const [steps, size] = [between(random, 5, 12), between(random, 8, 18)];
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const stepAt = (column: number, row: number): number =>
    Math.floor((steps * (1 + level(column * size, row * size))) / 2);
  return several(rows, (row) =>
    several(columns, (column) => {
      const [here, x, y] = [stepAt(column, row), column * size, row * size];
      const edges =
        (isLined && here !== stepAt(column + 1, row)
          ? rule(x + size, y, x + size, y + size, "#40404080", 1)
          : "") +
        (isLined && here !== stepAt(column, row + 1)
          ? rule(x, y + size, x + size, y + size, "#40404080", 1)
          : "");
      const fill = tone(hue + (60 * here) / steps, 35, 88 - (60 * here) / steps);
      return box(x, y, size + 0.5, size + 0.5, { fill }) + edges;
    }).join(""),
  ).join("");
};

/** Strokes of an engraver: as thick as it is dark. */
const engraved: Ground = (canvas) => {
  const { width, height, random, style } = canvas;
  const dark = field(random, canvas, 2 + 4 * random());
  const [gap, piece] = [5 + 6 * random(), 14];
  const slope = random() - 0.5;
  return (
    covered(canvas, style.ground) +
    several(Math.ceil((height * (1 + Math.abs(slope))) / gap), (k) =>
      several(Math.ceil(width / piece), (p) => {
        const [x, y] = [p * piece, k * gap + slope * (p * piece - (slope > 0 ? width : 0))];
        const thick = 0.3 + 0.45 * gap * (1 + dark(x, y));
        return rule(x, y, x + piece + 0.5, y + slope * piece, style.faint, thick);
      }).join(""),
    ).join("")
  );
};

/** Dots of one raster, as large as it is dark. */
const halftone: Ground = (canvas) => {
  const { width, height, random, style } = canvas;
  const dark = field(random, canvas, 1 + 4 * random());
  const step = 9 + 14 * random();
  const colour = pick(random, [style.faint, style.second]);
  return (
    covered(canvas, style.ground) +
    several(Math.ceil(height / step) + 1, (row) =>
      several(Math.ceil(width / step) + 1, (column) => {
        const [x, y] = [(column + (row % 2) / 2) * step, row * step];
        return disc(x, y, step * (0.08 + 0.24 * (1 + dark(x, y))), { fill: colour });
      }).join(""),
    ).join("")
  );
};

/** Clouds, smoke or water of two tones. */
const clouds: Ground = (canvas) => {
  const { width, height, random } = canvas;
  const [hue, across] = [360 * random(), 0.002 + 0.008 * random()];
  const down = across * (0.7 + 2.5 * random());
  const bright = [0.25 + 0.3 * random(), 0.85 + 0.15 * random()] as const;
  const table = `${bright[0].toFixed(2)} ${((bright[0] + bright[1]) / 2).toFixed(2)} ${bright[1].toFixed(2)} ${bright[1].toFixed(2)}`;
  const spread = ["R", "G", "B"].map((one) => `<feFunc${one} type="table" tableValues="${table}"/>`).join("");
  return `<filter id="clouds" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${across.toFixed(4)} ${down.toFixed(4)}" numOctaves="${between(random, 4, 6)}" seed="${between(random, 1, 9999)}"/><feColorMatrix type="matrix" values="0 1.6 0 0 -0.3 0 1.6 0 0 -0.3 0 1.6 0 0 -0.3 0 0 0 0 1"/><feComponentTransfer>${spread}</feComponentTransfer></filter><rect width="${width}" height="${height}" filter="url(#clouds)"/>${box(0, 0, width, height, { fill: tone(hue, 50, 50), opacity: 0.25 })}`;
};

/** Blocks of wood laid in a bond. */
const parquet: Ground = (canvas) => {
  const { width, height, random } = canvas;
  const [long, hue, spread] = [between(random, 60, 160), 20 + 200 * random(), 8 + 20 * random()];
  const short = long / between(random, 2, 5);
  const isWoven = random() < 0.5;
  return several(Math.ceil(height / short) + 1, (row) =>
    several(Math.ceil(width / long) + 2, (column) => {
      const shift = isWoven ? (row % 2) * (long / 2) : (row * short) % long;
      const [x, y] = [(column - 1) * long + shift, row * short];
      return (
        box(x, y, long, short, {
          fill: tone(hue, 25, 45 + spread * (2 * random() - 1)),
          stroke: "#20180f",
          line: 1.5,
        }) +
        several(between(random, 1, 4), () => {
          const at = y + short * random();
          return rule(x + long * 0.3 * random(), at, x + long * (0.5 + 0.5 * random()), at, "#30241860", 1);
        }).join("")
      );
    }).join(""),
  ).join("");
};

/** Rings about a few places, which cross. */
const ripples: Ground = (canvas) => {
  const { width, height, random, style } = canvas;
  const colour = pick(random, [style.faint, style.second]);
  return (
    covered(canvas, style.ground) +
    several(between(random, 2, 5), () => {
      const [x, y, gap] = [width * random(), height * random(), 7 + 16 * random()];
      const line = 0.8 + 0.25 * gap * random();
      return several(Math.ceil((0.7 * width) / gap), (k) =>
        disc(x, y, (k + 1) * gap, { stroke: colour, line, opacity: 0.7 }),
      ).join("");
    }).join("")
  );
};

/** Strokes of a brush that follow one another. */
const brushed: Ground = (canvas) => {
  const { width, height, random, unit } = canvas;
  const turn = field(random, canvas, 1 + 2 * random());
  const [hue, size] = [360 * random(), unit * (0.25 + 0.5 * random())];
  return (
    covered(canvas, tone(hue, 30, 55)) +
    several(between(random, 600, 1500), () => {
      let [x, y]: Point = [width * random(), height * random()];
      const points = several(4, (): Point => {
        const to = 3 * turn(x, y);
        [x, y] = [x + size * Math.cos(to), y + size * Math.sin(to)];
        return [x, y];
      });
      return `<g opacity="0.7">${polyline(points, tone(hue + 70 * random(), 45, 25 + 55 * random()), size * (0.3 + 0.4 * random()))}</g>`;
    }).join("")
  );
};

/** Discs of light out of focus. */
const lights: Ground = (canvas) => {
  const { width, height, random, unit } = canvas;
  const hue = 360 * random();
  return (
    covered(canvas, tone(hue, 40, 12)) +
    several(between(random, 80, 260), () => {
      const r = unit * (0.2 + 2.2 * random() * random());
      return disc(width * random(), height * random(), r, {
        fill: tone(hue + 100 * random(), 70, 40 + 45 * random()),
        opacity: 0.15 + 0.5 * random(),
      });
    }).join("")
  );
};

/** Ranges one behind the other, with trees or houses on them. */
const ranges: Ground = (canvas) => {
  const { width, height, random, unit } = canvas;
  const [hue, count] = [360 * random(), between(random, 3, 7)];
  return (
    covered(canvas, tone(hue, 40, 85)) +
    several(count, (k) => {
      const rise = field(random, canvas, 2 + 2 * k);
      const from = height * (0.15 + (0.75 * k) / count);
      const points = several(
        61,
        (p): Point => [(p * width) / 60, from + 0.1 * height * rise((p * width) / 60, 97 * k)],
      );
      const fill = tone(hue + 15 * k, 35, 75 - (55 * k) / count);
      const standing = several(between(random, 0, 60), () => {
        const [x, y] = pick(random, points);
        const high = unit * (0.3 + 1.1 * random());
        const [at, wide] = [x + (width / 60) * random(), high * (0.2 + 0.3 * random())];
        return path(
          closed([
            [at - wide, y + 8],
            [at, y - high],
            [at + wide, y + 8],
          ]),
          { fill },
        );
      });
      return path(closed([...points, [width, height], [0, height]]), { fill }) + standing.join("");
    }).join("")
  );
};

/** Lines of words too small to be read, as under a cheque. */
const small: Ground = (canvas) => {
  const { height, random, style } = canvas;
  const [size, bend] = [5 + 5 * random(), 12 * random()];
  return (
    covered(canvas, style.ground) +
    several(Math.ceil(height / (1.3 * size)), (k) =>
      text(
        style,
        -20 * random(),
        k * 1.3 * size + bend * Math.sin(k / 3),
        size,
        words(random, style.script, 60),
        {
          fill: style.faint,
        },
      ),
    ).join("")
  );
};

/** One ornament over and over, each time turned. */
const wallpaper: Ground = (canvas) => {
  const { width, height, random, style, unit } = canvas;
  const size = unit * (1.2 + 1.6 * random());
  const petals = between(random, 3, 7);
  const leaf = `q${0.3 * size} ${-0.25 * size} ${0.45 * size} 0q${-0.15 * size} ${0.25 * size} ${-0.45 * size} 0z`;
  const ornament = several(
    petals,
    (k) =>
      `<g transform="rotate(${((360 * k) / petals).toFixed(0)})">${path(`M0 0${leaf}`, { fill: k % 2 ? style.second : style.faint })}</g>`,
  ).join("");
  return (
    covered(canvas, style.ground) +
    several(Math.ceil(height / size) + 1, (row) =>
      several(Math.ceil(width / size) + 1, (column) => {
        const [x, y] = [(column + (row % 2) / 2) * size, row * size];
        return `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${between(random, 0, 359)})">${ornament}</g>`;
      }).join(""),
    ).join("")
  );
};

/** Old paper: spots, folds and rings of cups. */
const stained: Ground = (canvas) => {
  const { width, height, random, unit } = canvas;
  const hue = 25 + 25 * random();
  return (
    covered(canvas, tone(hue, 40, 82)) +
    several(between(random, 200, 700), () =>
      disc(width * random(), height * random(), unit * 0.6 * random() ** 4 + 0.6, {
        fill: tone(hue, 45, 30 + 30 * random()),
        opacity: 0.15 + 0.5 * random(),
      }),
    ).join("") +
    several(between(random, 1, 5), () =>
      disc(width * random(), height * random(), unit * (1.5 + 3 * random()), {
        stroke: tone(hue, 50, 35),
        line: 2 + 6 * random(),
        opacity: 0.35,
      }),
    ).join("") +
    several(between(random, 1, 3), (k) =>
      k % 2
        ? rule(0, height * random(), width, height * random(), "#6a553080", 2)
        : rule(width * random(), 0, width * random(), height, "#6a553080", 2),
    ).join("")
  );
};

/** Quarters of a town and the ways between them, all of one drawing. */
const quarters: Ground = (canvas) => {
  const { width, height, random, style } = canvas;
  const step = between(random, 36, 90);
  const bend = field(random, canvas, 1 + 2 * random());
  const at = (x: number, y: number): Point => [x + 1.5 * step * bend(x, y), y + 1.5 * step * bend(y, x)];
  const gap = 2 + 6 * random();
  return (
    covered(canvas, style.ground) +
    several(Math.ceil(height / step) + 4, (row) =>
      several(Math.ceil(width / step) + 4, (column) => {
        const [x, y] = [(column - 2) * step, (row - 2) * step];
        if (random() < 0.12) return "";
        const [right, bottom] = [x + step - gap, y + step - gap];
        return path(closed([at(x, y), at(right, y), at(right, bottom), at(x, bottom)]), {
          fill: random() < 0.15 ? style.second : style.faint,
          opacity: 0.3 + 0.6 * random(),
        });
      }).join(""),
    ).join("")
  );
};

/** Grounds that show much by themselves, each drawn for its design. */
export const GROUNDS = {
  panes,
  tints,
  engraved,
  halftone,
  clouds,
  parquet,
  ripples,
  brushed,
  lights,
  ranges,
  small,
  wallpaper,
  stained,
  quarters,
} as const satisfies Readonly<Record<string, Ground>>;
