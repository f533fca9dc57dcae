import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { type Box, box, disc, path, rule, text } from "../drawing.ts";
import { between, several, title, word } from "../language.ts";
import { crumpledPaper, linen, marble, plaster, stone, terrazzo, wood } from "../materials.ts";
import { ANY, template } from "./template.ts";

/** What a band of a frame is filled with, so thick on all four sides. */
type Filling = (canvas: Canvas, band: Box, thick: number) => string;

const TONES = [
  "#3a2410",
  "#c9a44a",
  "#8a6a32",
  "#ece4d2",
  "#181818",
  "#b8b8b8",
  "#6d1f24",
  "#244a3a",
] as const;

const tone = ({ random, style }: Canvas): string =>
  pick(random, [...TONES, style.accent, style.second, style.faint]);

const edges = ({ x, y, width, height }: Box, by: number, stroke: string, line: number): string =>
  box(x + by, y + by, width - 2 * by, height - 2 * by, { stroke, line });

/** Something that is put down over and over along the middle of all four sides, each turned towards the picture. */
function along(
  { x, y, width, height }: Box,
  thick: number,
  step: number,
  draw: (k: number) => string,
): string {
  const side = (length: number, fromX: number, fromY: number, turn: number): string => {
    const count = Math.max(2, Math.round((length - thick) / step));
    return several(count, (k) => {
      const far = thick / 2 + ((length - thick) * (k + 0.5)) / count;
      return `<g transform="translate(${fromX.toFixed(1)} ${fromY.toFixed(1)}) rotate(${turn}) translate(${far.toFixed(1)} ${(thick / 2).toFixed(1)})">${draw(k)}</g>`;
    }).join("");
  };
  return (
    side(width, x, y, 0) +
    side(height, x + width, y, 90) +
    side(width, x + width, y + height, 180) +
    side(height, x, y + height, 270)
  );
}

/** Lines beside each other, none as bold or as light as the next. */
const ringed: Filling = (canvas, band, thick) => {
  const step = between(canvas.random, 4, 12);
  return several(Math.floor(thick / step), (k) =>
    edges(band, (k + 0.5) * step, tone(canvas), 1 + (step - 2) * canvas.random()),
  ).join("");
};

const beaded: Filling = (canvas, band, thick) => {
  const size = thick * (0.12 + 0.3 * canvas.random());
  const [fill, stroke] = [tone(canvas), tone(canvas)];
  const line = between(canvas.random, 1, 5);
  const isHollow = canvas.random() < 0.5;
  return along(band, thick, size * (2.1 + canvas.random()), () =>
    disc(0, 0, size, isHollow ? { stroke, line } : { fill, stroke, line }),
  );
};

const dentils: Filling = (canvas, band, thick) => {
  const size = thick * (0.2 + 0.5 * canvas.random());
  const [one, other] = [tone(canvas), tone(canvas)];
  return along(band, thick, size * (1.1 + canvas.random()), (k) =>
    box(-size / 2, -size / 2, size, size * (0.5 + 0.5 * (k % 2)), { fill: k % 2 ? one : other }),
  );
};

/** Leaves or waves, drawn with a few curves that are the same all along. */
const carved: Filling = (canvas, band, thick) => {
  const { random } = canvas;
  const size = thick * (0.5 + 0.4 * random());
  const reach = (): string => (size * (random() - 0.5)).toFixed(1);
  const curves = several(
    between(random, 2, 5),
    () => `M${reach()} ${reach()}C${reach()} ${reach()} ${reach()} ${reach()} ${reach()} ${reach()}`,
  ).join("");
  const shape = { stroke: tone(canvas), line: between(random, 2, 6) };
  const fill = random() < 0.5 ? { fill: tone(canvas) } : {};
  return along(band, thick, size * (0.8 + 0.5 * random()), () => path(curves, { ...shape, ...fill }));
};

const braided: Filling = (canvas, band, thick) => {
  const far = thick * (0.3 + 0.15 * canvas.random());
  const line = thick * (0.06 + 0.14 * canvas.random());
  const [one, other] = [tone(canvas), tone(canvas)];
  return along(
    band,
    thick,
    2 * far,
    () => rule(-far, -far, far, far, one, line) + rule(-far, far, far, -far, other, line),
  );
};

/** Small squares of a few tones, laid by chance. */
const mosaic: Filling = (canvas, { x, y, width, height }, thick) => {
  const size = Math.max(thick / between(canvas.random, 3, 7), width / 90);
  const tones = several(4, () => tone(canvas));
  const tile = (left: number, top: number): string =>
    box(left, top, size - 1, size - 1, { fill: pick(canvas.random, tones) });
  const across = Math.floor(width / size);
  return several(across * Math.floor(height / size), (k) => {
    const [left, top] = [(k % across) * size, Math.floor(k / across) * size];
    const isWithin =
      left > thick && left < width - thick - size && top > thick && top < height - thick - size;
    return isWithin ? "" : tile(x + left, y + top);
  }).join("");
};

