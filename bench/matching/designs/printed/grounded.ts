import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, grid, path, polyline, rule, text } from "../drawing.ts";
import { amount, between, clockTime, digits, several, title, word } from "../language.ts";
import { crumpledPaper, linen, marble, stone, wood } from "../materials.ts";
import { SQUARE, TALL, WIDE, printed } from "./form.ts";

const SIZES = [...WIDE, ...TALL, ...SQUARE] as const;

type Says = (own: Random) => string;

/** Somewhere on a page, not at its edge. */
const somewhere = ({ width, height }: Canvas, own: Random): [x: number, y: number] => [
  width * (0.06 + 0.88 * own()),
  height * (0.06 + 0.88 * own()),
];

/** A line that wanders over the page, with its ends and what it is called. */
function way(canvas: Canvas): Says {
  const { random, style, unit } = canvas;
  const [line, isEdged] = [unit * (0.2 + 0.3 * random()), random() < 0.5];
  return (own) => {
    let [x, y] = somewhere(canvas, own);
    let turn = 6 * own();
    const points = several(between(own, 8, 20), () => {
      turn += 1.6 * (own() - 0.5);
      [x, y] = [x + 2 * unit * Math.cos(turn), y + 2 * unit * Math.sin(turn)];
      return [x, y] as const;
    });
    const ends = points.filter((_, k) => k === 0 || k === points.length - 1);
    return (
      (isEdged ? polyline(points, "#ffffff", 1.6 * line) : "") +
      polyline(points, style.accent, line) +
      ends
        .map(
          ([endX, endY]) =>
            disc(endX, endY, 1.3 * line, { fill: "#fff", stroke: style.ink, line: 3 }) +
            text(style, endX + 2 * line, endY, 1.2 * unit, title(own, style.script, 1), { stroke: "#fff" }),
        )
        .join("")
    );
  };
}

/** Pins, crosses or rings, some with a word beside them. */
function marks(canvas: Canvas): Says {
  const { random, style, unit } = canvas;
  const colour = pick(random, [style.accent, style.second, "#e02020", "#ffffff"]);
  const mark = pick(random, [
    (x: number, y: number, r: number) => disc(x, y, r, { stroke: colour, line: 4 }),
    (x: number, y: number, r: number) => disc(x, y, r, { fill: colour, stroke: "#202020", line: 2 }),
    (x: number, y: number, r: number) =>
      path(`M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`, {
        stroke: colour,
        line: 4,
      }),
  ]);
  return (own) =>
    several(between(own, 3, 12), () => {
      const [x, y] = somewhere(canvas, own);
      const said =
        own() < 0.5
          ? text(style, x + unit, y, 0.8 * unit, title(own, style.script, 1), {
              fill: colour,
              stroke: "#202020",
            })
          : "";
      return mark(x, y, unit * (0.3 + 0.7 * own())) + said;
    }).join("");
}

/** Numbers or times all over. */
function numbers(canvas: Canvas): Says {
  const { random, style, unit } = canvas;
  const [isTime, size] = [random() < 0.3, unit * (0.6 + 0.6 * random())];
  return (own) =>
    several(between(own, 10, 40), () => {
      const [x, y] = somewhere(canvas, own);
      return text(style, x, y, size, isTime ? clockTime(own) : digits(own, between(own, 1, 3)), {
        stroke: style.ground,
      });
    }).join("");
}

/** Areas of one colour that let the ground through. */
function areas(canvas: Canvas): Says {
  const { random, style, unit } = canvas;
  const opacity = 0.3 + 0.4 * random();
  return (own) =>
    several(between(own, 1, 5), () => {
      const [x, y] = somewhere(canvas, own);
      const corners = several(
        between(own, 4, 8),
        (k, reach = unit * (1 + 3 * own())) =>
          `${(x + reach * Math.cos(k)).toFixed(1)} ${(y + reach * Math.sin(k)).toFixed(1)}`,
      );
      return path(`M${corners.join("L")}z`, {
        fill: pick(own, [style.accent, style.second]),
        stroke: style.accent,
        line: 3,
        opacity,
      });
    }).join("");
}

/** Figures joined of straight lines, each with a name. */
function joined(canvas: Canvas): Says {
  const { style, unit } = canvas;
  return (own) =>
    several(between(own, 2, 6), () => {
      const [x, y] = somewhere(canvas, own);
      const points = several(
        between(own, 3, 7),
        () => [x + unit * 8 * (own() - 0.5), y + unit * 8 * (own() - 0.5)] as const,
      );
      return polyline(points, style.accent, 3) + text(style, x, y, unit, title(own, style.script, 1));
    }).join("");
}

