import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { type Style, box, disc, grid, path, rule, text } from "../drawing.ts";
import {
  amount,
  between,
  clockTime,
  date,
  digits,
  person,
  several,
  title,
  word,
  words,
} from "../language.ts";
import { type Area, type MakePiece, fixed, nothing, rowsIn } from "./piece.ts";

/** What is filled in: a name, a date, figures, words. */
function filled(own: Random, style: Style): string {
  return pick(own, [
    person(own, style.script),
    date(own),
    clockTime(own),
    digits(own, between(own, 3, 9)),
    amount(own),
    words(own, style.script, 2),
  ]);
}

/** Height of a row of letters in an area. */
const rowOf = ({ width, height, random }: Area): number =>
  Math.max(14, Math.min(width / 9, height / 3) * (0.45 + 0.5 * random()));

const heading: MakePiece = (area) => {
  const { x, y, width, height, style, random } = area;
  const size = Math.min(height * 0.45, width / 9);
  const isBar = random() < 0.6;
  const fill = isBar ? "#fff" : style.ink;
  return {
    form:
      (isBar ? box(x, y, width, Math.min(height, 2.4 * size), { fill: style.accent }) : "") +
      text(style, x + size / 2, y + 1.6 * size, size, title(random, style.script, between(random, 1, 3)), {
        fill,
        bold: true,
      }),
    says:
      random() < 0.5
        ? nothing
        : (own) =>
            text(style, x + width - size / 2, y + 1.5 * size, size * 0.6, filled(own, style), {
              anchor: "end",
              fill,
            }),
  };
};

const fields: MakePiece = (area) => {
  const { x, y, width, style, random } = area;
  const row = rowOf(area);
  const rows = rowsIn(area, 2 * row, 12);
  const split = random() < 0.5 ? 0 : width * (0.3 + 0.2 * random());
  const boxed = random() < 0.4;
  const size = row * (split > 0 ? 0.7 : 0.45);
  const at = (k: number): number => y + 2 * row * k;
  return {
    form: several(
      rows,
      (k) =>
        text(style, x, at(k) + (split > 0 ? row : row * 0.55), size, title(random, style.script, 1), {
          fill: style.accent,
        }) +
        (boxed
          ? box(x + split, at(k) + (split > 0 ? 0.1 : 0.65) * row, width - split, 1.3 * row, {
              stroke: style.ink,
              line: style.line,
            })
          : ""),
    ).join(""),
    says: (own) =>
      several(rows, (k) =>
        text(
          style,
          x + split + row * 0.3,
          at(k) + (split > 0 ? row : 1.6 * row),
          row * 0.8,
          filled(own, style),
        ),
      ).join(""),
  };
};

const table: MakePiece = (area) => {
  const { x, y, width, height, style, random } = area;
  const columns = between(random, 2, Math.max(2, Math.floor(width / 110)));
  const rows = between(random, 3, Math.max(3, Math.floor(height / 34)));
  const [w, h] = [width / columns, height / rows];
  const size = Math.min(h * 0.6, w / 6);
  const fixedColumns = random() < 0.5 ? 1 : 0;
  const cell = (c: number, r: number, said: string): string =>
    text(style, x + c * w + size * 0.4, y + (r + 0.7) * h, size, said);
  const [density, hasLines] = [0.3 + 0.7 * random(), random() < 0.7];
  return {
    form:
      (hasLines ? grid(area, columns, rows, style.faint, style.line) : "") +
      box(x, y, width, h, { fill: style.second, opacity: 0.4 }) +
      several(columns, (c) => cell(c, 0, word(random, style.script).slice(0, 6))).join("") +
      several(fixedColumns * (rows - 1), (r) => cell(0, r + 1, word(random, style.script).slice(0, 7))).join(
        "",
      ),
    says: (own) =>
      several((rows - 1) * columns, (k) =>
        k % columns >= fixedColumns && own() < density
          ? cell(
              k % columns,
              1 + Math.floor(k / columns),
              pick(own, [amount(own), digits(own, 3), clockTime(own), word(own, style.script).slice(0, 6)]),
            )
          : "",
      ).join(""),
  };
};

