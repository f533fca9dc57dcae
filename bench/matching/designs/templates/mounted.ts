import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { type Box, box, disc, text } from "../drawing.ts";
import { between, date, digits, person, title } from "../language.ts";
import {
  crumpledPaper,
  grass,
  linen,
  marble,
  pebbles,
  plaster,
  stone,
  terrazzo,
  wood,
} from "../materials.ts";
import { ANY, template } from "./template.ts";

/** Lies so much beyond each side of a picture. */
const about = ({ x, y, width, height }: Box, side: number, below = side): Box => ({
  x: x - side,
  y: y - side,
  width: width + 2 * side,
  height: height + side + below,
});

const filled = ({ x, y, width, height }: Box, fill: string, opacity = 1): string =>
  box(x, y, width, height, { fill, opacity });

/**
 * What a picture is mounted in, its lower margin, and the ink for it: a sheet's white edge, a frame with or without a
 * mat, or nothing.
 */
function mount(
  { random, unit, style }: Canvas,
  frame: Box,
): { readonly drawn: string; readonly below: number; readonly ink: string } {
  const edge = unit * (0.2 + 0.8 * random());
  const below = pick(random, [edge, 2 * unit]);
  const shadow = (outer: Box): string =>
    filled({ ...outer, x: outer.x + unit / 4, y: outer.y + unit / 3 }, "#000", 0.15 + 0.35 * random());
  const sheet = (): string => {
    const outer = about(frame, edge, below);
    return shadow(outer) + filled(outer, pick(random, ["#ffffff", "#f6f0e0", "#1a1a1a"]));
  };
  const framed = (): string => {
    const mat = random() < 0.6 ? edge : 0;
    const outer = about(frame, mat + unit * (0.3 + 0.6 * random()));
    return (
      shadow(outer) +
      filled(outer, pick(random, ["#2b1a0d", "#b8933c", "#0c0c0c", "#e8e8e8", style.accent])) +
      filled(about(frame, mat), "#f4f1ea")
    );
  };
  const kind = pick(random, ["sheet", "sheet", "framed", "bare"]);
  if (kind === "sheet") return { drawn: sheet(), below, ink: "#505058" };
  return { drawn: kind === "framed" ? framed() : shadow(frame), below: 2.4 * unit, ink: style.ink };
}

/** Strips of tape, or a pin, or nothing, that hold the upper edge. */
function held({ random, unit, style }: Canvas, { x, y, width }: Box): string {
  const tape = (at: number, turn: number): string =>
    `<g transform="rotate(${turn} ${at} ${y})">${box(at - 1.3 * unit, y - unit / 2, 2.6 * unit, unit, { fill: pick(random, ["#f4ecc8", "#ffffff", style.second]), opacity: 0.55 + 0.35 * random() })}</g>`;
  return pick(random, [
    () => "",
    () => tape(x + width * (0.35 + 0.3 * random()), between(random, -8, 8)),
    () => tape(x, -45) + tape(x + width, 45),
    () => disc(x + width / 2, y + unit / 3, unit / 3, { fill: style.accent, stroke: "#400", line: 2 }),
  ])();
}

/** What is written below: nothing, the same for all, or each member's own. */
function caption({ random, style }: Canvas): (own: Random) => string {
  const same = title(random, style.script, 2);
  return pick(random, [
    () => "",
    () => same,
    (own: Random) => `${same} ${date(own)}`,
    (own: Random) => title(own, style.script, 2),
    (own: Random) => `${person(own, style.script)}, ${digits(own, 4)}`,
  ]);
}

/** A picture that lies, hangs or is taped on some material. */
function mounted(name: string, material: (canvas: Canvas) => string): Design {
  return template(name, ANY, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const [w, h] = [width * (0.45 + 0.4 * random()), height * (0.45 + 0.35 * random())];
    const turn = pick(random, [0, 0, between(random, -14, 14)]);
    const frame = {
      x: unit + (width - w - 2 * unit) * random(),
      y: unit + (height - h - 4 * unit) * random(),
      width: w,
      height: h,
      turn,
    };
    // All turns about the picture's middle, as the picture does.
    const turned = (drawn: string): string =>
      `<g transform="rotate(${turn} ${frame.x + w / 2} ${frame.y + h / 2})">${drawn}</g>`;
    const { drawn, below, ink } = mount(canvas, frame);
    const said = caption(canvas);
    const size = Math.max(0.5 * unit, 0.45 * below);
    return {
      frame,
      under: material(canvas) + turned(drawn),
      over: turned(held(canvas, frame)),
      says: (own) =>
        turned(
          text({ ...style, ink }, frame.x + w / 2, frame.y + h + 0.75 * below, size, said(own), {
            anchor: "middle",
          }),
        ),
    };
  });
}

/** Prints and framed pictures on wood, cloth, stone and what else they lie or hang on. */
export const MOUNTED: readonly Design[] = [
  mounted("print-on-wood", wood),
  mounted("print-on-linen", linen),
  mounted("print-on-marble", marble),
  mounted("print-on-crumpled-paper", crumpledPaper),
  mounted("print-on-plaster", plaster),
  mounted("print-on-stone", stone),
  mounted("print-on-terrazzo", terrazzo),
  mounted("print-on-grass", grass),
  mounted("print-on-pebbles", pebbles),
];
