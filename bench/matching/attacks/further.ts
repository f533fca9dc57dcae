import { type Attack, attack, byPipeline, inTurn, savedAs } from "./attack.ts";
import { bend, impulses, smear, stickers, swirl, vignette, wave } from "./pixel-edits.ts";

type Matrix = [[number, number, number], [number, number, number], [number, number, number]];

const CHANNELS_TURNED: Matrix = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
];

const mosaic = (step: number): Attack =>
  attack("pixels", `mosaic-${step}`, async (picture, draw) => {
    const { width, height } = picture;
    const small = byPipeline((each) =>
      each.resize(Math.ceil(width / step), Math.ceil(height / step), { fit: "fill" }),
    );
    const large = byPipeline((each) => each.resize(width, height, { fit: "fill", kernel: "nearest" }));
    return inTurn(small, large)(picture, draw);
  });

/** Bends, smears, impulses, stickers and other edits that none of the usual lists of attacks names. */
export const FURTHER: readonly Attack[] = [
  attack("bent", "lens-out", (picture) => bend(picture, 0.1)),
  attack("bent", "lens-in", (picture) => bend(picture, -0.1)),
  attack("bent", "lens-slight", (picture) => bend(picture, 0.03)),
  attack("bent", "wave-slight", (picture) => wave(picture, 0.002)),
  attack("bent", "wave", (picture) => wave(picture, 0.006)),
  attack("bent", "swirl", (picture) => swirl(picture, 0.7)),
  attack(
    "bent",
    "stretch-60",
    byPipeline((picture, { width, height }) =>
      picture.resize(Math.round(1.6 * width), height, { fit: "fill" }),
    ),
  ),
  mosaic(4),
  mosaic(8),
  attack("pixels", "smear-9", (picture) => smear(picture, 9)),
  attack("pixels", "smear-17", (picture) => smear(picture, 17)),
  attack("pixels", "impulses-5", (picture, { random }) => impulses(picture, 0.05, random)),
  attack("pixels", "impulses-15", (picture, { random }) => impulses(picture, 0.15, random)),
  attack(
    "pixels",
    "median-7",
    byPipeline((picture) => picture.median(7)),
  ),
  attack(
    "pixels",
    "palette-16",
    savedAs((picture) => picture.png({ palette: true, colours: 16 })),
  ),
  attack(
    "toned",
    "hue-90",
    byPipeline((picture) => picture.modulate({ hue: 90 })),
  ),
  attack(
    "toned",
    "channels-turned",
    byPipeline((picture) => picture.recomb(CHANNELS_TURNED)),
  ),
  attack(
    "toned",
    "local-contrast",
    byPipeline((picture) => picture.clahe({ width: 64, height: 64 })),
  ),
  attack("toned", "vignette", vignette),
  attack("covered", "boxes-5", (picture, { random }) => stickers(picture, 5, 0.2, random)),
  attack("covered", "boxes-12", (picture, { random }) => stickers(picture, 12, 0.2, random)),
  attack("covered", "box-large", (picture, { random }) => stickers(picture, 1, 0.45, random)),
];
