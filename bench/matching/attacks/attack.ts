import sharp, { type OverlayOptions, type Sharp } from "sharp";
import { type Random } from "@colophon/testing/pictures.ts";
import { after, type PlaneMap, stretch } from "./plane-map.ts";

/** An RGB picture in memory, three bytes a pixel, rows from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
  /**
   * Where the edit that made it put the pixels of the picture it was given; null where no homography says it. Left out,
   * the whole lies on the whole.
   */
  readonly map?: PlaneMap | null;
}

/** What an attack may draw from. */
export interface Draw {
  readonly random: Random;
  /** Other pictures of the set, for collages. */
  readonly others: (count: number) => Promise<readonly Other[]>;
}

/** A picture of the set with its id. */
export interface Other {
  readonly id: string;
  readonly picture: Pixels;
}

/** An original in a picture, and where it lies there; null where no homography says it. */
export interface Shown {
  readonly id: string;
  readonly map: PlaneMap | null;
}

/** A picture that an attack made; `map` says where the attacked one lies in it, `alsoShows` which others do. */
export interface Attacked {
  readonly bytes: Buffer;
  readonly map: PlaneMap | null;
  readonly alsoShows: readonly Shown[];
}

/** Makes another picture of a picture. */
export type Edit = (picture: Pixels, draw: Draw) => Pixels | Promise<Pixels>;

/** A way to disguise a picture. Attacks of one family make one row of a report. */
export interface Attack {
  readonly name: string;
  readonly family: string;
  readonly make: (picture: Pixels, draw: Draw) => Promise<Attacked>;
}

/** The quality at which an attacked picture is saved unless the attack is about that. */
const QUALITY = 92;

/** The picture as a pipeline. */
export function pipeline({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** The pixels that a pipeline gives. */
export async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .flatten({ background: "#ffffff" })
    // What was laid over the picture brings a channel of its own, after the flattening.
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: info.channels === 3 ? data : tripled(data) };
}

function tripled(grey: Buffer): Buffer {
  const data = Buffer.alloc(3 * grey.length);
  for (let at = 0; at < data.length; at += 1) data[at] = grey[Math.floor(at / 3)]!;
  return data;
}

/** An edit by one of sharp's operations; `map` says where it puts the pixels, unless the whole lies on the whole. */
export function byPipeline(
  edit: (picture: Sharp, size: Pixels, draw: Draw) => Sharp,
  map: (before: Pixels, after: Pixels) => PlaneMap = stretch,
): Edit {
  return async (picture, draw) => {
    const made = await pixelsOf(edit(pipeline(picture), picture, draw));
    return { ...made, map: map(picture, made) };
  };
}

/** Where an edit put the pixels of the picture it was given. */
export function mapOf(before: Pixels, made: Pixels): PlaneMap | null {
  return made.map === undefined ? stretch(before, made) : made.map;
}

/** Saves a picture and opens it again. */
export function savedAs(save: (picture: Sharp) => Sharp): Edit {
  return async (picture) => pixelsOf(sharp(await save(pipeline(picture)).toBuffer()));
}

/** JPEG at a quality from 1 to 100. */
export const jpeg = (quality: number): Edit => savedAs((picture) => picture.jpeg({ quality }));

/** One edit after the other. */
export function inTurn(...edits: readonly Edit[]): Edit {
  return async (picture, draw) => {
    let made = picture;
    let map: PlaneMap | null = stretch(picture, picture);
    for (const edit of edits) {
      const before = made;
      made = await edit(before, draw);
      const step = mapOf(before, made);
      map = map === null || step === null ? null : after(map, step);
    }
    return { ...made, map };
  };
}

/** An attack that edits pixels and saves them at a good quality. */
export function attack(
  family: string,
  name: string,
  edit: Edit,
  save: (picture: Sharp) => Sharp = (picture) => picture.jpeg({ quality: QUALITY }),
): Attack {
  return {
    name,
    family,
    make: async (picture, draw) => {
      const made = await edit(picture, draw);
      return { bytes: await save(pipeline(made)).toBuffer(), map: mapOf(picture, made), alsoShows: [] };
    },
  };
}

/** A number between two others. */
export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

/** Lays an SVG drawing of the picture's size over it. */
export function drawnOver(draw: (size: Pixels, random: Random) => string): Edit {
  return byPipeline((picture, size, { random }) => picture.composite([drawing(size, draw(size, random))]));
}

function drawing({ width, height }: Pixels, content: string): OverlayOptions {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
  return { input: Buffer.from(svg) };
}
