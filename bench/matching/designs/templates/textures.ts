import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, path, rule, text } from "../drawing.ts";
import { between, date, digits, several, title, word } from "../language.ts";
import { ANY, SQUARE, template } from "./template.ts";

/** Frequencies across and down of what a ground is made of: paper, wood, fabric, stone. */
const GRAINS = [
  ["0.8", "0.8"],
  ["0.012", "0.35"],
  ["0.25", "0.012"],
  ["0.05", "0.05"],
  ["0.4", "0.4"],
  ["0.02", "0.09"],
] as const;

/** A ground with a grain all over: noise of one scale (K. Perlin, 1985), in tones of one colour. */
function textured({ width, height, style, random }: Canvas): string {
  const [across, down] = pick(random, GRAINS);
  const strength = (0.25 + 0.6 * random()).toFixed(2);
  return `<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="${pick(random, ["fractalNoise", "turbulence"])}" baseFrequency="${across} ${down}" numOctaves="${between(random, 2, 4)}" seed="${between(random, 1, 9999)}"/><feColorMatrix type="saturate" values="0"/><feComponentTransfer><feFuncA type="linear" slope="0" intercept="${strength}"/></feComponentTransfer></filter>${box(0, 0, width, height, { fill: style.second })}<rect width="${width}" height="${height}" filter="url(#grain)"/>`;
}

/** A weave of threads. */
function woven({ width, height, style, random }: Canvas): string {
  const step = between(random, 4, 14);
  const lay = (isAcross: boolean): string =>
    several(Math.ceil((isAcross ? height : width) / step), (k) =>
      isAcross
        ? rule(0, k * step, width, k * step, k % 2 ? style.faint : style.accent, 1 + 2 * random())
        : rule(k * step, 0, k * step, height, k % 2 ? style.second : style.faint, 1 + 2 * random()),
    ).join("");
  return box(0, 0, width, height, { fill: style.second }) + lay(true) + lay(false);
}

/** Scraps, petals or crumbs lying all over. */
function strewn({ width, height, style, random, unit }: Canvas): string {
  return (
    box(0, 0, width, height, { fill: style.ground }) +
    several(between(random, 150, 500), () => {
      const [x, y, size] = [width * random(), height * random(), unit * (0.1 + 0.5 * random())];
      return path(
        `M${x.toFixed(1)} ${y.toFixed(1)}l${size.toFixed(1)} ${(-size * random()).toFixed(1)}l${(-size * random()).toFixed(1)} ${size.toFixed(1)}z`,
        {
          fill: pick(random, [style.accent, style.second, style.faint, style.ink]),
          opacity: 0.4 + 0.6 * random(),
        },
      );
    }).join("")
  );
}

const ground = (canvas: Canvas): string => pick(canvas.random, [textured, textured, woven, strewn])(canvas);

function turned(turn: number, x: number, y: number, drawn: string): string {
  return `<g transform="rotate(${turn} ${x} ${y})">${drawn}</g>`;
}

const handwriting = ({ style, random }: Canvas, own: Random): string =>
  random() < 0.5 ? title(random, style.script, 2) : `${title(own, style.script, 1)} ${date(own)}`;

