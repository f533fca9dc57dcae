import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Design } from "../design.ts";
import { box, disc, grid, path, polyline, rule, text } from "../drawing.ts";
import { between, digits, several, title, word } from "../language.ts";
import { SQUARE, TALL, WIDE, printed } from "./form.ts";

/** A smooth closed line through random places about a middle. */
function blob(random: Random, x: number, y: number, radius: number): string {
  const corners = between(random, 6, 12);
  const at = several(corners, (k) => {
    const far = radius * (0.5 + 0.7 * random());
    return [
      x + far * Math.cos((2 * Math.PI * k) / corners),
      y + far * Math.sin((2 * Math.PI * k) / corners),
    ] as const;
  });
  const middle = (k: number): string => {
    const [a, b] = [at[k % corners]!, at[(k + 1) % corners]!];
    return `${((a[0] + b[0]) / 2).toFixed(1)} ${((a[1] + b[1]) / 2).toFixed(1)}`;
  };
  return `M${middle(0)}${several(corners, (k) => `Q${at[(k + 1) % corners]!.map((each) => each.toFixed(1)).join(" ")} ${middle(k + 1)}`).join("")}z`;
}

/** A component on a wire. */
function part(random: Random, x: number, y: number, size: number, ink: string, ground: string): string {
  return pick(random, [
    box(x - size, y - size / 3, 2 * size, (2 * size) / 3, { fill: ground, stroke: ink, line: 2.5 }),
    disc(x, y, size * 0.7, { fill: ground, stroke: ink, line: 2.5 }),
    rule(x - size / 5, y - size, x - size / 5, y + size, ink, 3) +
      rule(x + size / 5, y - size, x + size / 5, y + size, ink, 3),
    path(
      `M${x - size} ${y}l${size / 3} ${-size / 2}l${size / 3} ${size}l${size / 3} ${-size}l${size / 3} ${size}l${size / 3} ${-size / 2}`,
      { stroke: ink, line: 2.5 },
    ),
  ]);
}

