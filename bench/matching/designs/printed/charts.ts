import { pick } from "@colophon/testing/chance.ts";
import { box, disc, grid, path, polyline, rule, text } from "../drawing.ts";
import { between, several, title, word, words } from "../language.ts";
import type { Design } from "../design.ts";
import { printed, WIDE, SQUARE } from "./form.ts";

/** Charts and tables of other figures. */
export const CHARTS: readonly Design[] = [
  printed("bar-chart", WIDE, ({ width, height, style, random, unit }) => {
    const bars = between(random, 5, 14);
    const step = (width - 5 * unit) / bars;
    return {
      form:
        text(style, width / 2, 2.4 * unit, 1.5 * unit, title(random, style.script, 4), { anchor: "middle" }) +
        several(
          6,
          (k) =>
            rule(
              3 * unit,
              height - (3 + 2.6 * k) * unit,
              width - unit,
              height - (3 + 2.6 * k) * unit,
              style.faint,
              2,
            ) + text(style, unit, height - (2.8 + 2.6 * k) * unit, 0.8 * unit, String(20 * k)),
        ).join("") +
        several(bars, (k) =>
          text(
            style,
            3.3 * unit + k * step,
            height - 1.5 * unit,
            0.7 * unit,
            word(random, style.script).slice(0, 4),
          ),
        ).join(""),
      says: (own) =>
        several(bars, (k) => {
          const tall = own() * 14 * unit;
          return box(3.3 * unit + k * step, height - 3 * unit - tall, step * 0.7, tall, {
            fill: k % 2 ? style.accent : style.second,
          });
        }).join(""),
    };
  }),
  printed("line-chart", WIDE, ({ width, height, style, random, unit }) => ({
    form:
      text(style, 3 * unit, 2.4 * unit, 1.4 * unit, title(random, style.script, 3)) +
      grid(
        { x: 3 * unit, y: 4 * unit, width: width - 5 * unit, height: height - 8 * unit },
        10,
        6,
        style.faint,
        1,
      ) +
      several(10, (k) =>
        text(
          style,
          3 * unit + (k * (width - 5 * unit)) / 10,
          height - 2.6 * unit,
          0.8 * unit,
          String(between(random, 1990, 2030)),
        ),
      ).join(""),
    says: (own) =>
      several(3, (l) =>
        polyline(
          several(
            16,
            (k) =>
              [3 * unit + (k * (width - 5 * unit)) / 15, 4.5 * unit + own() * (height - 9 * unit)] as const,
          ),
          [style.accent, style.second, style.ink][l]!,
          5,
        ),
      ).join(""),
  })),
  printed("scatter-plot", SQUARE, ({ width, height, style, random, unit }) => ({
    form:
      path(`M${3 * unit} ${2 * unit}V${height - 3 * unit}H${width - unit}`, { stroke: style.ink, line: 3 }) +
      several(
        6,
        (k) =>
          text(style, unit, height - (3 + 3 * k) * unit, 0.8 * unit, String(k * 5)) +
          text(style, (3 + 3 * k) * unit, height - 1.8 * unit, 0.8 * unit, String(k * 10)),
      ).join("") +
      text(style, width / 2, height - 0.5 * unit, unit, title(random, style.script, 3), { anchor: "middle" }),
    says: (own) =>
      several(70, () =>
        disc((4 + 19 * own()) * (width / 25), (2 + 18 * own()) * (height / 25), unit * 0.3, {
          fill: pick(own, [style.accent, style.second]),
        }),
      ).join(""),
  })),
  printed("pie-chart", WIDE, ({ width, height, style, random, unit }) => ({
    form:
      text(style, width / 2, 2.6 * unit, 1.6 * unit, title(random, style.script, 3), { anchor: "middle" }) +
      several(
        4,
        (k) =>
          box(width * 0.72, (7 + 3 * k) * unit, 1.4 * unit, 1.4 * unit, {
            fill: [style.accent, style.second, style.ink, style.faint][k]!,
          }) +
          text(
            style,
            width * 0.72 + 2.2 * unit,
            (8.2 + 3 * k) * unit,
            1.1 * unit,
            word(random, style.script),
          ),
      ).join(""),
    says: (own) => {
      const cuts = [0, ...several(3, () => own()).toSorted((a, b) => a - b), 1];
      const [x, y, r] = [width * 0.36, height * 0.55, 8.5 * unit];
      return several(4, (k) => {
        const [a, b] = [2 * Math.PI * cuts[k]!, 2 * Math.PI * cuts[k + 1]!];
        return path(
          `M${x} ${y}L${x + r * Math.cos(a)} ${y + r * Math.sin(a)}A${r} ${r} 0 ${b - a > Math.PI ? 1 : 0} 1 ${x + r * Math.cos(b)} ${y + r * Math.sin(b)}z`,
          { fill: [style.accent, style.second, style.ink, style.faint][k]! },
        );
      }).join("");
    },
  })),
  printed("tree-diagram", WIDE, ({ width, height, style, random, unit }) => {
    const nodes = several(
      between(random, 9, 14),
      () => [width * (0.1 + 0.8 * random()), height * (0.12 + 0.78 * random())] as const,
    );
    return {
      form:
        nodes
          .slice(1)
          .map(([x, y], k) =>
            rule(x, y, nodes[Math.floor(k / 2)]![0], nodes[Math.floor(k / 2)]![1], style.faint, 4),
          )
          .join("") +
        nodes
          .map(([x, y]) =>
            box(x - 3 * unit, y - unit, 6 * unit, 2 * unit, {
              fill: style.ground,
              stroke: style.accent,
              line: 4,
              corner: style.corner,
            }),
          )
          .join(""),
      says: (own) =>
        nodes
          .map(([x, y]) =>
            text(style, x, y + 0.35 * unit, unit, words(own, style.script, 1), { anchor: "middle" }),
          )
          .join(""),
    };
  }),
  printed("league-table", WIDE, ({ width, height, style, random, unit }) => {
    const rows = between(random, 9, 14);
    const h = (height - 5 * unit) / rows;
    return {
      form:
        box(0, 0, width, 3 * unit, { fill: style.accent }) +
        text(style, unit, 2.1 * unit, 1.5 * unit, title(random, style.script, 2), { fill: "#fff" }) +
        several(
          rows,
          (k) =>
            rule(unit, 4 * unit + k * h, width - unit, 4 * unit + k * h, style.faint, 2) +
            text(style, 1.5 * unit, 4 * unit + (k + 0.7) * h, h * 0.5, String(k + 1)) +
            disc(4 * unit, 4 * unit + (k + 0.5) * h, h * 0.3, { fill: style.second }),
        ).join(""),
      says: (own) =>
        several(
          rows,
          (k) =>
            text(style, 6 * unit, 4 * unit + (k + 0.7) * h, h * 0.5, title(own, style.script, 1)) +
            several(5, (c) =>
              text(
                style,
                width * (0.5 + 0.1 * c),
                4 * unit + (k + 0.7) * h,
                h * 0.5,
                String(between(own, 0, 60)),
              ),
            ).join(""),
        ).join(""),
    };
  }),
];
