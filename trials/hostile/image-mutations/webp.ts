import { flipped, pick } from "@colophon/testing/chance.ts";
import { type Container, hostileSide, type Part, withField, withPart } from "./parts.ts";

const CODED = ["VP8 ", "VP8L"];
/** Bytes of an animation frame before its own chunks. */
const FRAME_HEAD = 16;

/** WebP (RFC 9649) as chunks; the outer length and the padding are made to fit when written. */
export const webp: Container = {
  parse,
  write,
  kinds: [...CODED, "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF", "XMP ", "FRGM"],
  changes: {
    "extended flags": (random, parts) =>
      withPart(random, withExtension(parts), ["VP8X"], (part) => ({
        ...part,
        body: withField(part.body, 0, 1, Math.floor(random() * 256)),
      })),
    canvas: (random, parts) =>
      withPart(random, withExtension(parts), ["VP8X"], (part) => {
        const at = pick(random, [4, 7]);
        return { ...part, body: withField(part.body, at, 3, hostileSide(random, 96), true) };
      }),
    "coded size": (random, parts) =>
      withPart(random, parts, CODED, (part) => {
        const at = part.kind === "VP8L" ? pick(random, [1, 2, 3]) : pick(random, [6, 8]);
        return { ...part, body: withField(part.body, at, 2, hostileSide(random, 96), true) };
      }),
    "coded head": (random, parts) =>
      withPart(random, parts, CODED, (part) => ({
        ...part,
        body: Buffer.concat([flipped(random, part.body.subarray(0, 24), 2), part.body.subarray(24)]),
      })),
    "coded data": (random, parts) =>
      withPart(random, parts, [...CODED, "ALPH", "ANMF"], (part) => ({
        ...part,
        body: Buffer.concat([part.body.subarray(0, 24), flipped(random, part.body.subarray(24), 12)]),
      })),
    "alpha head": (random, parts) => {
      const alpha: Part = {
        kind: "ALPH",
        body: Buffer.from([Math.floor(random() * 256), ...flipped(random, Buffer.alloc(400), 200)]),
      };
      const extended = withPart(random, withExtension(parts), ["VP8X"], (part) => ({
        ...part,
        body: withField(part.body, 0, 1, (part.body[0] ?? 0) | 0x10),
      }));
      const at = extended.findIndex(({ kind }) => CODED.includes(kind));
      return extended.toSpliced(Math.max(1, at), 0, alpha);
    },
    "frame place": (random, parts) =>
      withPart(random, parts, ["ANMF"], (part) => {
        const at = 3 * Math.floor(random() * 5);
        return {
          ...part,
          body: withField(part.body, at, 3, pick(random, [0, 1, 47, 96, 16_383, 0xffffff]), true),
        };
      }),
    "frame within a frame": (random, parts) =>
      withPart(random, parts, ["ANMF"], (part) => ({
        ...part,
        body: Buffer.concat([part.body.subarray(0, FRAME_HEAD), chunk(part), part.body.subarray(FRAME_HEAD)]),
      })),
  },
};

function parse(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const length = file.readUInt32LE(at + 4);
    parts.push({ kind: file.toString("latin1", at, at + 4), body: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return parts;
}

function chunk({ kind, body, claimed }: Part): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, "latin1");
  head.writeUInt32LE(claimed ?? body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function write(parts: readonly Part[]): Buffer {
  const chunks = Buffer.concat(parts.map(chunk));
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(chunks.length + 4, 4);
  return Buffer.concat([head, chunks]);
}

/** The parts after an extended header; one is made where a simple file has none. */
function withExtension(parts: readonly Part[]): readonly Part[] {
  if (parts.some(({ kind }) => kind === "VP8X")) return parts;
  const body = Buffer.alloc(10);
  body.writeUIntLE(95, 4, 3);
  body.writeUIntLE(71, 7, 3);
  return [{ kind: "VP8X", body }, ...parts];
}
