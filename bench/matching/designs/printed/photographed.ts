import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { type Canvas, type Sizes, drawCanvas } from "../canvas.ts";
import { box, disc, page, path, photograph, polyline, rule, text } from "../drawing.ts";
import type { Design, Filling, Sheet } from "../design.ts";
import { between, clockTime, digits, several, title, word } from "../language.ts";
import { type Form, SQUARE, TALL, WIDE } from "./form.ts";

const ANY = [...WIDE, ...TALL, ...SQUARE] as const;

/** How a ground is toned: as it is, grey, faded, tinted, dark, or hard. Values of a colour matrix. */
const TONES = [
  "1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0",
  ".3 .6 .1 0 0 .3 .6 .1 0 0 .3 .6 .1 0 0 0 0 0 1 0",
  ".5 .1 .1 0 .35 .1 .5 .1 0 .35 .1 .1 .5 0 .35 0 0 0 1 0",
  ".5 .3 .1 0 0 .3 .6 .1 0 .08 .1 .3 .3 0 0 0 0 0 1 0",
  ".2 .3 .1 0 0 .2 .3 .1 0 .03 .2 .3 .1 0 .1 0 0 0 1 0",
  "1.6 0 0 0 -.2 0 1.6 0 0 -.2 0 0 1.6 0 -.2 0 0 0 1 0",
] as const;

/** A form on a photograph that all of its members share, toned as maps and pictures from the air are. */
function onPhotograph(name: string, sizes: Sizes, lay: (canvas: Canvas) => Form): Design {
  return {
    name,
    family: "printed",
    photographs: 1,
    draw: (random): Sheet => {
      const canvas = drawCanvas(random, sizes, 25);
      const { width, height, style } = canvas;
      const tone = `<filter id="tone"><feColorMatrix type="matrix" values="${pick(random, TONES)}"/></filter>`;
      const { form, says } = lay(canvas);
      const member = ({ random: own, photographs }: Filling): string => {
        const ground = photograph(photographs[0]!, { x: 0, y: 0, width, height });
        return page(width, height, style.ground, [
          tone,
          `<g filter="url(#tone)">${ground}</g>`,
          form,
          says(own),
        ]);
      };
      return { width, height, window: width / height, member };
    },
  };
}

type Spot = readonly [x: number, y: number];

const spot = ({ width, height }: Canvas, own: Random): Spot => [
  width * (0.06 + 0.88 * own()),
  height * (0.12 + 0.82 * own()),
];

/** What it is called, and a scale, on plates of their own. */
function legend({ width, height, unit, random, style }: Canvas): string {
  const wide = unit * (6 + 6 * random());
  return (
    box(unit / 2, unit / 2, wide, 1.8 * unit, { fill: style.ground, corner: style.corner / 2 }) +
    text(style, unit, 1.8 * unit, unit, title(random, style.script, 2).slice(0, 16), { bold: true }) +
    box(width - 6 * unit, height - 1.4 * unit, 5.5 * unit, unit, { fill: style.ground }) +
    rule(width - 5.6 * unit, height - 0.8 * unit, width - 2.6 * unit, height - 0.8 * unit, style.ink, 4) +
    text(style, width - 2.4 * unit, height - 0.65 * unit, 0.6 * unit, `${between(random, 1, 9)}00 m`)
  );
}

const weather = (own: Random, x: number, y: number, r: number): string => {
  const cloud = path(
    `M${x - r} ${y + 0.5 * r}a${0.5 * r} ${0.5 * r} 0 0 1 ${0.2 * r} ${-r}a${0.7 * r} ${0.7 * r} 0 0 1 ${1.2 * r} ${0.1 * r}a${0.45 * r} ${0.45 * r} 0 0 1 ${0.2 * r} ${0.9 * r}z`,
    { fill: "#ffffff", stroke: "#606870", line: 2 },
  );
  const sun = disc(x, y, 0.6 * r, { fill: "#ffcc33", stroke: "#e08a00", line: 3 });
  const flash = path(`M${x} ${y + 0.4 * r}l${-0.4 * r} ${0.7 * r}h${0.4 * r}l${-0.3 * r} ${0.6 * r}`, {
    stroke: "#ffd400",
    line: r / 6,
  });
  const drops = several(3, (k) =>
    rule(x + (k - 1) * 0.5 * r, y + 0.7 * r, x + (k - 1.4) * 0.5 * r, y + 1.2 * r, "#2f7fe0", r / 7),
  ).join("");
  return pick(own, [sun, cloud, sun + cloud, cloud + flash, cloud + drops]);
};

