import { flipped, pick } from "@colophon/testing/chance.ts";
import { type Container, hostileSide, type Part, withField, withPart } from "./parts.ts";

const HEAD_BYTES = 13;
const EXTENSION = 0x21;
const FRAME = 0x2c;

/** GIF89a as its head with the global palette, its extensions, its frames, and the trailer. */
export const gif: Container = {
  parse,
  write: (parts) => Buffer.concat(parts.map(({ body }) => body)),
  kinds: ["extension", "frame"],
  changes: {
    screen: (random, parts) =>
      withPart(random, parts, ["head"], (part) => ({
        ...part,
        body: withField(part.body, pick(random, [6, 8]), 2, hostileSide(random, 96), true),
      })),
    "palette size": (random, parts) =>
      withPart(random, parts, ["head"], (part) => ({
        ...part,
        body: withField(part.body, 10, 1, Math.floor(random() * 256)),
      })),
    "frame's place and size": (random, parts) =>
      withPart(random, parts, ["frame"], (part) => ({
        ...part,
        body: withField(part.body, pick(random, [1, 3, 5, 7]), 2, hostileSide(random, 96), true),
      })),
    "frame's flags": (random, parts) =>
      withPart(random, parts, ["frame"], (part) => ({
        ...part,
        body: withField(part.body, 9, 1, Math.floor(random() * 256)),
      })),
    "code size": (random, parts) =>
      withPart(random, parts, ["frame"], (part) => ({
        ...part,
        body: withField(part.body, 10, 1, pick(random, [0, 1, 2, 8, 11, 12, 13, 255])),
      })),
    "coded data": (random, parts) =>
      withPart(random, parts, ["frame"], (part) => ({
        ...part,
        body: Buffer.concat([part.body.subarray(0, 12), flipped(random, part.body.subarray(12), 12)]),
      })),
  },
};

function parse(file: Buffer): Part[] {
  let at = HEAD_BYTES + paletteBytes(file[10] ?? 0);
  const parts: Part[] = [{ kind: "head", body: file.subarray(0, at) }];
  for (;;) {
    const from = at;
    if (file[at] === EXTENSION) at = blocksEnd(file, at + 2);
    else if (file[at] === FRAME) at = blocksEnd(file, at + 11 + paletteBytes(file[at + 9] ?? 0));
    else break;
    parts.push({ kind: file[from] === FRAME ? "frame" : "extension", body: file.subarray(from, at) });
  }
  return [...parts, { kind: "trailer", body: file.subarray(at) }];
}

/** How long the palette is that these flags announce. */
function paletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function blocksEnd(file: Buffer, from: number): number {
  let at = from;
  while (at < file.length && file[at] !== 0) at += 1 + (file[at] ?? 0);
  return at + 1;
}
