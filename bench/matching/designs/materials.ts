import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "./canvas.ts";
import { box, disc, path, rule } from "./drawing.ts";
import { between, several } from "./language.ts";

/**
 * Noise of one scale (K. Perlin, 1985) over a whole page, through the primitives of a filter that take what comes
 * before them.
 */
function noise(
  { width, height, random }: Canvas,
  kind: "fractalNoise" | "turbulence",
  [across, down]: readonly [across: number, down: number],
  primitives: string,
): string {
  const octaves = between(random, 3, 5);
  const seed = between(random, 1, 9999);
  return `<filter id="material" x="0" y="0" width="100%" height="100%"><feTurbulence type="${kind}" baseFrequency="${across.toFixed(4)} ${down.toFixed(4)}" numOctaves="${octaves}" seed="${seed}"/>${primitives}</filter><rect width="${width}" height="${height}" filter="url(#material)"/>`;
}

/** Noise as light and shade of one colour's surface. */
const lit = ({ random }: Canvas, colour: string, depth: number): string =>
  `<feDiffuseLighting surfaceScale="${(depth * (0.6 + 0.8 * random())).toFixed(1)}" diffuseConstant="1" lighting-color="${colour}"><feDistantLight azimuth="${between(random, 0, 359)}" elevation="${between(random, 40, 65)}"/></feDiffuseLighting>`;

/** Noise as grey over what is there, so strong. */
const grey = (strength: number): string =>
  `<feColorMatrix type="saturate" values="0"/><feComponentTransfer><feFuncA type="linear" slope="0" intercept="${strength.toFixed(2)}"/></feComponentTransfer>`;

/** Boards with their grain, or one board. */
export function wood(canvas: Canvas): string {
  const { width, height, random, unit } = canvas;
  const isAcross = random() < 0.5;
  const fibres: readonly [number, number] = [0.004 + 0.01 * random(), 0.1 + 0.3 * random()];
  const board = unit * (2.5 + 4 * random());
  const seams = random() < 0.6 ? Math.ceil((isAcross ? height : width) / board) : 0;
  return (
    box(0, 0, width, height, {
      fill: pick(random, ["#b98a55", "#7a5230", "#d8b98c", "#4a3222", "#a39a8c"]),
    }) +
    noise(canvas, "fractalNoise", isAcross ? fibres : [fibres[1], fibres[0]], grey(0.25 + 0.35 * random())) +
    several(seams, (k) =>
      isAcross
        ? rule(0, k * board, width, k * board, "#22160c", 2)
        : rule(k * board, 0, k * board, height, "#22160c", 2),
    ).join("")
  );
}

/** Threads either way, none as thick as the next. */
export function linen({ width, height, random, style }: Canvas): string {
  const step = 2.5 + 4 * random();
  const tones = ["#ffffff", "#000000"];
  const thread = (from: number, isAcross: boolean): string =>
    isAcross
      ? rule(0, from, width, from, pick(random, tones), step * (0.2 + 0.5 * random()))
      : rule(from, 0, from, height, pick(random, tones), step * (0.2 + 0.5 * random()));
  return `${box(0, 0, width, height, { fill: pick(random, ["#cfc4ae", "#8a8f98", style.second, style.faint]) })}<g opacity="${(0.15 + 0.3 * random()).toFixed(2)}">${several(Math.ceil(height / step), (k) => thread(k * step, true)).join("")}${several(Math.ceil(width / step), (k) => thread(k * step, false)).join("")}</g>`;
}

/** Veins in a light or dark stone. */
export function marble(canvas: Canvas): string {
  const { width, height, random } = canvas;
  const scale = 0.003 + 0.01 * random();
  const isDark = random() < 0.3;
  const table = isDark ? "0.9 0.35 0.15 0.1 0.08" : "0.35 0.75 0.9 0.95 0.98";
  const tones = `<feColorMatrix type="matrix" values="1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 0 0 0 0 1"/><feComponentTransfer>${["R", "G", "B"].map((one) => `<feFunc${one} type="table" tableValues="${table}"/>`).join("")}</feComponentTransfer>`;
  return (
    box(0, 0, width, height, { fill: isDark ? "#202428" : "#f0eee8" }) +
    noise(canvas, "turbulence", [scale, scale * (0.5 + 2 * random())], tones)
  );
}

/** Paper that was crumpled and smoothed. */
export function crumpledPaper(canvas: Canvas): string {
  const scale = 0.006 + 0.015 * canvas.random();
  const colour = pick(canvas.random, ["#fffaf0", "#d9b98a", "#f0f0f0", canvas.style.second]);
  return noise(canvas, "turbulence", [scale, scale], lit(canvas, colour, 20));
}

