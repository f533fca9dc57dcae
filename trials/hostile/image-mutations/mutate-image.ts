import { chance, flipped, pick, randomBytes } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { avif } from "./avif.ts";
import type { CodedImage, ImageType } from "./codings.ts";
import { gif } from "./gif.ts";
import { jpeg } from "./jpeg.ts";
import { type Change, COMMON_CHANGES, type Container, renamed } from "./parts.ts";
import { png } from "./png.ts";
import { tiff } from "./tiff.ts";
import { webp } from "./webp.ts";

const CONTAINERS: Readonly<Record<ImageType, Container>> = {
  "image/jpeg": jpeg,
  "image/png": png,
  "image/webp": webp,
  "image/avif": avif,
  "image/tiff": tiff,
  "image/gif": gif,
};

/** An image file that is not quite one. */
export interface HostileImage {
  readonly type: ImageType;
  readonly coding: string;
  readonly bytes: Buffer;
  /** What was done to it, for the report. */
  readonly label: string;
}

const MOST_CHANGES = 3;
const MOST_BYTES = 2_000_000;
/** How many images are changed in their structure; the others in their bytes, whatever these mean. */
const STRUCTURED = 0.8;

/** One of the images, mutated. */
export function hostileImage(random: Random, images: readonly CodedImage[]): HostileImage {
  const image = pick(random, images);
  const [bytes, label] = chance(random, STRUCTURED)
    ? restructured(random, image)
    : scrambled(random, image, images);
  return { type: image.type, coding: image.coding, bytes: bytes.subarray(0, MOST_BYTES), label };
}

/** An image after one to three changes of its parts. */
function restructured(random: Random, { type, bytes }: CodedImage): [Buffer, string] {
  const { parse, write, kinds, changes } = CONTAINERS[type];
  const general: [string, Change][] = [...Object.entries(COMMON_CHANGES), ["part renamed", renamed(kinds)]];
  const special = Object.entries(changes);
  let parts = parse(bytes);
  const done: string[] = [];
  const count = 1 + Math.floor(random() ** 2 * MOST_CHANGES);
  for (let change = 0; change < count; change += 1) {
    const [name, apply] = pick(random, chance(random, 0.7) ? special : general);
    parts = apply(random, parts);
    done.push(name);
  }
  return [write(parts), done.join(", ")];
}

function scrambled(random: Random, { bytes }: CodedImage, images: readonly CodedImage[]): [Buffer, string] {
  const at = Math.floor(random() * bytes.length);
  const head = Math.min(bytes.length, 64);
  const other = pick(random, images).bytes;
  const ways: Readonly<Record<string, () => Buffer>> = {
    // One byte at least: a frame of a sequence cannot be written without an image.
    truncated: () => bytes.subarray(0, Math.max(1, at)),
    "flipped anywhere": () => flipped(random, bytes, 1 + Math.floor(random() * 30)),
    "flipped behind the head": () =>
      Buffer.concat([
        bytes.subarray(0, head),
        flipped(random, bytes.subarray(head), 1 + Math.floor(random() * 60)),
      ]),
    spliced: () =>
      Buffer.concat([bytes.subarray(0, at), other.subarray(Math.floor(random() * other.length))]),
    "noise inserted": () =>
      Buffer.concat([bytes.subarray(0, at), randomBytes(random, 300), bytes.subarray(at)]),
    "stretch left out": () =>
      Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + Math.floor(random() * 500))]),
    "two in one": () => Buffer.concat([bytes, other]),
    "head of another": () => Buffer.concat([other.subarray(0, 12), bytes.subarray(12)]),
  };
  const [label, make] = pick(random, Object.entries(ways));
  return [make(), label];
}
