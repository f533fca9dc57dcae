import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, path, polyline, rule, text } from "../drawing.ts";
import { between, clockTime, digits, several, title, word } from "../language.ts";
import { SQUARE, TALL, WIDE, printed } from "./form.ts";

const SIZES = [...WIDE, ...TALL, ...SQUARE] as const;

type Point = readonly [x: number, y: number];

const at = ([x, y]: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** A line through points, bent between them. */
const bent = (points: readonly Point[]): string =>
  points
    .map((point, k) => {
      if (k === 0) return `M${at(point)}`;
      const [before, here] = [points[k - 1]!, point];
      return `Q${at([before[0] + (here[0] - before[0]) * 0.2, here[1]])} ${at(here)}`;
    })
    .join("");

/** A line with an edge of another colour. */
const cased = (points: readonly Point[], fill: string, edge: string, line: number): string =>
  path(bent(points), { stroke: edge, line: line + 3 }) + path(bent(points), { stroke: fill, line });

/** A network of ways: its crossings row by row, and which lie beside each other. */
interface Network {
  readonly points: readonly Point[];
  readonly columns: number;
}

function network({ width, height, random }: Canvas, columns: number, rows: number, unrest: number): Network {
  const points = several(
    columns * rows,
    (k): Point => [
      (((k % columns) + 0.5 + (random() - 0.5) * unrest) * width) / columns,
      ((Math.floor(k / columns) + 0.5 + (random() - 0.5) * unrest) * height) / rows,
    ],
  );
  return { points, columns };
}

/** A way along neighbouring crossings that does not turn back. */
function route(own: Random, { points, columns }: Network, steps: number): Point[] {
  const rows = points.length / columns;
  let [column, row] = [between(own, 0, columns - 1), between(own, 0, rows - 1)];
  const [toRight, toBottom] = [column < columns / 2 ? 1 : -1, row < rows / 2 ? 1 : -1];
  const share = 0.2 + 0.6 * own();
  const way: Point[] = [];
  for (let step = 0; step < steps; step += 1) {
    way.push(points[row * columns + column]!);
    if (own() < share) column += toRight;
    else row += toBottom;
    if (column < 0 || column >= columns || row < 0 || row >= rows) break;
  }
  return way;
}

function streets(canvas: Canvas, net: Network, keep: number): string {
  const { style, random } = canvas;
  const [line, isCased] = [between(random, 2, 8), random() < 0.5];
  const fill = isCased ? style.ground : style.faint;
  return net.points
    .flatMap((from, k) => {
      const right = (k + 1) % net.columns === 0 ? undefined : net.points[k + 1];
      return [right, net.points[k + net.columns]].flatMap((to) => {
        if (to === undefined || random() > keep) return [];
        const here = random() < 0.15 ? 2 * line : line;
        return isCased ? cased([from, to], fill, style.faint, here) : rule(...from, ...to, fill, here);
      });
    })
    .join("");
}

/** Names of places, turned or not, all over. */
function names({ width, height, style, random, unit }: Canvas, count: number, largest: number): string {
  return several(count, () => {
    const [x, y] = [width * random() * 0.95, height * random()];
    const size = unit * (0.35 + (largest - 0.35) * random());
    return (
      (random() < 0.3 ? disc(x - size / 2, y - size / 3, size / 4, { fill: style.second }) : "") +
      text(style, x, y, size, title(random, style.script, between(random, 1, 2)), {
        ...(random() < 0.3 ? { turn: between(random, -80, 80) } : {}),
        ...(random() < 0.3 ? { stroke: style.ground } : {}),
      })
    );
  }).join("");
}

/** Rises of the ground: lines of one height about some summits. */
function heights({ width, height, style, random, unit }: Canvas): string {
  return several(between(random, 2, 5), () => {
    const [x, y] = [width * random(), height * random()];
    const shape = several(between(random, 10, 22), () => 0.7 + 0.6 * random());
    return several(between(random, 5, 12), (ring) => {
      const points = shape.map((far, k) => {
        const turn = (2 * Math.PI * k) / shape.length;
        const radius = unit * (1 + 1.2 * ring) * far;
        return at([x + radius * Math.cos(turn), y + radius * Math.sin(turn)]);
      });
      return path(`M${points.join("L")}z`, { stroke: style.faint, line: ring % 5 === 0 ? 2.5 : 1 });
    }).join("");
  }).join("");
}

/** Noise in tones of one colour, as a photograph from the air or a shaded relief has it. */
function relief({ width, height, style, random }: Canvas): string {
  const frequency = (0.004 + 0.03 * random()).toFixed(4);
  return `<filter id="relief" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="5" seed="${between(random, 1, 9999)}"/><feColorMatrix type="saturate" values="${(0.5 * random()).toFixed(2)}"/><feComponentTransfer><feFuncA type="linear" slope="0" intercept="${(0.3 + 0.5 * random()).toFixed(2)}"/></feComponentTransfer></filter>${box(0, 0, width, height, { fill: style.second })}<rect width="${width}" height="${height}" filter="url(#relief)"/>`;
}

/** Houses, blocks and parks between ways. */
const blocks = ({ width, height, style, random, unit }: Canvas): string =>
  several(between(random, 60, 240), () =>
    box(width * random(), height * random(), unit * (0.3 + random()), unit * (0.3 + random()), {
      fill: random() < 0.15 ? style.second : style.faint,
      opacity: 0.35 + 0.5 * random(),
    }),
  ).join("");

function river({ width, height, style, random, unit }: Canvas): string {
  const isAcross = random() < 0.5;
  const line = several(
    7,
    (k): Point =>
      isAcross
        ? [(k * width) / 6, height * (0.2 + 0.6 * random())]
        : [width * (0.2 + 0.6 * random()), (k * height) / 6],
  );
  return path(bent(line), { stroke: style.second, line: unit * (0.4 + random()), opacity: 0.7 });
}

/** How a member's own way is drawn: full, edged, dotted or dashed. */
function drawnWay({ style, random }: Canvas): (way: readonly Point[]) => string {
  const line = between(random, 3, 10);
  return pick(random, [
    (way: readonly Point[]) => polyline(way, style.accent, line),
    (way: readonly Point[]) => polyline(way, style.ground, line + 4) + polyline(way, style.accent, line),
    (way: readonly Point[]) =>
      `<g stroke-dasharray="${2 * line} ${line}">${polyline(way, style.accent, line)}</g>`,
    (way: readonly Point[]) =>
      way
        .slice(1)
        .flatMap((to, k) =>
          several(6, (step) => {
            const from = way[k]!;
            const [x, y] = [
              from[0] + ((to[0] - from[0]) * step) / 6,
              from[1] + ((to[1] - from[1]) * step) / 6,
            ];
            return disc(x, y, line / 1.6, { fill: style.accent });
          }),
        )
        .join(""),
  ]);
}

function marker({ style, unit }: Canvas, own: Random, [x, y]: Point, fill: string): string {
  const r = unit * (0.3 + 0.25 * own());
  return disc(x, y, r, { fill, stroke: style.ground, line: r / 3 });
}

/** A bubble with a time or a distance. */
function bubble({ style, unit }: Canvas, own: Random, [x, y]: Point): string {
  const said = own() < 0.5 ? `${between(own, 2, 90)} min` : `${between(own, 1, 40)}.${digits(own, 1)} km`;
  return (
    box(x, y - 1.2 * unit, 4 * unit, 1.4 * unit, { fill: style.ground, stroke: style.accent, corner: 5 }) +
    text(style, x + 0.4 * unit, y - 0.2 * unit, 0.9 * unit, said, { bold: true })
  );
}

const ends = (canvas: Canvas, own: Random, way: readonly Point[]): string =>
  marker(canvas, own, way[0]!, canvas.style.ink) + marker(canvas, own, way.at(-1)!, canvas.style.accent);

/** Maps on which each member goes another way, lies elsewhere or counts something else. */
export const WAYS: readonly Design[] = [
  printed("town-route", SIZES, (canvas) => {
    const { random } = canvas;
    const net = network(canvas, between(random, 6, 14), between(random, 6, 14), 0.5 * random());
    const draw = drawnWay(canvas);
    return {
      form:
        blocks(canvas) +
        river(canvas) +
        streets(canvas, net, 0.9) +
        names(canvas, between(random, 20, 60), 0.7),
      says: (own) => {
        const way = route(own, net, between(own, 5, 18));
        return (
          draw(way) + ends(canvas, own, way) + (own() < 0.5 ? bubble(canvas, own, way[way.length >> 1]!) : "")
        );
      },
    };
  }),
  printed("car-journey", WIDE, (canvas) => {
    const { random, style, width, height, unit } = canvas;
    const net = network(canvas, between(random, 5, 9), between(random, 4, 7), 0.8);
    const draw = drawnWay(canvas);
    const panel = width * (0.18 + 0.12 * random());
    return {
      form:
        river(canvas) +
        streets(canvas, net, 0.8) +
        several(between(random, 6, 20), () => {
          const [x, y] = pick(random, net.points);
          return (
            box(x, y, 1.5 * unit, 0.9 * unit, { fill: style.second, corner: 3 }) +
            text(
              style,
              x + 4,
              y + 0.7 * unit,
              0.6 * unit,
              `${pick(random, ["A", "B", "E"])}${digits(random, 2)}`,
            )
          );
        }).join("") +
        names(canvas, between(random, 15, 40), 1) +
        box(0, 0, panel, height, { fill: style.ground, opacity: 0.95 }),
      says: (own) => {
        const way = route(own, net, between(own, 5, 12));
        return (
          draw(way) +
          ends(canvas, own, way) +
          several(between(own, 3, 7), (k) =>
            text(
              style,
              unit / 2,
              (2 + 2 * k) * unit,
              0.8 * unit,
              `${clockTime(own)} ${word(own, style.script)}`,
            ),
          ).join("")
        );
      },
    };
  }),
  printed("hiking-sheet", SIZES, (canvas) => {
    const { random } = canvas;
    const net = network(canvas, between(random, 5, 10), between(random, 5, 10), 0.9);
    const draw = drawnWay(canvas);
    return {
      form: heights(canvas) + streets(canvas, net, 0.35) + names(canvas, between(random, 15, 40), 0.8),
      says: (own) => {
        const way = route(own, net, between(own, 5, 14));
        return (
          draw(way) +
          way
            .filter((_, k) => k % 3 === 0)
            .map((point) => marker(canvas, own, point, canvas.style.ink))
            .join("")
        );
      },
    };
  }),
  printed("relief-tour", SIZES, (canvas) => {
    const { random } = canvas;
    const net = network(canvas, between(random, 4, 9), between(random, 4, 9), 0.9);
    const draw = drawnWay(canvas);
    return {
      form: relief(canvas) + streets(canvas, net, 0.5) + names(canvas, between(random, 10, 30), 0.9),
      says: (own) => {
        const way = route(own, net, between(own, 4, 12));
        return draw(way) + ends(canvas, own, way);
      },
    };
  }),
  printed("seen-from-above", SIZES, (canvas) => {
    const { random, style, unit } = canvas;
    const net = network(canvas, between(random, 5, 11), between(random, 5, 11), 0.6);
    return {
      form: relief(canvas) + blocks(canvas) + streets(canvas, net, 0.7),
      says: (own) =>
        several(between(own, 2, 8), () => {
          const [x, y] = pick(own, net.points);
          return (
            path(`M${x} ${y}l${-0.5 * unit} ${-1.2 * unit}a${0.55 * unit} ${0.55 * unit} 0 1 1 ${unit} 0z`, {
              fill: style.accent,
              stroke: "#fff",
              line: 2,
            }) +
            (own() < 0.4
              ? text(style, x + unit / 2, y - unit, 0.8 * unit, title(own, style.script, 1), {
                  stroke: "#fff",
                })
              : "")
          );
        }).join(""),
    };
  }),
  printed("delivery-areas", SIZES, (canvas) => {
    const { random, style } = canvas;
    const net = network(canvas, between(random, 7, 14), between(random, 7, 14), 0.6);
    const rows = net.points.length / net.columns;
    return {
      form: blocks(canvas) + streets(canvas, net, 0.85) + names(canvas, between(random, 20, 50), 0.7),
      says: (own) =>
        several(between(own, 1, 3), () => {
          const [left, top] = [between(own, 0, net.columns - 4), between(own, 0, rows - 4)];
          const [right, bottom] = [left + between(own, 2, 3), top + between(own, 2, 3)];
          const corner = (row: number, column: number): string => at(net.points[row * net.columns + column]!);
          return path(
            `M${corner(top, left)}L${corner(top, right)}L${corner(bottom, right)}L${corner(bottom, left)}z`,
            { fill: pick(own, [style.accent, style.second]), stroke: style.accent, line: 3, opacity: 0.45 },
          );
        }).join(""),
    };
  }),
  printed("sea-chart", SIZES, (canvas) => {
    const { random, style, width, height, unit } = canvas;
    const net = network(canvas, 6, 6, 0.9);
    const draw = drawnWay(canvas);
    return {
      form:
        heights(canvas) +
        several(between(random, 60, 160), () =>
          text(style, width * random(), height * random(), 0.5 * unit, digits(random, between(random, 1, 2))),
        ).join("") +
        several(8, (k) => rule((k * width) / 8, 0, (k * width) / 8, height, style.faint, 1)).join("") +
        names(canvas, between(random, 6, 15), 1),
      says: (own) => {
        const way = route(own, net, between(own, 4, 9));
        return (
          draw(way) +
          way
            .map(([x, y]) => text(style, x + 6, y - 6, 0.7 * unit, clockTime(own), { fill: style.accent }))
            .join("")
        );
      },
    };
  }),
  printed("counted-regions", WIDE, (canvas) => {
    const { random, style, width, height } = canvas;
    const [columns, rows] = [between(random, 4, 8), between(random, 3, 6)];
    const corner = several(
      (columns + 1) * (rows + 1),
      (k): Point => [
        (((k % (columns + 1)) + (random() - 0.5) * 0.6) * width) / columns,
        ((Math.floor(k / (columns + 1)) + (random() - 0.5) * 0.6) * height) / rows,
      ],
    );
    const regions = several(columns * rows, (k) => {
      const first = Math.floor(k / columns) * (columns + 1) + (k % columns);
      const around = [first, first + 1, first + columns + 2, first + columns + 1];
      return `M${around.map((one) => at(corner[one]!)).join("L")}z`;
    });
    const labels = names(canvas, between(random, 12, 40), 1);
    return {
      form: "",
      says: (own) =>
        regions
          .map((region) =>
            path(region, {
              fill: pick(own, [style.faint, style.second, style.accent]),
              stroke: style.ink,
              line: 2,
            }),
          )
          .join("") + labels,
    };
  }),
  printed("travelled-lines", WIDE, (canvas) => {
    const { random, style, unit } = canvas;
    const net = network(canvas, between(random, 8, 13), between(random, 5, 8), 0);
    const lines = several(between(random, 4, 8), () => route(random, net, 14));
    const colours = [style.second, style.faint, style.ink];
    return {
      form:
        lines.map((line, k) => polyline(line, colours[k % 3]!, 5)).join("") +
        lines
          .flat()
          .map(
            ([x, y]) =>
              disc(x, y, 5, { fill: style.ground, stroke: style.ink, line: 2 }) +
              text(style, x + 6, y - 8, 0.55 * unit, word(random, style.script), { turn: -35 }),
          )
          .join(""),
      says: (own) => {
        const line = pick(own, lines);
        const part = line.slice(between(own, 0, Math.max(0, line.length - 4)));
        return polyline(part, style.accent, 9) + ends(canvas, own, part);
      },
    };
  }),
];