/** Drawings and charts with much in them, and labels, values or lines that each member has of its own. */
export const DIAGRAMS: readonly Design[] = [
  printed("circuit", WIDE, ({ width, height, style, random, unit }) => {
    const [columns, rows] = [between(random, 5, 9), between(random, 4, 6)];
    const at = (k: number): readonly [number, number] => [
      (((k % columns) + 0.5) * width) / columns,
      ((Math.floor(k / columns) + 0.5) * height) / rows,
    ];
    const nodes = several(columns * rows, at);
    return {
      form:
        nodes
          .flatMap(([x, y], k) => [
            k % columns < columns - 1 && random() < 0.8 ? rule(x, y, ...nodes[k + 1]!, style.ink, 2.5) : "",
            k + columns < nodes.length && random() < 0.7
              ? rule(x, y, ...nodes[k + columns]!, style.ink, 2.5)
              : "",
          ])
          .join("") +
        nodes
          .map(([x, y]) =>
            random() < 0.7
              ? part(random, x, y, unit * 0.8, style.ink, style.ground)
              : disc(x, y, 5, { fill: style.ink }),
          )
          .join(""),
      says: (own) =>
        nodes
          .map(([x, y]) =>
            own() < 0.6
              ? text(
                  style,
                  x + 0.6 * unit,
                  y - 0.9 * unit,
                  0.7 * unit,
                  `${digits(own, 2)}${pick(own, ["k", "µ", "n", "M"])}`,
                  { fill: style.accent },
                )
              : "",
          )
          .join(""),
    };
  }),
  printed("labelled-figure", [...TALL, ...SQUARE], ({ width, height, style, random, unit }) => {
    const [x, y, r] = [width / 2, height / 2, Math.min(width, height) * 0.3];
    const labels = between(random, 5, 12);
    return {
      form:
        several(between(random, 2, 4), (k) =>
          path(blob(random, x, y, r * (1 - 0.2 * k)), {
            stroke: style.ink,
            line: 3,
            fill: k === 0 ? style.faint : style.second,
            opacity: 0.8,
          }),
        ).join("") +
        several(between(random, 8, 20), () =>
          path(blob(random, x + r * (random() - 0.5), y + r * (random() - 0.5), r * 0.15), {
            stroke: style.ink,
            line: 2,
          }),
        ).join("") +
        several(30, () => {
          const [left, top] = [x + r * (random() - 0.5) * 1.6, y + r * (random() - 0.5) * 1.6];
          return path(`M${left} ${top}q${unit} ${-unit / 2} ${unit * 1.5} ${unit / 3}`, {
            stroke: style.ink,
            line: 1.5,
          });
        }).join(""),
      says: (own) =>
        several(labels, (k) => {
          const turn = (2 * Math.PI * (k + own())) / labels;
          const [fromX, fromY] = [x + r * own() * Math.cos(turn), y + r * own() * Math.sin(turn)];
          const [toX, toY] = [x + r * 1.35 * Math.cos(turn), y + r * 1.35 * Math.sin(turn)];
          return (
            rule(fromX, fromY, toX, toY, style.accent, 2) +
            text(style, toX, toY, 0.8 * unit, word(own, style.script), { anchor: toX < x ? "end" : "start" })
          );
        }).join(""),
    };
  }),
  printed("chart-paper", WIDE, ({ width, height, style, random, unit }) => {
    const area = { x: 2 * unit, y: 2 * unit, width: width - 3 * unit, height: height - 4 * unit };
    const fine = between(random, 20, 48);
    return {
      form:
        grid(area, fine, Math.round((fine * area.height) / area.width), style.faint, 1) +
        grid(area, Math.round(fine / 5), Math.round((fine * area.height) / area.width / 5), style.second, 2) +
        several(8, (k) =>
          text(style, area.x + (k * area.width) / 8, height - unit, 0.7 * unit, String(10 * k)),
        ).join("") +
        text(style, width / 2, 1.4 * unit, unit, title(random, style.script, 4), { anchor: "middle" }),
      says: (own) => {
        const [beat, tall, phase] = [
          area.width / between(own, 5, 14),
          area.height * (0.15 + 0.25 * own()),
          own(),
        ];
        return polyline(
          several(240, (k) => {
            const at = (((k * area.width) / 240 / beat + phase) % 1) * 10;
            const peak = at > 4 && at < 4.6 ? -tall : at > 6 && at < 7.5 ? -0.3 * tall : 0;
            return [area.x + (k * area.width) / 240, area.y + area.height * 0.55 + peak + 4 * own()] as const;
          }),
          style.accent,
          3,
        );
      },
    };
  }),
  printed("scored-music", TALL, ({ width, style, random, unit }) => {
    const staves = between(random, 6, 10);
    const step = (width - 5 * unit) / 16;
    const note = (by: Random, k: number, fill: string): string => {
      const x = 4 * unit + (k % 16) * step;
      const y = (4.2 + 3.2 * Math.floor(k / 16) + 0.2 * between(by, 0, 8)) * unit;
      return (
        disc(x, y, unit * 0.25, { fill }) +
        rule(x + unit * 0.23, y, x + unit * 0.23, y - 1.3 * unit, fill, 2.5)
      );
    };
    const isOpen = several(staves * 16, () => random() < 0.25);
    return {
      form:
        several(staves * 5, (k) => {
          const y = (4.2 + 3.2 * Math.floor(k / 5) + 0.4 * (k % 5)) * unit;
          return rule(unit, y, width - unit, y, style.ink, 1.5);
        }).join("") + several(staves * 16, (k) => (isOpen[k] ? "" : note(random, k, style.ink))).join(""),
      says: (own) =>
        several(staves * 16, (k) => (isOpen[k] ? note(own, k, style.ink) : "")).join("") +
        several(between(own, 0, 12), () =>
          text(
            style,
            3 * unit + own() * (width - 5 * unit),
            (3.4 + 3.2 * between(own, 0, staves - 1)) * unit,
            0.7 * unit,
            String(between(own, 1, 5)),
            { fill: style.accent },
          ),
        ).join(""),
    };
  }),
  printed("line-art", [...TALL, ...WIDE], ({ width, height, style, random, unit }) => {
    const figures = several(between(random, 12, 30), () =>
      path(blob(random, width * random(), height * random(), unit * (1 + 4 * random())), {
        stroke: style.ink,
        line: between(random, 2, 4),
      }),
    );
    return {
      form: figures.join(""),
      says: (own) =>
        several(between(own, 2, 5), () => {
          let [x, y] = [width * own(), height * own()];
          return polyline(
            several(between(own, 12, 40), () => {
              x = Math.min(width, Math.max(0, x + (own() - 0.5) * 4 * unit));
              y = Math.min(height, Math.max(0, y + (own() - 0.5) * 4 * unit));
              return [x, y] as const;
            }),
            style.accent,
            between(own, 3, 6),
          );
        }).join(""),
    };
  }),
  printed("control-panel", WIDE, ({ width, height, style, random, unit }) => {
    const [columns, rows] = [between(random, 3, 5), between(random, 2, 4)];
    const [w, h] = [(width - unit) / columns, (height - 3 * unit) / rows];
    const cell = (k: number): readonly [number, number] => [
      unit / 2 + (k % columns) * w,
      3 * unit + Math.floor(k / columns) * h,
    ];
    const scale = several(columns * rows, () => between(random, 6, 12));
    const isRound = several(columns * rows, () => random() < 0.5);
    return {
      form:
        box(0, 0, width, 2.4 * unit, { fill: style.second }) +
        text(style, unit, 1.7 * unit, 1.2 * unit, title(random, style.script, 2)) +
        several(columns * rows, (k) => {
          const [x, y] = cell(k);
          const ticks = scale[k]!;
          return (
            box(x + 4, y + 4, w - 8, h - 8, { stroke: style.faint, line: 2, corner: style.corner }) +
            text(style, x + 0.6 * unit, y + 1.2 * unit, 0.7 * unit, title(random, style.script, 1)) +
            (isRound[k]
              ? disc(x + w / 2, y + h * 0.6, h * 0.3, { stroke: style.ink, line: 3 }) +
                several(ticks, (t) => {
                  const turn = (2 * Math.PI * t) / ticks;
                  return rule(
                    x + w / 2 + h * 0.25 * Math.cos(turn),
                    y + h * 0.6 + h * 0.25 * Math.sin(turn),
                    x + w / 2 + h * 0.3 * Math.cos(turn),
                    y + h * 0.6 + h * 0.3 * Math.sin(turn),
                    style.ink,
                    2,
                  );
                }).join("")
              : grid(
                  { x: x + w * 0.1, y: y + h * 0.3, width: w * 0.8, height: h * 0.55 },
                  ticks,
                  5,
                  style.faint,
                  1,
                ))
          );
        }).join(""),
      says: (own) =>
        several(columns * rows, (k) => {
          const [x, y] = cell(k);
          const turn = 2 * Math.PI * own();
          return (
            (isRound[k]
              ? rule(
                  x + w / 2,
                  y + h * 0.6,
                  x + w / 2 + h * 0.24 * Math.cos(turn),
                  y + h * 0.6 + h * 0.24 * Math.sin(turn),
                  style.accent,
                  5,
                )
              : polyline(
                  several(
                    12,
                    (p) => [x + w * (0.1 + (0.8 * p) / 11), y + h * (0.35 + 0.45 * own())] as const,
                  ),
                  style.accent,
                  3,
                )) +
            text(style, x + w * 0.9, y + 1.2 * unit, 0.8 * unit, digits(own, between(own, 1, 3)), {
              anchor: "end",
              bold: true,
            })
          );
        }).join(""),
    };
  }),
];
