import { chance, pick } from "@colophon/testing/chance.ts";
import { type Container, numberAt, hostileSide, type Part, withField, withPart } from "./parts.ts";

const ENTRY_BYTES = 12;
const WIDTH = 0x0100;
const HEIGHT = 0x0101;
const COMPRESSIONS = [1, 2, 3, 4, 5, 6, 7, 8, 32_773, 32_946, 34_676, 34_677, 34_712, 50_000, 50_001];

/**
 * TIFF 6.0, little-endian, as its bytes before the first directory, that directory's entries, and the bytes after it.
 */
export const tiff: Container = {
  parse,
  write,
  kinds: ["entry"],
  changes: {
    dimensions: (random, parts) =>
      withPart(random, parts, ["entry"], (part) => {
        const sided = withField(part.body, 0, 2, pick(random, [WIDTH, HEIGHT]), true);
        return { ...part, body: withField(sided, 8, 4, hostileSide(random, 96), true) };
      }),
    compression: (random, parts) =>
      parts.map((part) =>
        part.kind === "entry" && numberAt(part.body, 0, 2, true) === 0x0103
          ? { ...part, body: withField(part.body, 8, 2, pick(random, COMPRESSIONS), true) }
          : part,
      ),
    "entry's tag": (random, parts) =>
      withPart(random, parts, ["entry"], (part) => ({
        ...part,
        body: withField(part.body, 0, 2, 254 + Math.floor(random() * 280), true),
      })),
    "entry's type": (random, parts) =>
      withPart(random, parts, ["entry"], (part) => ({
        ...part,
        body: withField(part.body, 2, 2, Math.floor(random() * 20), true),
      })),
    "entry's count": (random, parts) =>
      withPart(random, parts, ["entry"], (part) => ({
        ...part,
        body: withField(part.body, 4, 4, pick(random, [0, 1, 2, 1_000, 0x10000000, 0xffffffff]), true),
      })),
    "entry's value": (random, parts) =>
      withPart(random, parts, ["entry"], (part) => ({
        ...part,
        body: withField(
          part.body,
          8,
          4,
          pick(random, [0, 1, 8, 9, 255, 65_535, 0x7fffffff, 0xffffffff]),
          true,
        ),
      })),
    "directories in a ring": (random, parts) =>
      withPart(random, parts, ["after"], (part) => ({
        ...part,
        body: withField(part.body, 0, 4, chance(random, 0.5) ? directoryAt(parts) : 8, true),
      })),
  },
};

function parse(file: Buffer): Part[] {
  const at = file.readUInt32LE(4);
  const count = file.readUInt16LE(at);
  const end = at + 2 + count * ENTRY_BYTES;
  const entries = Array.from({ length: count }, (_, index): Part => {
    const from = at + 2 + index * ENTRY_BYTES;
    return { kind: "entry", body: file.subarray(from, from + ENTRY_BYTES) };
  });
  return [
    { kind: "before", body: file.subarray(0, at) },
    ...entries,
    { kind: "after", body: file.subarray(end) },
  ];
}

function directoryAt(parts: readonly Part[]): number {
  return parts.find(({ kind }) => kind === "before")?.body.length ?? 8;
}

/** Entries that were added or dropped shift what lies behind the directory, so that offsets there go astray. */
function write(parts: readonly Part[]): Buffer {
  const entries = parts.filter(({ kind }) => kind === "entry");
  const count = Buffer.alloc(2);
  count.writeUInt16LE((entries[0]?.claimed ?? entries.length) & 0xffff);
  const of = (kind: string): Buffer =>
    Buffer.concat(parts.filter((part) => part.kind === kind).map(({ body }) => body));
  return Buffer.concat([of("before"), count, of("entry"), of("after")]);
}