/** Plaster laid on by hand. */
export function plaster(canvas: Canvas): string {
  const scale = 0.02 + 0.06 * canvas.random();
  const colour = pick(canvas.random, ["#ffffff", "#efe0c0", "#d8c8c0", canvas.style.faint]);
  return noise(canvas, "fractalNoise", [scale, scale * (0.4 + canvas.random())], lit(canvas, colour, 8));
}

/** Cast stone with its pores, stains and a crack or two. */
export function stone(canvas: Canvas): string {
  const { width, height, random, unit } = canvas;
  const scale = 0.008 + 0.05 * random();
  const pores = several(between(random, 80, 300), () =>
    disc(width * random(), height * random(), 0.5 + 3 * random() * random(), {
      fill: "#303030",
      opacity: 0.2 + 0.5 * random(),
    }),
  );
  const cracks = several(between(random, 0, 3), () => {
    const steps = several(
      between(random, 4, 10),
      () => `l${(unit * (3 * random() - 0.8)).toFixed(1)} ${(unit * (3 * random() - 1.5)).toFixed(1)}`,
    );
    return path(`M${(width * random()).toFixed(1)} ${(height * random()).toFixed(1)}${steps.join("")}`, {
      stroke: "#282828",
      line: 1 + 2 * random(),
    });
  });
  return (
    box(0, 0, width, height, { fill: pick(random, ["#9a9a98", "#c2beb6", "#6e7276"]) }) +
    noise(canvas, "fractalNoise", [scale, scale], grey(0.3 + 0.3 * random())) +
    pores.join("") +
    cracks.join("")
  );
}

/** A corner of a chip or a pebble, as far from its middle. */
const around = (x: number, y: number, radius: number, turn: number): string =>
  `${(x + radius * Math.cos(turn)).toFixed(1)} ${(y + radius * Math.sin(turn)).toFixed(1)}`;

/** Chips of stone in cement. */
export function terrazzo({ width, height, random, unit, style }: Canvas): string {
  const colours = [style.accent, style.second, style.ink, "#c8c0b0", "#706860"];
  const chips = several(between(random, 250, 700), () => {
    const [x, y, size] = [width * random(), height * random(), unit * (0.08 + 0.5 * random() * random())];
    const first = 6 * random();
    const corners = several(between(random, 4, 7), (k) =>
      around(x, y, size * (0.5 + 0.6 * random()), first + k),
    );
    return path(`M${corners.join("L")}z`, { fill: pick(random, colours), opacity: 0.5 + 0.5 * random() });
  });
  return (
    box(0, 0, width, height, { fill: pick(random, ["#e8e4dc", "#50545a", style.ground]) }) + chips.join("")
  );
}

/** Blades of grass or straw. */
export function grass({ width, height, random, unit }: Canvas): string {
  const hue = pick(random, [95, 80, 45]);
  const blades = several(between(random, 900, 2200), () => {
    const [x, y] = [width * random(), height * (1.05 * random())];
    const [dx, dy] = [unit * (random() - 0.5), -unit * (0.5 + 1.3 * random())];
    return path(
      `M${x.toFixed(1)} ${y.toFixed(1)}q${(dx * 0.2).toFixed(1)} ${(dy * 0.7).toFixed(1)} ${dx.toFixed(1)} ${dy.toFixed(1)}`,
      {
        stroke: `hsl(${between(random, hue - 15, hue + 15)},${between(random, 30, 60)}%,${between(random, 15, 60)}%)`,
        line: 1 + 3 * random(),
      },
    );
  });
  return box(0, 0, width, height, { fill: `hsl(${hue},35%,22%)` }) + blades.join("");
}

/** Pebbles side by side, each in a tone of its own. */
export function pebbles({ width, height, random, unit }: Canvas): string {
  const size = unit * (0.5 + 1.1 * random());
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const laid = several((columns + 1) * (rows + 1), (k) => {
    const [x, y] = [
      ((k % (columns + 1)) + 0.6 * random()) * size,
      (Math.floor(k / (columns + 1)) + 0.6 * random()) * size,
    ];
    const corners = several(9, (turn) => around(x, y, size * (0.4 + 0.18 * random()), turn * 0.7));
    return (
      path(`M${corners.join("L")}z`, {
        fill: `hsl(30,${between(random, 0, 15)}%,${between(random, 25, 85)}%)`,
      }) + disc(x - size / 8, y - size / 8, size / 7, { fill: "#ffffff", opacity: 0.25 * random() })
    );
  });
  return box(0, 0, width, height, { fill: "#2c2824" }) + laid.join("");
}
