import sharp from "sharp";
import { extractFeatures, type Extraction, fittedSize, type Luma, resizeLuma } from "@colophon/engine/lab";
import type { Random } from "@colophon/testing/pictures.ts";

/** Rasters in which points are found, as the engine does for originals and for queries. */
const ORIGINAL = { side: 480, limit: 600 } as const;
const QUERY = { side: 480, limit: 1500 } as const;

/** What may lie between a point of the original and the same point of the edited picture. */
const NEAR = { pixels: 1.5, size: 0.35, turn: 0.35 };

/** A picture edited as somebody might repost it. */
export interface Edit {
  /** Size against the original's. */
  readonly scale: number;
  /** Turn, radians. */
  readonly turn: number;
  /** Share of each side that is kept around the middle. */
  readonly kept: number;
  readonly gamma: number;
  /** JPEG quality. */
  readonly quality: number;
}

/** The edits of one picture, those of other pictures differ. */
function edits(random: Random): readonly Edit[] {
  return [
    { scale: 0.5, turn: 0, kept: 1, gamma: 1, quality: 30 },
    {
      scale: 0.8,
      turn: (0.1 + 1.4 * random()) * Math.sign(random() - 0.5),
      kept: 0.8,
      gamma: 1,
      quality: 75,
    },
    { scale: 1, turn: 0, kept: 0.5 + 0.2 * random(), gamma: 0.8, quality: 50 },
    { scale: 0.35 + 0.2 * random(), turn: 0.05, kept: 0.9, gamma: 1.4, quality: 60 },
  ];
}

/** Descriptors of one point in a picture and in an edited copy, alternately. */
export interface PicturePoints {
  /** Of the original's points, most useful first. */
  readonly descriptors: Float32Array;
  /** For each point found again in an edit, 128 numbers of the original and 128 of the edit. */
  readonly pairs: Float32Array;
}

const DESCRIPTOR = 128;

/** The points of an original as the engine files it. */
export function originalPoints(luma: Luma): Extraction {
  const { width, height } = fittedSize(
    luma.width,
    luma.height,
    Math.min(ORIGINAL.side, Math.max(luma.width, luma.height)),
  );
  return extractFeatures(resizeLuma(luma, width, height), {
    limit: ORIGINAL.limit,
    thinBursts: true,
    faint: true,
  });
}

/** Finds the points of a picture, edits it, and finds the same points again. */
export async function picturePoints(luma: Luma, random: Random): Promise<PicturePoints> {
  const original = originalPoints(luma);
  const pairs: number[] = [];
  for (const edit of edits(random)) {
    const { picture, toEdited } = await applyEdit(luma, edit);
    const { width, height } = fittedSize(picture.width, picture.height, QUERY.side);
    const raster = resizeLuma(picture, width, height);
    const edited = extractFeatures(raster, { limit: QUERY.limit, thinBursts: false });
    const into = (x: number, y: number): readonly [number, number] => {
      const at = toEdited(
        ((x + 0.5) * luma.width) / original.features.width,
        ((y + 0.5) * luma.height) / original.features.height,
      );
      return [(at[0] * width) / picture.width - 0.5, (at[1] * height) / picture.height - 0.5];
    };
    const growth = ((luma.width / original.features.width) * edit.scale * width) / picture.width;
    for (const [one, other] of samePoints(original, edited, into, growth, edit.turn)) {
      pairs.push(...original.descriptors.subarray(one * DESCRIPTOR, (one + 1) * DESCRIPTOR));
      pairs.push(...edited.descriptors.subarray(other * DESCRIPTOR, (other + 1) * DESCRIPTOR));
    }
  }
  return { descriptors: original.descriptors, pairs: Float32Array.from(pairs) };
}

/** Points of the original and of the edit that lie at one place, at one size and in one direction. */
function* samePoints(
  { features: original }: Extraction,
  { features: edited }: Extraction,
  into: (x: number, y: number) => readonly [number, number],
  growth: number,
  turn: number,
): Generator<readonly [number, number]> {
  for (let one = 0; one < original.count; one += 1) {
    const [x, y] = into(original.x[one]!, original.y[one]!);
    let [best, least] = [-1, NEAR.pixels];
    for (let other = 0; other < edited.count; other += 1) {
      const away = Math.hypot(edited.x[other]! - x, edited.y[other]! - y);
      if (away >= least) continue;
      const size = Math.abs(Math.log(edited.size[other]! / (original.size[one]! * growth)));
      const apart = edited.angle[other]! - original.angle[one]! - turn;
      if (size < NEAR.size && Math.abs(Math.sin(apart / 2)) < NEAR.turn / 2) [best, least] = [other, away];
    }
    if (best >= 0) yield [one, best];
  }
}

/**
 * Carries out an edit. `toEdited` takes a place of the original (pixel corners at integers) to its place in the result.
 */
export async function applyEdit(
  luma: Luma,
  { scale, turn, kept, gamma, quality }: Edit,
): Promise<{ picture: Luma; toEdited: (x: number, y: number) => readonly [number, number] }> {
  const small = resizeLuma(
    luma,
    Math.max(8, Math.round(luma.width * scale)),
    Math.max(8, Math.round(luma.height * scale)),
  );
  const width = Math.max(8, Math.round(small.width * kept));
  const height = Math.max(8, Math.round(small.height * kept));
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const data = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const [dx, dy] = [x + 0.5 - width / 2, y + 0.5 - height / 2];
      const value = between(
        small,
        small.width / 2 + dx * cos + dy * sin - 0.5,
        small.height / 2 - dx * sin + dy * cos - 0.5,
      );
      data[at] = Math.round(255 * (value / 255) ** gamma);
    }
  }
  const jpeg = await sharp(data, { raw: { width, height, channels: 1 } })
    .jpeg({ quality })
    .toBuffer();
  const decoded = await sharp(jpeg).toColourspace("b-w").raw().toBuffer();
  const toEdited = (x: number, y: number): readonly [number, number] => {
    const dx = (x * small.width) / luma.width - small.width / 2;
    const dy = (y * small.height) / luma.height - small.height / 2;
    return [width / 2 + dx * cos - dy * sin, height / 2 + dx * sin + dy * cos];
  };
  return { picture: { width, height, data: new Uint8Array(decoded) }, toEdited };
}

/** Linear interpolation, border pixels repeated outside. */
function between({ width, height, data }: Luma, x: number, y: number): number {
  const cx = Math.min(width - 1, Math.max(0, x));
  const cy = Math.min(height - 1, Math.max(0, y));
  const [x0, y0] = [Math.floor(cx), Math.floor(cy)];
  const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)];
  const [fx, fy] = [cx - x0, cy - y0];
  const upper = data[y0 * width + x0]! * (1 - fx) + data[y0 * width + x1]! * fx;
  return upper * (1 - fy) + (data[y1 * width + x0]! * (1 - fx) + data[y1 * width + x1]! * fx) * fy;
}
