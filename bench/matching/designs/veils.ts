import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "./canvas.ts";
import type { Design } from "./design.ts";
import { box, disc, path, rule, text, tiled } from "./drawing.ts";
import { between, several, word } from "./language.ts";
import { overlay } from "./overlay.ts";

const SIZES = [
  [1200, 800],
  [1000, 1000],
  [900, 1200],
  [1280, 720],
  [700, 900],
] as const;

/** One tile of a veil: its size, and what is drawn on it in a colour. */
interface Tile {
  readonly size: readonly [width: number, height: number];
  readonly drawn: string;
}

/** A photograph under one motif all over, however large, faint or turned. */
function veil(
  name: string,
  [least, most]: readonly [least: number, most: number],
  tile: (canvas: Canvas, side: number, colour: string) => Tile,
): Design {
  return overlay(name, SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const colour = pick(random, ["#ffffff", "#000000", "#808080", style.accent, style.second]);
    const side = unit * (least + (most - least) * random() * random());
    const { size, drawn } = tile(canvas, side, colour);
    return tiled(
      [width, height],
      size,
      pick(random, [0, 0, 45, between(random, -60, 60)]),
      `<g opacity="${(0.15 + 0.6 * random()).toFixed(2)}">${drawn}</g>`,
    );
  });
}

/** A photograph under marks that lie all over it without order, so many of them. */
function strewn(
  name: string,
  [fewest, most]: readonly [fewest: number, most: number],
  mark: (canvas: Canvas, colour: string) => string,
): Design {
  return overlay(name, SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const colour = pick(random, ["#ffffff", "#000000", "#808080", style.accent, style.second]);
    const marks = several(between(random, fewest, most), () => {
      const [x, y] = [(width * random()).toFixed(1), (height * random()).toFixed(1)];
      return `<g transform="translate(${x} ${y})">${mark(canvas, colour)}</g>`;
    });
    return `<g opacity="${(0.2 + 0.6 * random()).toFixed(2)}">${marks.join("")}</g>`;
  });
}

