import { chance, flipped, pick, randomBytes } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";

/** A segment, chunk or box of an image file. */
export interface Part {
  /** Marker in hex, or four-character code. */
  readonly kind: string;
  readonly body: Buffer;
  /** The length that the file states where it is not the body's. */
  readonly claimed?: number;
  /** What follows the part without a length of its own: the entropy-coded data of a JPEG scan. */
  readonly tail?: Buffer;
}

/** How a file format is taken apart and put together. Writing what was parsed gives the same picture. */
export interface Container {
  readonly parse: (file: Buffer) => readonly Part[];
  /** Lengths and checksums fit what they are about, but where a part claims another length. */
  readonly write: (parts: readonly Part[]) => Buffer;
  /** Kinds that a decoder knows, to rename parts to. */
  readonly kinds: readonly string[];
  /** Changes of what the format's own fields say. */
  readonly changes: Readonly<Record<string, Change>>;
}

/** One mutation of a file in parts. */
export type Change = (random: Random, parts: readonly Part[]) => readonly Part[];

const LENGTHS = [0, 1, 2, 3, 7, 255, 256, 65_535, 65_536, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff];
const MOST_COPIES = 200;

/** Sides of pictures that decoders stumble over. The large ones are rare: each costs a decoder seconds. */
export function hostileSide(random: Random, side: number): number {
  if (chance(random, 0.08)) return pick(random, [14_000, 32_768, 65_535]);
  const close = [side - 1, side + 1, side * 2, Math.ceil(side / 2), side + 7, side * 8];
  return pick(random, [0, 1, 2, 255, 257, 1_000, ...close]);
}

/** The parts with one of them replaced, the first of `kind` or one at random. */
export function withPart(
  random: Random,
  parts: readonly Part[],
  kinds: readonly string[] | null,
  change: (part: Part) => Part,
): readonly Part[] {
  const places = parts.flatMap(({ kind }, at) => (kinds === null || kinds.includes(kind) ? [at] : []));
  if (places.length === 0) return parts;
  const chosen = pick(random, places);
  return parts.map((part, at) => (at === chosen ? change(part) : part));
}

/** The number in a field of a part, 0 past its end: earlier changes may have cut it short. */
export function numberAt(body: Buffer, at: number, width: 1 | 2 | 3 | 4, little = false): number {
  if (at < 0 || at + width > body.length) return 0;
  return little ? body.readUIntLE(at, width) : body.readUIntBE(at, width);
}

/** The bytes with one field set; unchanged where it is past the end. */
export function withField(
  body: Buffer,
  at: number,
  width: 1 | 2 | 3 | 4,
  value: number,
  little = false,
): Buffer {
  if (at < 0 || at + width > body.length) return body;
  const copy = Buffer.from(body);
  const values = 2 ** (8 * width);
  const fitting = ((value % values) + values) % values;
  if (little) copy.writeUIntLE(fitting, at, width);
  else copy.writeUIntBE(fitting, at, width);
  return copy;
}

/** Mutations that fit every format of parts. */
export const COMMON_CHANGES: Readonly<Record<string, Change>> = {
  "part dropped": (random, parts) => parts.toSpliced(placeIn(random, parts), 1),
  "part doubled": (random, parts) => {
    const place = placeIn(random, parts);
    return parts.toSpliced(place, 0, ...parts.slice(place, place + 1));
  },
  "part repeated": (random, parts) => {
    const part = parts[placeIn(random, parts)];
    if (part === undefined) return parts;
    const copies = Array.from({ length: 2 + Math.floor(random() * MOST_COPIES) }, () => part);
    return parts.toSpliced(parts.indexOf(part), 1, ...copies);
  },
  "parts exchanged": (random, parts) => {
    const [one, other] = [placeIn(random, parts), placeIn(random, parts)];
    const [first, second] = [parts[one], parts[other]];
    if (first === undefined || second === undefined) return parts;
    return parts.with(one, second).with(other, first);
  },
  "length lied": (random, parts) =>
    withPart(random, parts, null, (part) => ({
      ...part,
      claimed: chance(random, 0.5) ? pick(random, LENGTHS) : near(random, part.body.length),
    })),
  "body flipped": (random, parts) =>
    withPart(random, parts, null, (part) => ({
      ...part,
      body: flipped(random, part.body, 1 + Math.floor(random() * 8)),
    })),
  "body cut": (random, parts) =>
    withPart(random, parts, null, (part) => ({
      ...part,
      body: part.body.subarray(0, Math.floor(random() * part.body.length)),
    })),
  "body grown": (random, parts) =>
    withPart(random, parts, null, (part) => ({
      ...part,
      body: Buffer.concat([part.body, randomBytes(random, 1 + Math.floor(random() * 400))]),
    })),
};

/** A part takes the kind of another. */
export function renamed(kinds: readonly string[]): Change {
  return (random, parts) => withPart(random, parts, null, (part) => ({ ...part, kind: pick(random, kinds) }));
}

function placeIn(random: Random, parts: readonly Part[]): number {
  return Math.floor(random() * parts.length);
}

function near(random: Random, length: number): number {
  return Math.max(0, length + Math.floor(random() * 21) - 10);
}
