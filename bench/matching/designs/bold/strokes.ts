import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Design } from "../design.ts";
import { box, disc, path, polyline, rule } from "../drawing.ts";
import { between, several } from "../language.ts";
import { SIZES, fitted, heading, paint, turned } from "../opaque/pieces.ts";
import { overlay } from "../overlay.ts";
import { light } from "../previews/tiles.ts";

/** A line that a hand draws: points that wander from one to the next. */
function wander(random: Random, width: number, height: number, steps: number): (readonly [number, number])[] {
  let [x, y, turn] = [width * random(), height * random(), 2 * Math.PI * random()];
  const step = Math.min(width, height) * 0.05;
  return several(steps, () => {
    turn += 1.4 * (random() - 0.5);
    x = Math.min(width, Math.max(0, x + step * Math.cos(turn)));
    y = Math.min(height, Math.max(0, y + step * Math.sin(turn)));
    return [x, y] as const;
  });
}

/** What is drawn, stuck or shaded over a photograph. */
export const BOLD_STROKES: readonly Design[] = [
  overlay("scribbled-over", SIZES, (canvas) => {
    const { width, height, random, unit } = canvas;
    const colours = [light(canvas), light(canvas)];
    return several(between(random, 2, 6), (k) =>
      polyline(
        wander(random, width, height, between(random, 20, 70)),
        colours[k % colours.length]!,
        unit * (0.15 + 0.6 * random()),
      ),
    ).join("");
  }),
  overlay("arrows-and-circles", SIZES, (canvas) => {
    const { width, height, random, unit } = canvas;
    const stroke = pick(random, ["#e8201c", "#ffe100", "#19c22e", "#ffffff"]);
    const line = unit * (0.2 + 0.3 * random());
    return several(between(random, 2, 6), () => {
      const [x, y, r] = [width * random(), height * random(), unit * (1.5 + 3 * random())];
      const far = 2.4 * r;
      return pick(random, [
        `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${0.7 * r}" fill="none" stroke="${stroke}" stroke-width="${line}"/>`,
        `<g transform="rotate(${between(random, 0, 359)} ${x} ${y})">${rule(x - far, y, x, y, stroke, 1.5 * line)}${path(`M${x - r * 0.6} ${y - r * 0.5}L${x + r * 0.3} ${y}L${x - r * 0.6} ${y + r * 0.5}z`, { fill: stroke })}</g>`,
      ]);
    }).join("");
  }),
  overlay("bars-over-faces", SIZES, (canvas) => {
    const { width, height, random } = canvas;
    const fill = pick(random, ["#000000", "#000000", "#ffffff", "#d01018"]);
    return several(between(random, 2, 8), () => {
      const area = {
        x: width * 0.9 * random(),
        y: height * 0.9 * random(),
        width: width * (0.1 + 0.25 * random()),
        height: height * (0.03 + 0.08 * random()),
      };
      return turned(
        area,
        pick(random, [0, 0, between(random, -20, 20)]),
        box(area.x, area.y, area.width, area.height, { fill }),
      );
    }).join("");
  }),
  overlay("coarse-patches", SIZES, (canvas) => {
    const { width, height, random } = canvas;
    return several(between(random, 1, 4), () => {
      const cells = between(random, 4, 9);
      const cell = (Math.min(width, height) * (0.15 + 0.2 * random())) / cells;
      const [x, y, hue] = [width * 0.8 * random(), height * 0.8 * random(), 360 * random()];
      return several(cells * cells, (k) =>
        box(x + (k % cells) * cell, y + Math.floor(k / cells) * cell, cell + 0.5, cell + 0.5, {
          fill: `hsl(${Math.round(hue + 40 * random())},${between(random, 10, 50)}%,${between(random, 20, 80)}%)`,
        }),
      ).join("");
    }).join("");
  }),
  overlay("glass-shapes", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    return several(between(random, 2, 6), () => {
      const [x, y, r] = [width * random(), height * random(), unit * (3 + 6 * random())];
      const look = {
        fill: pick(random, [style.accent, style.second, "#ffffff", "#000000"]),
        opacity: 0.25 + 0.5 * random(),
      };
      return pick(random, [
        disc(x, y, r, look),
        box(x - r, y - r, 2 * r, 1.4 * r, { ...look, corner: style.corner }),
        path(`M${x} ${y - r}l${r} ${1.7 * r}h${-2 * r}z`, look),
      ]);
    }).join("");
  }),
  overlay("bars-of-sound", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const { plate, ink } = paint(canvas);
    const [bars, fill, middle] = [between(random, 24, 70), light(canvas), height * (0.3 + 0.4 * random())];
    const [step, tall] = [(0.9 * width) / bars, height * (0.1 + 0.15 * random())];
    return (
      several(bars, (k) => {
        const high = tall * (0.1 + 0.9 * random());
        return box(0.05 * width + k * step, middle - high, 0.6 * step, 2 * high, {
          fill,
          corner: 0.3 * step,
        });
      }).join("") +
      box(0.05 * width, height * 0.86, 0.5 * width, 0.1 * height, { fill: plate, corner: style.corner }) +
      fitted(
        style,
        { x: 0.07 * width, y: height * 0.86, width: 0.46 * width, height: 0.1 * height },
        heading(random, 3),
        {
          fill: ink,
        },
      )
    );
  }),
  overlay("spots-of-light", SIZES, (canvas) => {
    const { width, height, random, unit } = canvas;
    const tint = pick(random, ["#ffe9b0", "#ffffff", "#b9e4ff", "#ffb0c8"]);
    return several(between(random, 12, 45), () =>
      disc(width * random(), height * random(), unit * (0.4 + 1.8 * random()), {
        fill: tint,
        stroke: "#ffffff",
        line: 2,
        opacity: 0.25 + 0.5 * random(),
      }),
    ).join("");
  }),
  overlay("cracked-glass", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const [x, y, rays] = [
      width * (0.2 + 0.6 * random()),
      height * (0.2 + 0.6 * random()),
      between(random, 8, 18),
    ];
    const far = Math.hypot(width, height);
    const at = (ray: number, share: number): readonly [number, number] => {
      const turn = (2 * Math.PI * ray) / rays;
      return [x + far * share * Math.cos(turn), y + far * share * Math.sin(turn)];
    };
    const rings = several(between(random, 2, 5), (k) => 0.04 + 0.09 * k + 0.05 * random());
    const [stroke, line] = [pick(random, ["#ffffff", "#ffffff", "#101010"]), 1 + style.line / 2];
    return (
      several(rays, (ray) =>
        polyline([[x, y], at(ray + 0.3 * random(), 0.2), at(ray + 0.3 * random(), 1)], stroke, line),
      ).join("") +
      rings
        .map((share) =>
          polyline([...several(rays, (ray) => at(ray, share * (0.8 + 0.4 * random())))], stroke, line),
        )
        .join("")
    );
  }),
];