/** Motifs all over a photograph, repeated or strewn, each filled or in outline, dense or wide. */
export const VEILS: readonly Design[] = [
  veil("diamonds", [0.5, 3], (_, s, fill) => ({
    size: [s, 1.4 * s],
    drawn: path(`M${s / 2} 0L${s} ${0.7 * s}L${s / 2} ${1.4 * s}L0 ${0.7 * s}z`, { fill }),
  })),
  veil("fading-chequers", [0.4, 2.5], ({ random }, s, fill) => {
    const faint = 0.2 + 0.6 * random();
    return {
      size: [2 * s, 2 * s],
      drawn: box(0, 0, s, s, { fill }) + box(s, s, s, s, { fill, opacity: faint }),
    };
  }),
  veil("gingham", [0.4, 2], (_, s, fill) => ({
    size: [2 * s, 2 * s],
    drawn: box(0, 0, s, 2 * s, { fill, opacity: 0.5 }) + box(0, 0, 2 * s, s, { fill, opacity: 0.5 }),
  })),
  veil("ring-lattice", [1, 4], ({ random }, s, stroke) => {
    const line = between(random, 1, 8);
    const radius = s * (0.25 + 0.35 * random());
    return {
      size: [s, s],
      drawn: disc(s / 2, s / 2, radius, { stroke, line }) + disc(0, 0, radius / 2, { stroke, line }),
    };
  }),
  veil("overlapping-circles", [1, 3.5], ({ random }, s, stroke) => {
    const line = between(random, 1, 5);
    const at = [0, s, 2 * s].flatMap((x) => [0, s, 2 * s].map((y) => [x, y] as const));
    return {
      size: [2 * s, 2 * s],
      drawn: at.map(([x, y]) => disc(x, y, s, { stroke, line })).join(""),
    };
  }),
  veil("targets", [2, 6], ({ random }, s, stroke) => {
    const rings = between(random, 2, 5);
    const line = between(random, 2, 6);
    return {
      size: [s, s],
      drawn: several(rings, (k) => disc(s / 2, s / 2, (s * (k + 1)) / (2.2 * rings), { stroke, line })).join(
        "",
      ),
    };
  }),
  veil("dot-screen", [0.12, 0.8], ({ random }, s, fill) => ({
    size: [s, s],
    drawn: disc(s / 2, s / 2, s * (0.15 + 0.25 * random()), { fill }),
  })),
  veil("two-dot-screen", [0.2, 1], ({ random }, s, fill) => {
    const [large, small] = [0.2 + 0.15 * random(), 0.08 + 0.1 * random()];
    return {
      size: [s, s],
      drawn: disc(s / 4, s / 4, s * large, { fill }) + disc(0.75 * s, 0.75 * s, s * small, { fill }),
    };
  }),
  veil("labelled-cells", [2, 5], ({ random, style }, s, colour) => ({
    size: [s, 0.7 * s],
    drawn:
      box(0, 0, s, 0.7 * s, { stroke: colour, line: between(random, 2, 6) }) +
      text(style, s * 0.1, s * 0.42, s * 0.22, word(random, style.script), { fill: colour }),
  })),
  veil("rounded-panels", [1, 4], ({ random }, s, fill) => {
    const side = s * (0.5 + 0.35 * random());
    return {
      size: [s, 0.8 * s],
      drawn: box(s * 0.08, s * 0.08, side, 0.7 * side, { fill, corner: s * 0.2 * random() }),
    };
  }),
  veil("bricks", [0.6, 3], ({ random }, s, stroke) => {
    const line = between(random, 1, 6);
    return {
      size: [2 * s, 2 * s],
      drawn:
        rule(0, 0, 2 * s, 0, stroke, line) +
        rule(0, s, 2 * s, s, stroke, line) +
        rule(0, 0, 0, s, stroke, line) +
        rule(s, s, s, 2 * s, stroke, line),
    };
  }),
  veil("weave", [0.5, 2.5], ({ random }, s, fill) => {
    const gap = s * (0.1 + 0.3 * random());
    return {
      size: [2 * s, 2 * s],
      drawn:
        box(0, 0, s - gap, 2 * s, { fill, opacity: 0.8 }) + box(0, s, 2 * s, s - gap, { fill, opacity: 0.6 }),
    };
  }),
  veil("waves", [1, 3], ({ random }, s, stroke) => ({
    size: [2 * s, s * (0.4 + 0.6 * random())],
    drawn: path(`M0 ${s / 4}q${s / 2} ${-s / 2} ${s} 0t${s} 0`, { stroke, line: between(random, 2, 8) }),
  })),
  veil("zigzag", [0.6, 3], ({ random }, s, stroke) => ({
    size: [2 * s, s * (0.5 + 0.8 * random())],
    drawn: path(`M0 ${s / 2}L${s} 0L${2 * s} ${s / 2}`, { stroke, line: between(random, 2, 8) }),
  })),
  veil("triangles", [0.5, 3], ({ random }, s, fill) => ({
    size: [s, s],
    drawn: path(`M0 ${s}L${s / 2} ${s * 0.2 * random()}L${s} ${s}z`, { fill }),
  })),
  veil("crosses-and-rings", [1, 4], ({ random }, s, stroke) => {
    const line = between(random, 1, 5);
    return {
      size: [s, s],
      drawn:
        rule(0, s / 4, s / 2, s / 4, stroke, line) +
        rule(s / 4, 0, s / 4, s / 2, stroke, line) +
        disc(0.75 * s, 0.75 * s, 0.2 * s, { stroke, line }),
    };
  }),
  veil("scales", [0.7, 2.5], ({ random }, s, stroke) => {
    const line = between(random, 1, 5);
    return {
      size: [2 * s, s],
      drawn:
        path(`M0 0a${s} ${s} 0 0 0 ${2 * s} 0`, { stroke, line }) +
        path(`M${-s} ${s / 2}a${s} ${s} 0 0 0 ${2 * s} 0a${s} ${s} 0 0 0 ${2 * s} 0`, { stroke, line }),
    };
  }),
  veil("diagonal-bands", [0.4, 2.5], ({ random }, s, fill) => ({
    size: [s, s],
    drawn: box(0, 0, s * (0.2 + 0.4 * random()), s, { fill }),
  })),
  veil("numbered-lattice", [1.2, 3], ({ random, style }, s, colour) => ({
    size: [s, s],
    drawn:
      rule(0, 0, s, 0, colour, 2) +
      rule(0, 0, 0, s, colour, 2) +
      text(style, s * 0.25, s * 0.65, s * 0.35, String(between(random, 1, 99)), { fill: colour }),
  })),
  veil("plus-signs", [0.5, 2.5], ({ random }, s, stroke) => {
    const line = s * (0.1 + 0.2 * random());
    return {
      size: [s, s],
      drawn:
        rule(0.2 * s, 0.5 * s, 0.8 * s, 0.5 * s, stroke, line) +
        rule(0.5 * s, 0.2 * s, 0.5 * s, 0.8 * s, stroke, line),
    };
  }),
  veil("cross-hatching", [0.3, 1.6], ({ random }, s, stroke) => {
    const line = between(random, 1, 4);
    const [x, y] = [s * (0.5 + random()), s * (0.5 + random())];
    return { size: [x, y], drawn: rule(0, 0, x, y, stroke, line) + rule(x, 0, 0, y, stroke, line) };
  }),
  veil("paisley", [1, 3.5], ({ random }, s, fill) => ({
    size: [s, 1.3 * s],
    drawn:
      path(
        `M${0.2 * s} ${s}a${0.3 * s} ${0.3 * s} 0 1 0 ${0.45 * s} ${-0.4 * s}q${-0.1 * s} ${-0.3 * s} ${0.15 * s} ${-0.4 * s}q${-0.6 * s} 0 ${-0.6 * s} ${0.8 * s}z`,
        random() < 0.5 ? { fill } : { stroke: fill, line: between(random, 1, 5) },
      ) + disc(0.45 * s, 0.95 * s, s * 0.12, { stroke: fill, line: 2 }),
  })),
  veil("stars-all-over", [0.5, 3], ({ random }, s, fill) => {
    const inner = 0.2 + 0.15 * random();
    const corners = several(10, (k) => {
      const [radius, turn] = [s * (k % 2 ? inner / 2 : 0.42), (Math.PI * k) / 5];
      return `${(s / 2 + radius * Math.sin(turn)).toFixed(2)} ${(s / 2 - radius * Math.cos(turn)).toFixed(2)}`;
    });
    return { size: [s, s * (1 + 0.5 * random())], drawn: path(`M${corners.join("L")}z`, { fill }) };
  }),
  veil("fence-wire", [0.8, 3], ({ random }, s, stroke) => {
    const line = between(random, 2, 7);
    return {
      size: [s, 1.2 * s],
      drawn:
        path(`M0 0q${s / 2} 0 ${s / 2} ${0.6 * s}t${s / 2} ${0.6 * s}`, { stroke, line }) +
        path(`M${s} 0q${-s / 2} 0 ${-s / 2} ${0.6 * s}t${-s / 2} ${0.6 * s}`, { stroke, line }),
    };
  }),
  veil("lace", [1, 3], ({ random }, s, stroke) => {
    const petals = between(random, 5, 9);
    const line = between(random, 1, 4);
    return {
      size: [s, s],
      drawn: several(petals, (k) => {
        const turn = (2 * Math.PI * k) / petals;
        return disc(s / 2 + 0.25 * s * Math.cos(turn), s / 2 + 0.25 * s * Math.sin(turn), 0.2 * s, {
          stroke,
          line,
        });
      }).join(""),
    };
  }),
  veil("net-of-knots", [0.6, 2.5], ({ random }, s, stroke) => {
    const line = between(random, 1, 4);
    const knot = s * (0.06 + 0.1 * random());
    return {
      size: [s, s],
      drawn:
        path(`M0 0Q${s / 2} ${s * 0.3 * random()} ${s} 0M0 0Q${s * 0.3 * random()} ${s / 2} 0 ${s}`, {
          stroke,
          line,
        }) + [0, s].flatMap((x) => [0, s].map((y) => disc(x, y, knot, { fill: stroke }))).join(""),
    };
  }),
  veil("snowflakes", [0.8, 3], ({ random }, s, stroke) => {
    const line = between(random, 1, 4);
    return {
      size: [s, s],
      drawn: several(3, (k) => {
        const [dx, dy] = [0.4 * s * Math.cos((Math.PI * k) / 3), 0.4 * s * Math.sin((Math.PI * k) / 3)];
        return rule(s / 2 - dx, s / 2 - dy, s / 2 + dx, s / 2 + dy, stroke, line);
      }).join(""),
    };
  }),
  strewn("camouflage", [20, 70], ({ random, unit }, fill) => {
    const corners = several(6, (k) => {
      const radius = unit * (0.6 + 1.6 * random());
      return `${(radius * Math.cos(k)).toFixed(1)} ${(radius * Math.sin(k)).toFixed(1)}`;
    });
    return path(`M${corners.join("T")}z`, { fill });
  }),
  strewn("rain-streaks", [120, 500], ({ random, unit }, stroke) =>
    rule(0, 0, unit * 0.2, unit * (0.5 + 1.5 * random()), stroke, between(random, 1, 4)),
  ),
  strewn("splashes", [60, 260], ({ random, unit }, fill) =>
    disc(0, 0, unit * (0.05 + 0.6 * random() * random()), { fill }),
  ),
  strewn("water-drops", [50, 200], ({ random, unit }, stroke) =>
    disc(0, 0, unit * (0.15 + 0.7 * random() * random()), { stroke, line: between(random, 1, 4) }),
  ),
];
