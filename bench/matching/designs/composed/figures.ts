import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { box, disc, grid, path, polyline, rule, text } from "../drawing.ts";
import { between, digits, several, word } from "../language.ts";
import { type Area, type MakePiece, fixed, nothing } from "./piece.ts";

const bars: MakePiece = ({ x, y, width, height, style, random }) => {
  const count = between(random, 4, 12);
  const step = width / count;
  const isAcross = random() < 0.3;
  return {
    form:
      path(`M${x} ${y}V${y + height}H${x + width}`, { stroke: style.ink, line: style.line }) +
      several(4, (k) => rule(x, y + (k * height) / 4, x + width, y + (k * height) / 4, style.faint, 1)).join(
        "",
      ),
    says: (own) =>
      several(count, (k) => {
        const share = 0.1 + 0.85 * own();
        const fill = k % 2 ? style.accent : style.second;
        return isAcross
          ? box(x, y + (k * height) / count, share * width, (0.7 * height) / count, { fill })
          : box(x + k * step, y + height * (1 - share), step * 0.7, share * height, { fill });
      }).join(""),
  };
};

const curves: MakePiece = (area) => {
  const { x, y, width, height, style, random } = area;
  const [count, steps] = [between(random, 1, 3), between(random, 6, 30)];
  return {
    form: grid(area, between(random, 3, 12), between(random, 3, 8), style.faint, 1),
    says: (own) =>
      several(count, (l) => {
        let level = own();
        return polyline(
          several(steps, (k) => {
            level = Math.min(1, Math.max(0, level + (own() - 0.5) * 0.5));
            return [x + (k * width) / (steps - 1), y + level * height] as const;
          }),
          [style.accent, style.second, style.ink][l]!,
          Math.max(3, style.line),
        );
      }).join(""),
  };
};

const dial: MakePiece = ({ x, y, width, height, style, random }) => {
  const radius = 0.46 * Math.min(width, height);
  const [cx, cy] = [x + width / 2, y + height / 2];
  const marks = pick(random, [8, 12, 24]);
  const at = (turn: number, far: number): string =>
    `${(cx + far * radius * Math.cos(turn)).toFixed(1)} ${(cy + far * radius * Math.sin(turn)).toFixed(1)}`;
  return {
    form:
      disc(cx, cy, radius, { stroke: style.ink, line: Math.max(3, style.line), fill: style.ground }) +
      several(marks, (k) =>
        path(`M${at((2 * Math.PI * k) / marks, 0.85)}L${at((2 * Math.PI * k) / marks, 0.97)}`, {
          stroke: style.ink,
          line: 3,
        }),
      ).join(""),
    says: (own) =>
      several(between(random, 1, 2), (k) =>
        path(`M${cx} ${cy}L${at(2 * Math.PI * own(), k ? 0.5 : 0.8)}`, {
          stroke: style.accent,
          line: Math.max(5, radius / 14),
        }),
      ).join(""),
  };
};

const slices: MakePiece = ({ x, y, width, height, style }) => {
  const radius = 0.46 * Math.min(width, height);
  const [cx, cy] = [x + width / 2, y + height / 2];
  return {
    form: "",
    says: (own) => {
      const cuts = [0, ...several(3, own).toSorted((a, b) => a - b), 1];
      return several(4, (k) => {
        const [a, b] = [2 * Math.PI * cuts[k]!, 2 * Math.PI * cuts[k + 1]!];
        return path(
          `M${cx} ${cy}L${cx + radius * Math.cos(a)} ${cy + radius * Math.sin(a)}A${radius} ${radius} 0 ${b - a > Math.PI ? 1 : 0} 1 ${cx + radius * Math.cos(b)} ${cy + radius * Math.sin(b)}z`,
          { fill: [style.accent, style.second, style.ink, style.faint][k]! },
        );
      }).join("");
    },
  };
};

const stripes: MakePiece = ({ x, y, width, height, style }) => ({
  form: "",
  says: (own) => {
    let at = x;
    let drawn = "";
    while (at < x + width - 8) {
      const thick = 1.5 + 5 * own();
      drawn += box(at, y, thick, height * 0.9, { fill: style.ink });
      at += thick + 2 + 4 * own();
    }
    return drawn;
  },
});

