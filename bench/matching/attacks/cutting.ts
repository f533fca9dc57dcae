import type { Random } from "@colophon/testing/pictures.ts";
import type { Region } from "sharp";
import { type Attack, type Edit, type Pixels, attack, between, byPipeline, inTurn, jpeg } from "./attack.ts";
import { perspective } from "./pixel-edits.ts";
import { after, mirror, shift, turn } from "./plane-map.ts";
import { atShare } from "./saving.ts";

/** A rectangle of a share of the area, its proportions up to a fifth off the picture's, anywhere. */
export const cropped =
  (share: number): Edit =>
  async (picture, draw) => {
    const box = boxOf(share, picture, draw.random);
    const cut = await byPipeline((whole) => whole.extract(box))(picture, draw);
    return { ...cut, map: shift(-box.left, -box.top) };
  };

function boxOf(share: number, { width, height }: Pixels, random: Random): Region {
  const bend = between(random, 0.85, 1.18);
  const across = Math.min(1, Math.sqrt(share) * bend);
  const down = Math.min(1, share / across);
  const [w, h] = [Math.max(8, Math.round(across * width)), Math.max(8, Math.round(down * height))];
  return {
    left: Math.floor(random() * (width - Math.min(w, width) + 1)),
    top: Math.floor(random() * (height - Math.min(h, height) + 1)),
    width: Math.min(w, width),
    height: Math.min(h, height),
  };
}

/** The largest upright rectangle of the picture's proportions within the picture turned by `degrees`. */
function inner(width: number, height: number, degrees: number): { width: number; height: number } {
  const [sine, cosine] = [
    Math.abs(Math.sin((degrees * Math.PI) / 180)),
    Math.abs(Math.cos((degrees * Math.PI) / 180)),
  ];
  const scale = Math.min(width / (width * cosine + height * sine), height / (width * sine + height * cosine));
  return { width: Math.floor(scale * width), height: Math.floor(scale * height) };
}

export const turned =
  (degrees: (random: Random) => number, background: string): Edit =>
  (picture, draw) => {
    const angle = degrees(draw.random);
    const edit = byPipeline(
      (whole) => whole.rotate(angle, { background }),
      (before, made) => turn(angle, before, made),
    );
    return edit(picture, draw);
  };

/** Turned, and cut so that no corner shows. */
export const turnedAndCut =
  (degrees: (random: Random) => number): Edit =>
  async (picture, draw) => {
    const angle = degrees(draw.random);
    const whole = await turned(() => angle, "#000000")(picture, draw);
    const { width, height } = inner(picture.width, picture.height, angle);
    const left = Math.floor((whole.width - width) / 2);
    const top = Math.floor((whole.height - height) / 2);
    const cut = await byPipeline((each) => each.extract({ left, top, width, height }))(whole, draw);
    return { ...cut, map: after(turn(angle, picture, whole), shift(-left, -top)) };
  };

const eitherWay =
  (degrees: number) =>
  (random: Random): number =>
    random() < 0.5 ? degrees : -degrees;

export const mirrored: Edit = byPipeline((picture) => picture.flop(), mirror);
const rightly = (degrees: number): Edit => turned(() => degrees, "#000000");
export const quarterTurned: Edit = rightly(90);

/** Parts of the picture, and the picture turned, mirrored or seen from the side. */
export const CUTTING: readonly Attack[] = [
  ...[90, 75, 50, 35, 25, 15, 10, 5].flatMap((percent) => [
    attack("crop", `crop-${percent}`, cropped(percent / 100)),
    attack("crop+jpeg", `crop-${percent}+q50`, cropped(percent / 100), (picture) =>
      picture.jpeg({ quality: 50 }),
    ),
    attack("crop+resize", `crop-${percent}+r50`, inTurn(cropped(percent / 100), atShare(0.5)), (picture) =>
      picture.jpeg({ quality: 80 }),
    ),
  ]),
  attack("dihedral", "rot90", quarterTurned),
  attack("dihedral", "rot180", rightly(180)),
  attack("dihedral", "rot270", rightly(270)),
  attack("dihedral", "mirror", mirrored),
  attack(
    "dihedral",
    "flipv",
    byPipeline(
      (picture) => picture.flip(),
      (before, made) => after(mirror(before), turn(180, before, made)),
    ),
  ),
  attack("dihedral", "transpose", inTurn(quarterTurned, mirrored)),
  ...[1, 2, 3, 5, 10, 15].flatMap((degrees) => [
    attack("rotation", `rot-${degrees}`, turned(eitherWay(degrees), "#000000")),
    attack("rotation", `rot-${degrees}-crop`, turnedAndCut(eitherWay(degrees))),
  ]),
  attack(
    "rotation",
    "rot-45",
    turned(() => 45, "#000000"),
  ),
  attack(
    "rotation",
    "rot-any",
    turned((random) => between(random, 15, 345), "#ffffff"),
  ),
  attack("perspective", "persp-5", (picture, { random }) => perspective(picture, 0.05, random)),
  attack("perspective", "persp-12", (picture, { random }) => perspective(picture, 0.12, random)),
  attack("chain", "mirror+crop-50", inTurn(cropped(0.5), mirrored, jpeg(70))),
  attack("chain", "rot90+crop-50+q50", inTurn(cropped(0.5), quarterTurned, jpeg(50))),
  attack(
    "chain",
    "rot-7+crop-50+r50",
    inTurn(
      turnedAndCut(() => 7),
      cropped(0.5),
      atShare(0.5),
      jpeg(70),
    ),
  ),
];