/** Pictures from the air, charts and plans on one photograph, with marks, ways and symbols of each member's own. */
export const PHOTOGRAPHED: readonly Design[] = [
  onPhotograph("sites-in-numbers", ANY, (canvas) => {
    const { random, unit, style } = canvas;
    const [size, isSquare] = [unit * (0.6 + 0.5 * random()), random() < 0.4];
    const fill = pick(random, [style.accent, "#d81e2c", "#1557c0", "#ffffff"]);
    return {
      form: legend(canvas),
      says: (own) =>
        several(between(own, 4, 14), (k) => {
          const [x, y] = spot(canvas, own);
          const edge = { fill, stroke: "#101010", line: 2 };
          return (
            (isSquare ? box(x - size, y - size, 2 * size, 2 * size, edge) : disc(x, y, size, edge)) +
            text(style, x, y + 0.4 * size, 1.1 * size, String(k + 1), {
              fill: fill === "#ffffff" ? "#101010" : "#ffffff",
              anchor: "middle",
              bold: true,
            })
          );
        }).join(""),
    };
  }),
  onPhotograph("air-photo-flags", ANY, (canvas) => {
    const { random, unit, style } = canvas;
    const size = unit * (0.7 + 0.5 * random());
    return {
      form: legend(canvas),
      says: (own) =>
        several(between(own, 3, 9), () => {
          const [x, y] = spot(canvas, own);
          const said = title(own, style.script, 1);
          const wide = 0.68 * size * said.length + size;
          return (
            rule(x, y, x, y - 2.6 * size, "#101010", 3) +
            box(x, y - 3.6 * size, wide, 1.5 * size, { fill: style.ground, stroke: style.accent, line: 2 }) +
            text(style, x + size / 2, y - 2.5 * size, size, said) +
            disc(x, y, 0.25 * size, { fill: style.accent })
          );
        }).join(""),
    };
  }),
  onPhotograph("recorded-ride", ANY, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const line = unit * (0.18 + 0.25 * random());
    const ink = pick(random, ["#ff5a00", "#e4002b", "#0050ff", "#ffe100", style.accent]);
    const isEdged = random() < 0.5;
    return {
      form: legend(canvas),
      says: (own) => {
        const [middleX, middleY] = [width * (0.35 + 0.3 * own()), height * (0.4 + 0.25 * own())];
        const [a, b] = [between(own, 1, 3), between(own, 1, 4)];
        const [far, turn] = [0.3 + 0.25 * own(), 6.3 * own()];
        const points = several(between(own, 30, 70), (k): Spot => {
          const t = turn + k / 9;
          return [
            middleX + width * far * Math.cos(a * t) * (0.6 + 0.4 * Math.sin(b * t)) * 0.8,
            middleY + height * far * Math.sin(t) * 0.75 + unit * (own() - 0.5),
          ];
        });
        const [first, last] = [points[0]!, points.at(-1)];
        return (
          (isEdged ? polyline(points, "#ffffff", 2 * line) : "") +
          polyline(points, ink, line) +
          disc(...first, 2 * line, { fill: "#20b050", stroke: "#fff", line: 3 }) +
          disc(...last, 2 * line, { fill: "#202020", stroke: "#fff", line: 3 }) +
          several(between(own, 0, 4), () => {
            const [x, y] = pick(own, points);
            return text(style, x + line, y - line, 0.9 * unit, clockTime(own), {
              fill: "#fff",
              stroke: "#202020",
            });
          }).join("")
        );
      },
    };
  }),
  onPhotograph("outlook-in-symbols", ANY, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const [columns, down] = [between(random, 3, 6), between(random, 2, 5)];
    const isStrict = random() < 0.4;
    const r = unit * (0.8 + 0.6 * random());
    return {
      form: legend(canvas),
      says: (own) =>
        several(columns * down, (k) => {
          if (!isStrict && own() < 0.35) return "";
          const off = isStrict ? 0 : unit;
          const x = ((k % columns) + 0.5) * (width / columns) + off * (2 * own() - 1);
          const y = (Math.floor(k / columns) + 0.6) * (height / down) + off * (2 * own() - 1);
          return (
            weather(own, x, y, r) +
            text(style, x + 1.2 * r, y + 0.3 * r, 1.1 * r, `${between(own, -12, 36)}°`, {
              fill: "#ffffff",
              stroke: "#15202c",
              bold: true,
            })
          );
        }).join(""),
    };
  }),
  onPhotograph("winds-and-lows", WIDE, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const ink = pick(random, ["#ffffff", "#101a30", style.accent]);
    return {
      form: legend(canvas),
      says: (own) =>
        several(between(own, 8, 24), () => {
          const [x, y] = spot(canvas, own);
          const turn = between(own, 0, 359);
          const barbs = several(
            between(own, 1, 3),
            (k) => `M${2 * unit - k * 0.4 * unit} 0l${0.3 * unit} ${-0.7 * unit}`,
          );
          return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})">${path(`M0 0H${2 * unit}${barbs.join("")}`, { stroke: ink, line: 4 })}</g>`;
        }).join("") +
        several(between(own, 1, 3), () => {
          const [x, y] = [width * (0.15 + 0.7 * own()), height * (0.2 + 0.6 * own())];
          return (
            text(style, x, y, 3 * unit, pick(own, ["H", "L", "T"]), {
              fill: pick(own, ["#1040d0", "#d02020"]),
              anchor: "middle",
              bold: true,
            }) +
            text(style, x, y + 1.2 * unit, unit, `${between(own, 965, 1045)}`, {
              fill: ink,
              anchor: "middle",
            })
          );
        }).join(""),
    };
  }),
  onPhotograph("plots-for-sale", ANY, (canvas) => {
    const { random, unit, style } = canvas;
    const ink = pick(random, ["#ffe600", "#ff2d2d", "#00e0ff", "#ffffff"]);
    const opacity = 0.15 + 0.4 * random();
    return {
      form: legend(canvas),
      says: (own) =>
        several(between(own, 2, 7), () => {
          const [x, y] = spot(canvas, own);
          const corners = several(between(own, 4, 6), (k) => {
            const [turn, far] = [k * 1.25 + 0.4 * own(), unit * (1.6 + 2 * own())];
            return `${(x + 1.3 * far * Math.cos(turn)).toFixed(1)} ${(y + far * Math.sin(turn)).toFixed(1)}`;
          }).join("L");
          return (
            path(`M${corners}z`, { fill: ink, opacity }) +
            path(`M${corners}z`, { stroke: ink, line: 4 }) +
            text(style, x, y, unit, `${word(own, "latin").charAt(0).toUpperCase()}${digits(own, 2)}`, {
              fill: "#ffffff",
              stroke: "#101010",
              anchor: "middle",
            })
          );
        }).join(""),
    };
  }),
  onPhotograph("named-parts", ANY, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const size = unit * (0.6 + 0.4 * random());
    return {
      form: "",
      says: (own) =>
        several(between(own, 4, 9), (k) => {
          const [x, y] = spot(canvas, own);
          const said = title(own, style.script, 1);
          const isLeft = k % 2 === 0;
          const [atX, atY] = [
            isLeft ? unit / 2 : width - unit / 2 - 0.75 * size * said.length,
            height * (0.06 + (0.9 * Math.floor(k / 2)) / 5),
          ];
          return (
            rule(isLeft ? atX + 0.7 * size * said.length : atX, atY, x, y, style.ground, 3) +
            disc(x, y, 0.3 * size, { fill: style.ground }) +
            box(atX, atY - size, 0.75 * size * said.length, 1.5 * size, { fill: style.ground }) +
            text(style, atX + 0.2 * size, atY + 0.15 * size, size, said)
          );
        }).join(""),
    };
  }),
  onPhotograph("heat-of-a-place", ANY, (canvas) => {
    const { random, unit } = canvas;
    const hue = between(random, 0, 60);
    return {
      form: legend(canvas),
      says: (own) =>
        several(between(own, 4, 14), () => {
          const [x, y] = spot(canvas, own);
          const r = unit * (1 + 2.5 * own());
          return [1, 0.7, 0.4]
            .map((k) => disc(x, y, r * k, { fill: `hsl(${hue + 60 * (1 - k)},95%,50%)`, opacity: 0.35 }))
            .join("");
        }).join(""),
    };
  }),
];