/** Frames on grounds that show much by themselves. */
export const TEXTURED: readonly Design[] = [
  template("film-on-a-table", SQUARE, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    const turn = pick(random, [0, 0, between(random, -14, 14)]);
    const edge = unit * (1.5 + 2.5 * random());
    const [w, h] = [width - 2 * edge, height - 2 * edge];
    const [middleX, middleY] = [width / 2, height / 2];
    const frame = { x: edge + 0.06 * w, y: edge + 0.06 * h, width: 0.88 * w, height: 0.74 * h, turn: 0 };
    return {
      // Turned about its own middle, as `photograph` turns it.
      frame: turn === 0 ? frame : { ...frame, y: middleY - frame.height / 2, turn },
      under:
        ground(canvas) +
        turned(
          turn,
          middleX,
          middleY,
          box(edge + 5, edge + 7, w, h, { fill: "#000", opacity: 0.35 }) +
            box(edge, edge, w, h, { fill: "#fbfaf4" }),
        ),
      says: (own) =>
        turned(
          turn,
          middleX,
          middleY,
          text(
            { ...style, ink: "#303030" },
            width / 2,
            height - edge - 0.05 * h,
            0.07 * h,
            handwriting(canvas, own),
            { anchor: "middle" },
          ),
        ),
    };
  }),
  template("print-on-fabric", ANY, (canvas) => {
    const { width, height, unit, random } = canvas;
    const edge = unit * (1 + 3 * random());
    return {
      frame: {
        x: edge,
        y: edge,
        width: width - 2 * edge,
        height: height - 2 * edge,
        corner: pick(random, [0, unit]),
      },
      under:
        woven(canvas) +
        box(edge - unit / 3, edge - unit / 3, width - 2 * edge + unit / 1.5, height - 2 * edge + unit / 1.5, {
          fill: "#fff",
        }),
    };
  }),
  template("album-page", ANY, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    const frame = {
      x: width * 0.12,
      y: height * (0.1 + 0.1 * random()),
      width: width * 0.76,
      height: height * 0.6,
    };
    const corner = (x: number, y: number): string =>
      path(`M${x} ${y}l${unit} 0l${-unit} ${unit}z`, { fill: "#202020" });
    return {
      frame,
      under: textured(canvas),
      over:
        corner(frame.x - 3, frame.y - 3) +
        turned(
          180,
          frame.x + frame.width + 3,
          frame.y + frame.height + 3,
          corner(frame.x + frame.width + 3, frame.y + frame.height + 3),
        ),
      says: (own) =>
        text(style, width / 2, height * 0.88, unit, handwriting(canvas, own), { anchor: "middle" }),
    };
  }),
  template("cork-board", ANY, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    const [x, y, w, h] = [width * 0.2, height * 0.18, width * 0.55, height * 0.6];
    return {
      frame: { x, y, width: w, height: h, turn: between(random, -6, 6) },
      under:
        textured(canvas) +
        several(between(random, 2, 6), () => {
          const [left, top] = [width * 0.8 * random(), height * 0.85 * random()];
          return (
            box(left, top, 4 * unit, 3 * unit, {
              fill: pick(random, ["#fff6a0", "#ffd0d0", "#d8f0ff", "#fff"]),
            }) +
            several(3, (k) =>
              text(
                style,
                left + unit / 3,
                top + (1 + 0.8 * k) * unit,
                0.6 * unit,
                word(random, style.script),
                { fill: "#303030" },
              ),
            ).join("")
          );
        }).join(""),
      over: disc(x + w / 2, y + unit / 2, unit / 2, { fill: "#d02020", stroke: "#700", line: 2 }),
    };
  }),
  template("gallery-wall", ANY, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    const edge = unit * (2 + 2 * random());
    const thick = unit * (0.5 + random());
    return {
      frame: {
        x: edge + thick,
        y: edge + thick,
        width: width - 2 * (edge + thick),
        height: height - 2 * (edge + thick) - 2 * unit,
      },
      under:
        ground(canvas) +
        box(edge, edge, width - 2 * edge, height - 2 * edge - 2 * unit, {
          fill: pick(random, ["#3a2410", "#c9a44a", "#111", style.accent]),
        }),
      says: (own) =>
        box(width / 2 - 3 * unit, height - edge - unit, 6 * unit, 1.6 * unit, { fill: "#f4f0e0" }) +
        text(
          { ...style, ink: "#202020" },
          width / 2,
          height - edge,
          0.8 * unit,
          `${title(own, style.script, 1)} ${digits(own, 4)}`,
          { anchor: "middle" },
        ),
    };
  }),
  template("scrapbook", ANY, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    return {
      frame: {
        x: width * 0.1,
        y: height * 0.12,
        width: width * 0.7,
        height: height * 0.66,
        turn: between(random, -5, 5),
      },
      under: strewn(canvas),
      over:
        box(width * 0.4, height * 0.09, 4 * unit, 1.2 * unit, { fill: style.second, opacity: 0.7 }) +
        text(style, width * 0.1, height * 0.92, 1.3 * unit, title(random, style.script, 2), {
          bold: true,
          stroke: style.ground,
        }),
    };
  }),
];