const strewn: Filling = (canvas, { x, y, width, height }, thick) =>
  several(between(canvas.random, 120, 400), () => {
    const { random } = canvas;
    const far = thick * random();
    const [left, top] = pick(random, [
      [width * random(), far],
      [width * random(), height - far],
      [far, height * random()],
      [width - far, height * random()],
    ] as const);
    const size = thick * (0.05 + 0.25 * random());
    return path(
      `M${(x + left).toFixed(1)} ${(y + top).toFixed(1)}q${size.toFixed(1)} ${(-size).toFixed(1)} ${(size * random() * 2).toFixed(1)} ${(size / 2).toFixed(1)}q${(-size).toFixed(1)} ${size.toFixed(1)} ${(-size).toFixed(1)} ${(-size / 2).toFixed(1)}z`,
      { fill: tone(canvas), opacity: 0.5 + 0.5 * random() },
    );
  }).join("");

const lettered: Filling = (canvas, band, thick) => {
  const { random, style } = canvas;
  const said = title(random, style.script, 2);
  const size = thick * (0.4 + 0.3 * random());
  return along(band, thick, size * (0.5 * said.length + 1), () =>
    text(style, 0, size / 3, size, said, { anchor: "middle", fill: tone(canvas), bold: random() < 0.5 }),
  );
};

const plain: Filling = () => "";

const FILLINGS = [ringed, beaded, dentils, carved, braided, mosaic, strewn, lettered, plain] as const;

/** A grain in tones of whatever lies under it: gilt, leather, cast plaster. */
function grain({ x, y, width, height }: Box, { random }: Canvas): string {
  const [across, down] = [0.02 + 0.5 * random() ** 2, 0.02 + 0.5 * random() ** 2];
  const depth = (0.15 + 0.5 * random()).toFixed(2);
  const id = `grain-${Math.round(x)}-${Math.round(y)}`;
  return `<filter id="${id}" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${across.toFixed(3)} ${down.toFixed(3)}" numOctaves="${between(random, 1, 4)}" seed="${between(random, 1, 9999)}"/><feColorMatrix type="saturate" values="0"/><feComponentTransfer><feFuncA type="linear" slope="0" intercept="${depth}"/></feComponentTransfer></filter><rect x="${x}" y="${y}" width="${width}" height="${height}" filter="url(#${id})"/>`;
}

const WALLS = [linen, marble, plaster, stone, terrazzo, wood, crumpledPaper] as const;

/** What a picture hangs on, or lies on: nothing but a colour, or a material. */
const wall = (canvas: Canvas): string => (canvas.random() < 0.5 ? "" : pick(canvas.random, WALLS)(canvas));

/** A small plate with a name below the picture, the same for all or each its own. */
function plate({ style, unit, random, width, height }: Canvas, thick: number): (own: Random) => string {
  const same = word(random, style.script);
  const isOwn = random() < 0.5;
  if (random() < 0.6) return () => "";
  return (own) =>
    box(width / 2 - 3 * unit, height - thick, 6 * unit, 0.7 * thick, { fill: "#c9a44a", stroke: "#5a4414" }) +
    text(
      { ...style, ink: "#202020" },
      width / 2,
      height - 0.5 * thick,
      0.3 * thick,
      isOwn ? word(own, style.script) : same,
      {
        anchor: "middle",
      },
    );
}

/**
 * A frame so wide that the picture is a third to two thirds of the whole: bands within each other, the broadest filled
 * with what names it.
 */
function border(name: string, filling: Filling): Design {
  return template(name, ANY, (canvas) => {
    const { width, height, unit, random } = canvas;
    const gap = random() < 0.6 ? unit * 2 * random() : 0;
    const deep = unit * (2.2 + 2.6 * random());
    const broad = deep * (0.4 + 0.35 * random());
    const others = between(random, 1, 3);
    const bands = several(others, () => (deep - broad) / others).toSpliced(
      between(random, 0, others),
      0,
      broad,
    );
    let from = gap;
    let under = wall(canvas);
    for (const thick of bands) {
      const band = { x: from, y: from, width: width - 2 * from, height: height - 2 * from };
      const drawn = thick === broad ? filling : pick(random, FILLINGS);
      under +=
        box(band.x, band.y, band.width, band.height, { fill: tone(canvas) }) +
        (random() < 0.6 ? grain(band, canvas) : "") +
        drawn(canvas, band, thick);
      from += thick;
    }
    const mat = random() < 0.4 ? unit * random() : 0;
    const inner = { x: from, y: from, width: width - 2 * from, height: height - 2 * from };
    under += box(inner.x, inner.y, inner.width, inner.height, { fill: "#f4f1ea" });
    return {
      frame: {
        x: from + mat,
        y: from + mat,
        width: inner.width - 2 * mat,
        height: inner.height - 2 * mat,
        ...(random() < 0.15 ? { round: true } : {}),
      },
      under,
      says: plate(canvas, gap + deep),
    };
  });
}

/** Wide frames with much to see on them. */
export const BORDERS: readonly Design[] = [
  border("ringed-frame", ringed),
  border("beaded-frame", beaded),
  border("dentil-frame", dentils),
  border("carved-frame", carved),
  border("braided-frame", braided),
  border("mosaic-frame", mosaic),
  border("strewn-frame", strewn),
  border("lettered-frame", lettered),
  border("grained-frame", plain),
];
