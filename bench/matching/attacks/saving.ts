import type { Sharp } from "sharp";
import { type Attack, type Edit, attack, byPipeline } from "./attack.ts";
import { stretch } from "./plane-map.ts";

const same: Edit = (picture) => picture;

const resized = (share: number): Edit =>
  byPipeline((picture, { width, height }) =>
    picture.resize(Math.max(1, Math.round(share * width)), Math.max(1, Math.round(share * height)), {
      fit: "fill",
    }),
  );

const stretched = (across: number, down: number): Edit =>
  byPipeline((picture, { width, height }) =>
    picture.resize(Math.round(across * width), Math.round(down * height), { fit: "fill" }),
  );

/** How a picture must be turned so that a viewer who follows the tag sees it upright. */
const AGAINST_TAG: Readonly<Record<number, (picture: Sharp) => Sharp>> = {
  3: (picture) => picture.rotate(180),
  6: (picture) => picture.rotate(270),
  8: (picture) => picture.rotate(90),
};

const tagged = (tag: number): Attack =>
  attack(
    "orientation-tag",
    `exif-${tag}`,
    // Places are those of the upright picture, in which nothing has moved.
    byPipeline(
      (picture) => AGAINST_TAG[tag]!(picture),
      (before) => stretch(before, before),
    ),
    (picture) => picture.withMetadata({ orientation: tag }).jpeg({ quality: 92 }),
  );

/** The whole picture, saved otherwise: formats, qualities, sizes, proportions, orientation tags. */
export const SAVING: readonly Attack[] = [
  attack("reencode", "identity", same),
  ...[90, 75, 50, 30, 20, 10, 5].map((quality) =>
    attack("reencode", `jpeg-q${quality}`, same, (picture) => picture.jpeg({ quality })),
  ),
  ...[80, 40, 10].map((quality) =>
    attack("reencode", `webp-q${quality}`, same, (picture) => picture.webp({ quality })),
  ),
  attack("reencode", "png", same, (picture) => picture.png()),
  ...[75, 50, 25, 12.5, 150].map((percent) => attack("resize", `resize-${percent}`, resized(percent / 100))),
  attack(
    "resize",
    "thumb-160",
    byPipeline((picture) => picture.resize(160, 160, { fit: "inside" })),
    (picture) => picture.jpeg({ quality: 80 }),
  ),
  attack("aspect", "stretch-10", stretched(1.1, 1)),
  attack("aspect", "stretch-25", stretched(1, 0.75)),
  ...[3, 6, 8].map(tagged),
];

/** A picture at a share of its size. */
export const atShare = resized;
