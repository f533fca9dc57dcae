import { crc32, deflateSync, inflateSync } from "node:zlib";
import { chance, flipped, pick, randomBytes } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import {
  type Change,
  type Container,
  numberAt,
  hostileSide,
  type Part,
  withField,
  withPart,
} from "./parts.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What a compressed text unfolds to. */
const UNFOLDED_BYTES = 4_000_000;

/** PNG, third edition, animations included, as chunks; checksums are made to fit when written. */
export const png: Container = {
  parse,
  write,
  kinds: [
    "IHDR",
    "PLTE",
    "IDAT",
    "IEND",
    "tRNS",
    "gAMA",
    "cHRM",
    "sRGB",
    "iCCP",
    "bKGD",
    "hIST",
    "acTL",
    "fcTL",
    "fdAT",
    "eXIf",
    "iTXt",
    "zTXt",
    "CgBI",
  ],
  changes: {
    dimensions: (random, parts) =>
      withPart(random, parts, ["IHDR"], (header) => {
        const at = pick(random, [0, 4]);
        return {
          ...header,
          body: withField(header.body, at, 4, hostileSide(random, numberAt(header.body, at, 4))),
        };
      }),
    "header field": (random, parts) =>
      withPart(random, parts, ["IHDR"], (header) => ({
        ...header,
        body: withField(
          header.body,
          8 + Math.floor(random() * 5),
          1,
          pick(random, [0, 1, 2, 3, 4, 6, 8, 16, 255]),
        ),
      })),
    "rows flipped": ofRows((random, rows) => flipped(random, rows, 1 + Math.floor(random() * 60))),
    "rows too few": ofRows((random, rows) => rows.subarray(0, Math.floor(random() * rows.length))),
    "rows too many": ofRows((random, rows) =>
      Buffer.concat(Array.from({ length: 2 + Math.floor(random() * 30) }, () => rows)),
    ),
    "data in slivers": (random, parts) =>
      parts.flatMap((part) => (part.kind === "IDAT" ? slivers(random, part.body) : [part])),
    "palette size": (random, parts) => [
      ...parts.slice(0, 1),
      {
        kind: pick(random, ["PLTE", "tRNS"]),
        body: randomBytes(random, pick(random, [0, 1, 2, 3, 255, 768, 771])),
      },
      ...parts.slice(1),
    ],
    "text that unfolds": (random, parts) => {
      const packed = deflateSync(Buffer.alloc(UNFOLDED_BYTES, 0x20));
      const kind = pick(random, ["zTXt", "iCCP"]);
      return [
        ...parts.slice(0, 1),
        { kind, body: Buffer.concat([Buffer.from("a\0\0", "latin1"), packed]) },
        ...parts.slice(1),
      ];
    },
    animation: (random, parts) => {
      const control = Buffer.alloc(8);
      control.writeUInt32BE(pick(random, [0, 1, 2, 1_000, 0x7fffffff, 0xffffffff]));
      return [...parts.slice(0, 1), { kind: "acTL", body: control }, ...parts.slice(1)];
    },
    "frame field": (random, parts) =>
      withPart(random, parts, ["fcTL", "fdAT"], (frame) => ({
        ...frame,
        body: withField(
          frame.body,
          4 * Math.floor(random() * 5),
          4,
          pick(random, [0, 1, 97, 65_535, 0x7fffffff, 0xffffffff]),
        ),
      })),
    "checksum wrong": (random, parts) =>
      withPart(random, parts, null, (part) => ({ ...part, tail: randomBytes(random, 4) })),
  },
};

function parse(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = SIGNATURE.length; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    parts.push({
      kind: file.toString("latin1", at + 4, at + 8),
      body: file.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return parts;
}

function write(parts: readonly Part[]): Buffer {
  const chunks = parts.map(({ kind, body, claimed, tail }) => {
    const typed = Buffer.concat([Buffer.from(kind, "latin1"), body]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(claimed ?? body.length);
    check.writeUInt32BE(crc32(typed));
    return Buffer.concat([length, typed, tail ?? check]);
  });
  return Buffer.concat([SIGNATURE, ...chunks]);
}

/** The parts with what the image data unfolds to changed and folded again; unchanged once it no longer unfolds. */
function ofRows(change: (random: Random, rows: Buffer) => Buffer): Change {
  return (random, parts) => {
    const first = parts.findIndex(({ kind }) => kind === "IDAT");
    if (first < 0) return parts;
    const data = Buffer.concat(parts.filter(({ kind }) => kind === "IDAT").map(({ body }) => body));
    const rows = unfolded(data);
    if (rows === null) return parts;
    const others = parts.filter(({ kind }, at) => kind !== "IDAT" || at === first);
    return others.with(
      others.findIndex(({ kind }) => kind === "IDAT"),
      {
        kind: "IDAT",
        body: deflateSync(change(random, rows)),
      },
    );
  };
}

function unfolded(data: Buffer): Buffer | null {
  try {
    return inflateSync(data, { maxOutputLength: UNFOLDED_BYTES });
  } catch {
    return null;
  }
}

function slivers(random: Random, data: Buffer): Part[] {
  const size = pick(random, [1, 2, 17]);
  const count = Math.min(2_000, Math.ceil(data.length / size));
  const pieces = Array.from({ length: count }, (_, at) => data.subarray(at * size, (at + 1) * size));
  if (chance(random, 0.5)) pieces.push(Buffer.alloc(0));
  return [...pieces, data.subarray(count * size)].map((body) => ({ kind: "IDAT", body }));
}

/** A PNG as the first frame of an animation whose second frame is another of the same size. */
export function animated(first: Buffer, second: Buffer): Buffer {
  const parts = parse(first);
  const [header] = parts;
  if (header === undefined) return first;
  const control = (sequence: number): Part => {
    const body = Buffer.alloc(26);
    body.writeUInt32BE(sequence, 0);
    header.body.copy(body, 4, 0, 8);
    body.writeUInt16BE(1, 20);
    body.writeUInt16BE(10, 22);
    return { kind: "fcTL", body };
  };
  const animation: Part = { kind: "acTL", body: Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]) };
  const data = parse(second).filter(({ kind }) => kind === "IDAT");
  const frames = data.map(({ body }, at): Part => {
    const sequence = Buffer.alloc(4);
    sequence.writeUInt32BE(2 + at);
    return { kind: "fdAT", body: Buffer.concat([sequence, body]) };
  });
  const end = parts.at(-1);
  return write([
    header,
    animation,
    control(0),
    ...parts.slice(1, -1),
    control(1),
    ...frames,
    ...(end ? [end] : []),
  ]);
}