/** The lines and headings of a table, which all share, and the values of which each member has its own. */
function table({ width, height, style, random, unit }: Canvas): { form: string; says: Says } {
  const [columns, rows] = [between(random, 3, 8), between(random, 8, 22)];
  const place = { x: 1.5 * unit, y: 5 * unit, width: width - 3 * unit, height: height - 7 * unit };
  const [w, h] = [place.width / columns, place.height / rows];
  const size = Math.min(0.6 * h, 0.2 * w);
  const put = (by: Random, k: number): string =>
    text(
      style,
      place.x + (k % columns) * w + 5,
      place.y + (Math.floor(k / columns) + 0.7) * h,
      size,
      k % columns === 0 ? word(by, style.script) : amount(by),
    );
  const share = 0.1 + 0.9 * random();
  const isOwn = several(columns * rows, () => random() < share);
  return {
    form:
      text(style, place.x, 3.4 * unit, 1.6 * unit, title(random, style.script, 3), { bold: true }) +
      grid(place, columns, rows, style.ink, 1) +
      isOwn.map((one, k) => (one ? "" : put(random, k))).join(""),
    says: (own) => isOwn.map((one, k) => (one ? put(own, k) : "")).join(""),
  };
}

/** Fields of crops side by side, each with its furrows. */
function fields({ width, height, random }: Canvas): string {
  const [columns, rows] = [between(random, 4, 9), between(random, 3, 8)];
  const [w, h] = [width / columns, height / rows];
  return several(columns * rows, (k) => {
    const [x, y] = [(k % columns) * w, Math.floor(k / columns) * h];
    const hue = between(random, 30, 130);
    const [step, isAcross] = [between(random, 4, 14), random() < 0.5];
    const dark = `hsl(${hue},30%,${between(random, 20, 35)}%)`;
    const count = Math.floor((isAcross ? h : w) / step);
    return (
      box(x, y, w, h, { fill: `hsl(${hue},${between(random, 20, 50)}%,${between(random, 35, 65)}%)` }) +
      several(count, (line) =>
        isAcross
          ? rule(x, y + line * step, x + w, y + line * step, dark, 1)
          : rule(x + line * step, y, x + line * step, y + h, dark, 1),
      ).join("")
    );
  }).join("");
}

/** Cells side by side, as under a microscope. */
const cells = ({ width, height, random, unit, style }: Canvas): string =>
  box(0, 0, width, height, { fill: "#f0dce8" }) +
  several(between(random, 120, 350), () => {
    const [x, y, r] = [width * random(), height * random(), unit * (0.3 + 0.8 * random())];
    return (
      disc(x, y, r, { fill: style.second, opacity: 0.4, stroke: style.accent, line: 2 }) +
      disc(x + 0.3 * r * random(), y + 0.3 * r * random(), 0.3 * r, { fill: "#402060", opacity: 0.7 })
    );
  }).join("");

const stars = ({ width, height, random }: Canvas): string =>
  box(0, 0, width, height, { fill: "#0a1024" }) +
  several(between(random, 300, 900), () =>
    disc(width * random(), height * random(), 0.6 + 3 * random() * random() * random(), { fill: "#f4f0ff" }),
  ).join("");

/** Lines that weave about each other all over, as on a bank note. */
const guilloche = ({ width, height, random, style }: Canvas): string =>
  several(between(random, 25, 70), (k) => {
    const y = (k * height) / 40;
    const swing = height * (0.02 + 0.05 * random());
    return path(
      `M0 ${y.toFixed(1)}q${width / 12} ${swing.toFixed(1)} ${width / 6} 0${`t${width / 6} 0`.repeat(5)}`,
      {
        stroke: k % 2 ? style.second : style.faint,
        line: 1.2,
      },
    );
  }).join("");

/** A form of which the ground shows much, and all members the same. */
function grounded(
  name: string,
  ground: (canvas: Canvas) => string,
  filled: (canvas: Canvas) => Says,
): Design {
  return printed(name, SIZES, (canvas) => {
    const { random, style, unit } = canvas;
    const words = several(between(random, 0, 20), () =>
      text(
        style,
        ...somewhere(canvas, random),
        unit * (0.5 + 0.6 * random()),
        title(random, style.script, 1),
        {
          stroke: style.ground,
        },
      ),
    );
    return { form: ground(canvas) + words.join(""), says: filled(canvas) };
  });
}

/** A table on a ground of its own. */
function tabled(name: string, ground: (canvas: Canvas) => string): Design {
  return printed(name, [...WIDE, ...TALL], (canvas) => {
    const { form, says } = table(canvas);
    return { form: ground(canvas) + form, says };
  });
}

/**
 * Forms whose ground shows much by itself: other ways, marks, numbers, areas and figures on one ground, and tables on
 * one paper.
 */
export const GROUNDED: readonly Design[] = [
  grounded("trails-on-shaded-hills", crumpledPaper, way),
  grounded("plots-on-fields", fields, areas),
  grounded("finds-on-a-survey", fields, marks),
  grounded("soundings-on-parchment", crumpledPaper, numbers),
  grounded("tracks-on-ice", marble, way),
  grounded("labels-on-a-slide", cells, marks),
  grounded("stars-joined", stars, joined),
  grounded("wood-board-game", wood, marks),
  grounded("areas-on-stone", stone, areas),
  tabled("security-paper-table", guilloche),
  tabled("ledger-on-laid-paper", linen),
];