const matrix: MakePiece = ({ x, y, width, height, style, random }) => {
  const cells = between(random, 17, 29);
  const step = Math.min(width, height) / cells;
  const marker = (c: number, r: number): string =>
    box(x + c * step, y + r * step, 7 * step, 7 * step, { fill: style.ink }) +
    box(x + (c + 1) * step, y + (r + 1) * step, 5 * step, 5 * step, { fill: style.ground }) +
    box(x + (c + 2) * step, y + (r + 2) * step, 3 * step, 3 * step, { fill: style.ink });
  return {
    form: marker(0, 0) + marker(cells - 7, 0) + marker(0, cells - 7),
    says: (own) =>
      several(cells * cells, (k) => {
        const [c, r] = [k % cells, Math.floor(k / cells)];
        const isMarked = (c < 8 && (r < 8 || r >= cells - 8)) || (c >= cells - 8 && r < 8);
        return !isMarked && own() < 0.5
          ? box(x + c * step, y + r * step, step, step, { fill: style.ink })
          : "";
      }).join(""),
  };
};

/** Places in rows, some of them taken: seats, tables, lockers. */
const places: MakePiece = ({ x, y, width, height, style, random }) => {
  const [columns, rows] = [between(random, 5, 14), between(random, 3, 9)];
  const step = Math.min(width / columns, height / rows);
  const gap = between(random, 1, columns - 2);
  const put = (k: number, fill: string): string =>
    box(
      x + ((k % columns) + (k % columns > gap ? 0.5 : 0)) * step * 0.92,
      y + Math.floor(k / columns) * step,
      step * 0.7,
      step * 0.7,
      { fill, stroke: style.ink, line: 2, corner: step / 6 },
    );
  const likely = 0.1 + 0.5 * random();
  return {
    form: several(columns * rows, (k) => put(k, style.ground)).join(""),
    says: (own) => several(columns * rows, (k) => (own() < likely ? put(k, style.accent) : "")).join(""),
  };
};

/** Streets, lines or a plan, and a way through it. */
const network: MakePiece = ({ x, y, width, height, style, random }) => {
  const nodes = several(
    between(random, 8, 18),
    () => [x + width * (0.05 + 0.9 * random()), y + height * (0.05 + 0.9 * random())] as const,
  );
  const line = between(random, 3, 8);
  return {
    form:
      nodes
        .flatMap((node, k) =>
          nodes
            .slice(k + 1)
            .filter(() => random() < 0.25)
            .map((other) => rule(node[0], node[1], other[0], other[1], style.faint, line)),
        )
        .join("") +
      nodes
        .map(
          ([left, top]) =>
            disc(left, top, 2 * line, { fill: style.second }) +
            text(style, left + 2.5 * line, top, 5 * line, word(random, style.script).slice(0, 6)),
        )
        .join(""),
    says: (own) => {
      const way = several(between(own, 3, 6), () => pick(own, nodes));
      return (
        polyline(way, style.accent, line + 3) +
        way.map(([left, top]) => disc(left, top, 2.6 * line, { fill: style.accent })).join("")
      );
    },
  };
};

/** Spans on rows: tasks, shifts, programmes. */
const spans: MakePiece = (area) => {
  const { x, y, width, height, style, random } = area;
  const [columns, rows] = [between(random, 6, 14), between(random, 4, 10)];
  const h = height / rows;
  return {
    form:
      grid(area, columns, rows, style.faint, 1) +
      several(rows, (k) =>
        text(style, x + 3, y + (k + 0.65) * h, h * 0.45, word(random, style.script).slice(0, 6)),
      ).join(""),
    says: (own) =>
      several(rows, (k) => {
        const from = 0.2 + 0.5 * own();
        return box(x + from * width, y + (k + 0.2) * h, (0.95 - from) * own() * width + 6, 0.6 * h, {
          fill: k % 2 ? style.accent : style.second,
          corner: style.corner / 3,
        });
      }).join(""),
  };
};

