import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, path, rule, text } from "../drawing.ts";
import { between, date, digits, several } from "../language.ts";
import { overlay } from "../overlay.ts";
import { SIZES, burst, fitted, heading, paint, phrase, rows, sign, somewhere, turned } from "./pieces.ts";

interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const evenly = (by: number): Margins => ({ left: by, right: by, top: by, bottom: by });

/** What covers a canvas all around a window with corners of this radius. */
function around(
  { width, height }: Canvas,
  { left, right, top, bottom }: Margins,
  corner: number,
  fill: string,
): string {
  const [w, h, r] = [width - left - right - 2 * corner, height - top - bottom - 2 * corner, corner];
  const arc = `a${r} ${r} 0 0 0 `;
  const hole = `M${left + r} ${top}${arc}${-r} ${r}v${h}${arc}${r} ${r}h${w}${arc}${r} ${-r}v${-h}${arc}${-r} ${-r}z`;
  return path(`M0 0H${width}V${height}H0z${hole}`, { fill });
}

/** A line from side to side that is torn: points along it, so far off at most. */
const tear = (random: Random, length: number, off: number): (readonly [along: number, off: number])[] =>
  several(48, (k) => [(k * length) / 47, off * (0.35 + 0.65 * random())] as const);

const joined = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");

/** Frames that hide the edge of a photograph, covers and stickers. */
export const EDGES: readonly Design[] = [
  overlay("instant-picture", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const side = unit * (0.6 + 0.7 * random());
    const bottom = height * (0.1 + 0.1 * random());
    const fill = pick(random, ["#fbfaf5", "#ffffff", "#ece6d8", "#17181a"]);
    return (
      around(canvas, { ...evenly(side), bottom }, 0, fill) +
      fitted(
        style,
        { x: side, y: height - bottom, width: width - 2 * side, height: bottom },
        heading(random, between(random, 1, 3)),
        {
          fill: fill === "#17181a" ? "#fff" : "#2a2a2a",
          anchor: pick(random, ["start", "middle"] as const),
        },
      )
    );
  }),
  overlay("rounded-frame", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const { plate, ink } = paint(canvas);
    const by = unit * (0.7 + 1.1 * random());
    const line = { x: 2 * by, width: width - 4 * by, height: by };
    return (
      around(canvas, evenly(by), unit * (0.5 + 3 * random()), plate) +
      fitted(style, { ...line, y: 0 }, heading(random, 4), { fill: ink }) +
      fitted(style, { ...line, y: height - by }, phrase(random, 5), { fill: ink })
    );
  }),
  overlay("vignette-frame", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const { plate } = paint(canvas);
    const [rx, ry] = [width * (0.5 + 0.04 * random()), height * (0.5 + 0.04 * random())];
    const [x, y] = [width / 2, height / 2];
    const oval = (far: number): string =>
      `M${x} ${y - far * ry}a${far * rx} ${far * ry} 0 0 0 0 ${2 * far * ry}a${far * rx} ${far * ry} 0 0 0 0 ${-2 * far * ry}z`;
    return (
      path(`M0 0H${width}V${height}H0z${oval(0.97)}`, { fill: plate }) +
      path(oval(0.95), { stroke: style.second, line: 2 * style.line })
    );
  }),
  overlay("torn-paper", SIZES, (canvas) => {
    const { width, height, random, unit } = canvas;
    const fill = pick(random, ["#fdfbf4", "#ffffff", "#e6dcc6", "#22201d"]);
    const off = unit * (0.8 + 1.3 * random());
    const sides = [
      joined(tear(random, width, off)) + `L${width} 0L0 0z`,
      joined(tear(random, width, off).map(([a, b]) => [a, height - b] as const)) +
        `L${width} ${height}L0 ${height}z`,
      joined(tear(random, height, off).map(([a, b]) => [b, a] as const)) + `L0 ${height}L0 0z`,
      joined(tear(random, height, off).map(([a, b]) => [width - b, a] as const)) +
        `L${width} ${height}L${width} 0z`,
    ];
    const kept = sides.filter(() => random() < 0.8);
    return kept.map((each) => path(`M${each}`, { fill, stroke: "#8c8473", line: 1 })).join("");
  }),
  overlay("film-perforation", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const tall = unit * (1.6 + 1.4 * random());
    const step = unit * (1 + 0.8 * random());
    const row = (y: number): string =>
      box(0, y, width, tall, { fill: "#0c0c0d" }) +
      several(Math.floor(width / step), (k) =>
        box((k + 0.25) * step, y + 0.25 * tall, 0.5 * step, 0.5 * tall, { fill: "#f4f1e8", corner: 4 }),
      ).join("");
    return (
      row(0) +
      row(height - tall) +
      several(4, (k) =>
        text(
          style,
          (k + 0.3) * 0.25 * width,
          height - 0.05 * tall,
          0.18 * tall,
          `${between(random, 1, 36)}A`,
          {
            fill: "#e8a33d",
          },
        ),
      ).join("")
    );
  }),
  overlay("stamp-edge", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const by = unit * (0.7 + 0.8 * random());
    const bite = unit * (0.25 + 0.25 * random());
    const ground = pick(random, ["#3a3f47", "#c9c2b2", style.accent]);
    const holes = (length: number, at: (along: number) => readonly [number, number]): string =>
      several(Math.floor(length / (2.6 * bite)), (k) =>
        disc(...at((k + 0.5) * 2.6 * bite), bite, { fill: ground }),
      ).join("");
    const worth = { x: width - by - 5 * unit, y: by + unit / 2, width: 4.5 * unit, height: 2.2 * unit };
    return (
      around(canvas, evenly(by), 0, "#faf7ef") +
      holes(width, (x) => [x, 0]) +
      holes(width, (x) => [x, height]) +
      holes(height, (y) => [0, y]) +
      holes(height, (y) => [width, y]) +
      box(worth.x, worth.y, worth.width, worth.height, { fill: "#faf7ef" }) +
      fitted(style, worth, `${between(random, 1, 95)} ${pick(random, ["c", "p", "Ft", "kr"])}`, {
        fill: "#1c1c1c",
        bold: true,
      }) +
      box(by, height - by - 1.4 * unit, width - 2 * by, 1.4 * unit, { fill: "#faf7ef" }) +
      fitted(
        style,
        { x: by, y: height - by - 1.4 * unit, width: width - 2 * by, height: 1.4 * unit },
        heading(random, 3),
        { fill: "#1c1c1c" },
      )
    );
  }),
  overlay("mat-and-mount", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const by = unit * (0.9 + 1.1 * random());
    const [outer, inner] = [paint(canvas).plate, pick(random, ["#f6f2e6", "#ffffff", "#26241f"])];
    const corner = (x: number, y: number, turn: number): string =>
      `<g transform="translate(${x} ${y}) rotate(${turn})">${path(`M0 0h${2 * by}q${-by} ${0.3 * by} ${-1.2 * by} ${0.8 * by}q${-0.1 * by} ${by} ${-0.8 * by} ${1.2 * by}z`, { fill: style.second })}</g>`;
    return (
      around(canvas, evenly(by), 0, inner) +
      around(canvas, evenly(0.5 * by), 0, outer) +
      box(by, by, width - 2 * by, height - 2 * by, { stroke: style.second, line: style.line }) +
      (random() < 0.6
        ? corner(0, 0, 0) + corner(width, 0, 90) + corner(width, height, 180) + corner(0, height, 270)
        : "")
    );
  }),
  overlay("cover-lines", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const { plate, ink } = paint(canvas);
    const tall = height * (0.1 + 0.1 * random());
    const masthead = heading(random, 1).toUpperCase();
    const isPlate = random() < 0.5;
    const side = random() < 0.5 ? unit / 2 : width * 0.6;
    return (
      (isPlate ? box(0, 0, width, tall, { fill: plate }) : "") +
      fitted(style, { x: unit / 2, y: 0, width: width - unit, height: tall }, masthead, {
        fill: isPlate ? ink : plate,
        bold: true,
      }) +
      several(between(random, 2, 4), (k) => {
        const area = {
          x: side,
          y: tall + (1 + 4.2 * k) * unit,
          width: width * 0.36,
          height: unit * (2.2 + random()),
        };
        return (
          box(area.x, area.y, area.width, area.height, { fill: k % 2 ? plate : style.second }) +
          rows(style, random, { ...area, x: area.x + unit / 4 }, 2, k % 2 ? ink : "#101010")
        );
      }).join("") +
      box(0, height - 1.6 * unit, width, 1.6 * unit, { fill: plate }) +
      fitted(
        style,
        { x: unit, y: height - 1.6 * unit, width: width - 2 * unit, height: 1.6 * unit },
        `${date(random)}  ${phrase(random, 4)}`,
        { fill: ink },
      )
    );
  }),
  overlay("sticker-collage", SIZES, (canvas) => {
    const { random, unit, style } = canvas;
    return several(between(random, 4, 11), () => {
      const r = unit * (1.2 + 1.9 * random());
      const area = somewhere(canvas, 2 * r, 2 * r, -0.4 * r);
      const [x, y] = [area.x + r, area.y + r];
      const fill = pick(random, [style.accent, style.second, "#ffd94a", "#ff7aa8", "#5ad0a0", "#ffffff"]);
      const eyes =
        disc(x - 0.3 * r, y - 0.2 * r, 0.1 * r, { fill: "#202020" }) +
        disc(x + 0.3 * r, y - 0.2 * r, 0.1 * r, { fill: "#202020" });
      const edge = { fill, stroke: "#ffffff", line: 0.14 * r };
      const drawn = pick(random, [
        disc(x, y, 0.9 * r, edge) +
          eyes +
          path(`M${x - 0.4 * r} ${y + 0.2 * r}q${0.4 * r} ${0.5 * r} ${0.8 * r} 0`, {
            stroke: "#202020",
            line: 0.1 * r,
          }),
        path(burst(x, y, r, between(random, 5, 9), 0.5 + 0.3 * random()), edge),
        box(x - r, y - 0.5 * r, 2 * r, r, { ...edge, corner: 0.3 * r }) +
          fitted(
            style,
            { x: x - 0.9 * r, y: y - 0.45 * r, width: 1.8 * r, height: 0.9 * r },
            heading(random, 1),
            { fill: "#181818", bold: true },
          ),
        disc(x, y, 0.9 * r, edge) + sign(random, x, y, 0.5 * r, "#202020"),
      ]);
      return turned(area, between(random, -30, 30), drawn);
    }).join("");
  }),
  overlay("watermark-tiles", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const { plate, ink } = paint(canvas);
    const [wide, tall] = [unit * (3 + 3 * random()), unit * (1 + 1 * random())];
    const [stepX, stepY] = [wide * (1.7 + 0.9 * random()), tall * (2.2 + 1.8 * random())];
    const said = random() < 0.5 ? heading(random, 1) : `© ${phrase(random, 1)}`;
    const columns = Math.ceil(width / stepX) + 1;
    const turn = pick(random, [0, 0, -30, 20]);
    return several(columns * (Math.ceil(height / stepY) + 1), (k) => {
      const row = Math.floor(k / columns);
      const area = {
        x: (k % columns) * stepX - (row % 2 ? stepX / 2 : 0),
        y: row * stepY,
        width: wide,
        height: tall,
      };
      return turned(
        area,
        turn,
        box(area.x, area.y, wide, tall, { fill: plate, corner: style.corner / 2 }) +
          fitted(style, area, said, { fill: ink, bold: true }),
      );
    }).join("");
  }),
  overlay("framed-scoring", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const { plate, ink } = paint(canvas);
    const top = unit * (1.2 + 1.6 * random());
    const [left, bottom] = [random() < 0.5 ? unit / 3 : unit * (2 + 2 * random()), unit * (1 + 2 * random())];
    const spans = between(random, 3, 6);
    return (
      around(canvas, { left, right: unit / 3, top, bottom }, style.corner, plate) +
      several(spans, (k) =>
        fitted(
          style,
          {
            x: left + (k * (width - left)) / spans,
            y: 0,
            width: (0.9 * (width - left)) / spans,
            height: top,
          },
          `${phrase(random, 1)} ${digits(random, 2)}`,
          { fill: ink },
        ),
      ).join("") +
      rule(left, 0.9 * top, width, 0.9 * top, ink, 2) +
      fitted(style, { x: left, y: height - bottom, width: width - left, height: bottom }, phrase(random, 6), {
        fill: ink,
        anchor: "start",
      })
    );
  }),
];