const prose: MakePiece = (area) => {
  const { x, y, width, style, random } = area;
  const size = Math.max(11, rowOf(area) * 0.5);
  const rows = rowsIn(area, 1.5 * size, 24);
  const long = Math.max(1, Math.round(width / size / 4));
  const lines = (by: Random): string =>
    several(rows, (k) => text(style, x, y + (k + 1) * 1.5 * size, size, words(by, style.script, long))).join(
      "",
    );
  return random() < 0.5 ? fixed(lines(random)) : { form: "", says: lines };
};

const ticks: MakePiece = (area) => {
  const { x, y, style, random } = area;
  const row = rowOf(area);
  const rows = rowsIn(area, 1.4 * row, 14);
  const isRound = random() < 0.4;
  const likely = 0.2 + 0.6 * random();
  return {
    form: several(rows, (k) => {
      const top = y + 1.4 * row * k;
      const edge = { stroke: style.ink, line: Math.max(2, row / 10) };
      return (
        (isRound ? disc(x + row / 2, top + row / 2, row * 0.42, edge) : box(x, top, row, row, edge)) +
        text(style, x + 1.5 * row, top + 0.8 * row, 0.7 * row, words(random, style.script, 2))
      );
    }).join(""),
    says: (own) =>
      several(rows, (k) =>
        own() < likely
          ? path(
              `M${x + 0.15 * row} ${y + 1.4 * row * k + 0.5 * row}l${0.3 * row} ${0.35 * row}l${0.6 * row} ${-0.9 * row}`,
              { stroke: style.accent, line: Math.max(3, row / 6) },
            )
          : "",
      ).join(""),
  };
};

const figure: MakePiece = (area) => {
  const { x, y, width, height, style, random } = area;
  const size = Math.min(height * 0.6, width / 4.5);
  return {
    form: text(style, x, y + size * 0.4, size * 0.3, words(random, style.script, 2), { fill: style.accent }),
    says: (own) =>
      text(
        style,
        x,
        y + size * 1.35,
        size,
        pick(own, [digits(own, between(own, 2, 4)), clockTime(own), amount(own).slice(0, 6)]),
        { bold: true },
      ),
  };
};

const code: MakePiece = (area) => {
  const { x, y, width, height, style, random } = area;
  const size = Math.max(11, rowOf(area) * 0.45);
  const rows = rowsIn(area, 1.5 * size, 30);
  const mono = { ...style, font: "monospace" };
  const dark = random() < 0.5;
  return {
    form:
      box(x, y, width, height, { fill: dark ? "#161b22" : "#f4f4f0" }) +
      several(rows, (k) =>
        text(mono, x + size / 2, y + (k + 0.9) * 1.5 * size, size * 0.8, String(k + 1), { fill: "#888" }),
      ).join(""),
    says: (own) =>
      several(rows, (k) => {
        const indent = between(own, 0, 4);
        return text(
          mono,
          x + size * (2.5 + 1.2 * indent),
          y + (k + 0.9) * 1.5 * size,
          size,
          `${words(own, "latin", between(own, 1, Math.max(1, Math.floor(width / size / 7))))}${pick(own, [";", " {", "}", "()", ","])}`,
          { fill: pick(own, dark ? ["#7ee787", "#d2a8ff", "#e6edf3"] : ["#0550ae", "#cf222e", "#24292f"]) },
        );
      }).join(""),
  };
};

const separators: MakePiece = (area) => {
  const { x, y, width, height, style, random } = area;
  const count = between(random, 2, 9);
  return fixed(
    several(count, (k) =>
      rule(
        x,
        y + ((k + 0.5) * height) / count,
        x + width,
        y + ((k + 0.5) * height) / count,
        style.faint,
        style.line,
      ),
    ).join(""),
  );
};

/** Pieces of letters. */
export const TEXTS: readonly MakePiece[] = [
  heading,
  fields,
  fields,
  table,
  table,
  prose,
  ticks,
  figure,
  code,
  separators,
];
