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

const START = Buffer.from([0xff, 0xd8]);
const FRAMES = ["c0", "c1", "c2", "c3", "c5", "c6", "c7", "c9", "ca", "cb"] as const;
const SCAN = "da";
const END = "d9";
const MOST_SCANS = 300;

/** JPEG (ITU-T T.81) as segments; a scan's entropy-coded data is its segment's tail. */
export const jpeg: Container = {
  parse,
  write,
  kinds: [...FRAMES, SCAN, END, "c4", "cc", "db", "dd", "de", "dc", "e0", "e1", "e2", "ee", "fe", "01", "d0"],
  changes: {
    dimensions: (random, parts) =>
      withPart(random, parts, FRAMES, (frame) => {
        const at = pick(random, [1, 3]);
        return {
          ...frame,
          body: withField(frame.body, at, 2, hostileSide(random, numberAt(frame.body, at, 2))),
        };
      }),
    "coding process": (random, parts) => ofProcess(parts, pick(random, FRAMES)),
    // Whatever the data is, an arithmetic decoder makes pixels of it.
    "arithmetic coding": (_random, parts) =>
      ofProcess(parts, parts.some(({ kind }) => kind === "c2") ? "ca" : "c9"),
    "frame field": fieldOf(FRAMES, [0, 1, 2, 3, 4, 8, 12, 16, 17, 0x11, 0x22, 0x41, 0x14, 0x44, 0xff]),
    "scan field": fieldOf([SCAN], [0, 1, 2, 3, 4, 0x10, 0x11, 0x33, 0x01, 0x0d, 0xd0, 63, 64, 0xff]),
    "table field": fieldOf(["c4", "db"], [0, 1, 2, 16, 0x10, 0x11, 0x13, 255]),
    "restart interval": (random, parts) => {
      const interval = Buffer.alloc(2);
      interval.writeUInt16BE(pick(random, [0, 1, 2, 7, 65_535]));
      return parts.toSpliced(Math.floor(random() * parts.length), 0, { kind: "dd", body: interval });
    },
    "scans repeated": (random, parts) => {
      const scans = parts.filter(({ kind }) => kind === SCAN);
      if (scans.length === 0) return parts;
      const scan = pick(random, scans);
      const copies = Array.from({ length: 1 + Math.floor(random() * MOST_SCANS) }, () => scan);
      return parts.toSpliced(parts.indexOf(scan), 0, ...copies);
    },
    "entropy flipped": ofEntropy((random, data) => flipped(random, data, 1 + Math.floor(random() * 12))),
    "entropy cut": ofEntropy((random, data) => data.subarray(0, Math.floor(random() * data.length))),
    "restarts inserted": ofEntropy((random, data) => {
      const at = Math.floor(random() * data.length);
      const markers = Array.from({ length: 1 + Math.floor(random() * 40) }, () => [
        0xff,
        0xd0 + Math.floor(random() * 8),
      ]);
      return Buffer.concat([data.subarray(0, at), Buffer.from(markers.flat()), data.subarray(at)]);
    }),
    "thumbnail of its own": (_random, parts) => [exifThumbnail(write(parts)), ...parts],
    "profile in pieces": (random, parts) => [...profilePieces(random), ...parts],
    "colour transform": (random, parts) => [
      {
        kind: "ee",
        body: Buffer.concat([
          Buffer.from("Adobe\0\x64\0\0\0\0", "latin1"),
          Buffer.from([pick(random, [0, 1, 2, 3, 255])]),
        ]),
      },
      ...parts,
    ],
  },
};

function parse(file: Buffer): Part[] {
  const parts: Part[] = [];
  let at = START.length;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const kind = file.subarray(at + 1, at + 2).toString("hex");
    if (kind === END) break;
    const length = file.readUInt16BE(at + 2);
    const body = file.subarray(at + 4, at + 2 + length);
    at += 2 + length;
    const end = kind === SCAN ? entropyEnd(file, at) : at;
    parts.push({ kind, body, tail: file.subarray(at, end) });
    at = end;
  }
  return [...parts, { kind: END, body: Buffer.alloc(0) }];
}

/** Where the next marker that is neither a restart nor a stuffed byte begins. */
function entropyEnd(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at += 1) {
    const next = file[at + 1] ?? 0;
    if (file[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return file.length;
}

function write(parts: readonly Part[]): Buffer {
  const written = parts.map(({ kind, body, claimed, tail = Buffer.alloc(0) }) => {
    const marker = Buffer.from(`ff${kind}`, "hex");
    if (kind === END || kind === "01" || kind === "d0") return Buffer.concat([marker, tail]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE((claimed ?? body.length + 2) & 0xffff);
    return Buffer.concat([marker, length, body, tail]);
  });
  return Buffer.concat([START, ...written]);
}

function ofProcess(parts: readonly Part[], process: string): readonly Part[] {
  return parts.map((part) =>
    FRAMES.some((frame) => frame === part.kind) ? { ...part, kind: process } : part,
  );
}

function fieldOf(kinds: readonly string[], values: readonly number[]): Change {
  return (random, parts) =>
    withPart(random, parts, kinds, (part) => ({
      ...part,
      body: withField(part.body, Math.floor(random() * part.body.length), 1, pick(random, values)),
    }));
}

function ofEntropy(change: (random: Random, data: Buffer) => Buffer): Change {
  return (random, parts) =>
    withPart(random, parts, [SCAN], (part) => ({
      ...part,
      tail: change(random, part.tail ?? Buffer.alloc(0)),
    }));
}

/** An EXIF segment whose second directory holds a JPEG as the picture's thumbnail. */
export function exifThumbnail(thumbnail: Buffer): Part {
  const tiff = Buffer.alloc(8 + 18 + 30);
  tiff.write("MM\0*", "latin1");
  tiff.writeUInt32BE(8, 4);
  const entry = (at: number, tag: number, type: number, value: number): void => {
    tiff.writeUInt16BE(tag, at);
    tiff.writeUInt16BE(type, at + 2);
    tiff.writeUInt32BE(1, at + 4);
    tiff.writeUInt32BE(type === 3 ? value << 16 : value, at + 8);
  };
  tiff.writeUInt16BE(1, 8);
  entry(10, 0x0112, 3, 6);
  tiff.writeUInt32BE(26, 22);
  tiff.writeUInt16BE(2, 26);
  entry(28, 0x0201, 4, tiff.length);
  entry(40, 0x0202, 4, thumbnail.length);
  return {
    kind: "e1",
    body: Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff, thumbnail]).subarray(0, 65_533),
  };
}

/** A colour profile in numbered segments, whose numbers seldom add up. */
function profilePieces(random: Random): Part[] {
  const count = 1 + Math.floor(random() * 5);
  return Array.from({ length: count }, (_, at) => {
    const numbers = Buffer.from([chance(random, 0.5) ? at + 1 : pick(random, [0, 1, 255]), count]);
    return {
      kind: "e2",
      body: Buffer.concat([Buffer.from("ICC_PROFILE\0", "latin1"), numbers, randomBytes(random, 200)]),
    };
  });
}