const staves: MakePiece = ({ x, y, width, height, style, random }) => {
  const count = Math.max(1, Math.min(5, Math.floor(height / 90)));
  const gap = height / count / 9;
  const lines = pick(random, [4, 5, 6]);
  return {
    form: several(count * lines, (k) => {
      const top = y + (Math.floor(k / lines) * height) / count + (2 + (k % lines)) * gap;
      return rule(x, top, x + width, top, style.ink, Math.max(1, gap / 8));
    }).join(""),
    says: (own) =>
      several(count * 10, (k) => {
        const left = x + (((k % 10) + 0.6) * width) / 10;
        const top = y + (Math.floor(k / 10) * height) / count + (1.5 + 0.5 * between(own, 0, 10)) * gap;
        return (
          disc(left, top, gap * 0.55, { fill: style.ink }) +
          rule(left + gap / 2, top, left + gap / 2, top - 3 * gap, style.ink, 2)
        );
      }).join(""),
  };
};

/** Random corners about a middle. */
function corners({ x, y, width, height, random }: Area, count: number): string {
  return several(count, (k) => {
    const [turn, far] = [(2 * Math.PI * k) / count, 0.2 + 0.28 * random()];
    return `${(x + width * (0.5 + far * Math.cos(turn))).toFixed(1)} ${(y + height * (0.5 + far * Math.sin(turn))).toFixed(1)}`;
  }).join("L");
}

const emblem: MakePiece = (area) => {
  const { style, random } = area;
  return fixed(
    path(`M${corners(area, between(random, 5, 16))}z`, { fill: style.accent }) +
      path(`M${corners(area, between(random, 3, 9))}z`, {
        fill: style.second,
        stroke: style.ink,
        line: style.line,
      }),
  );
};

const waves: MakePiece = ({ x, y, width, height, style, random }) => {
  const count = between(random, 6, 18);
  const bend = (random() - 0.5) * 0.6 * height;
  return fixed(
    several(count, (k) =>
      path(
        `M${x} ${(y + ((k + 0.5) * height) / count).toFixed(1)}q${width / 4} ${bend.toFixed(1)} ${width / 2} 0t${width / 2} 0`,
        {
          stroke: style.accent,
          line: 1.5,
          opacity: 0.6,
        },
      ),
    ).join(""),
  );
};

/** A signature, a sketch, or handwriting. */
const scribble: MakePiece = ({ x, y, width, height, style, random }) => {
  const draw = (own: Random): string =>
    polyline(
      several(
        50,
        (k) =>
          [x + (k * width) / 50 + own() * 12, y + height * (0.5 + 0.4 * Math.sin(k * 0.9) * own())] as const,
      ),
      style.ink,
      between(own, 2, 5),
    );
  return {
    form: rule(x, y + 0.95 * height, x + width, y + 0.95 * height, style.faint, 2),
    says: random() < 0.8 ? draw : nothing,
  };
};

/** Icons or keys in rows, one or some of them marked. */
const keys: MakePiece = ({ x, y, width, height, style, random }) => {
  const [columns, rows] = [between(random, 3, 6), between(random, 2, 5)];
  const [w, h] = [width / columns, height / rows];
  const put = (k: number, fill: string): string =>
    box(x + (k % columns) * w + w * 0.08, y + Math.floor(k / columns) * h + h * 0.08, w * 0.84, h * 0.84, {
      fill,
      corner: style.corner,
    });
  const labels = several(columns * rows, () => digits(random, between(random, 1, 2)));
  const label = (k: number): string =>
    text(
      style,
      x + ((k % columns) + 0.5) * w,
      y + (Math.floor(k / columns) + 0.65) * h,
      Math.min(w, h) * 0.4,
      labels[k]!,
      {
        anchor: "middle",
      },
    );
  return {
    form: several(columns * rows, (k) => put(k, style.faint) + label(k)).join(""),
    says: (own) =>
      several(columns * rows, (k) => (own() < 0.25 ? put(k, style.second) + label(k) : "")).join(""),
  };
};

/** Pieces of lines and shapes. */
export const FIGURES: readonly MakePiece[] = [
  bars,
  curves,
  dial,
  slices,
  stripes,
  matrix,
  places,
  network,
  spans,
  staves,
  emblem,
  waves,
  scribble,
  keys,
];
