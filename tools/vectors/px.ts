import {
  blake3,
  blake3Hex,
  concat,
  encodeFrame,
  frameHash,
  fromHex,
  type PxFrame,
  type PxRule,
  sequenceHash,
  toHex,
  toUtf8,
  uint16,
  uint32,
} from "@colophon/formats";

const SEQUENCE = "0f9a3c5e-7b21-4d68-9e02-a1b2c3d4e5f6";
const NONE = 0xffffffff;

const FRAMES: readonly (readonly [name: string, frame: PxFrame])[] = [
  ["HEAD", { type: "HEAD", sequenceId: SEQUENCE, frameId: 0, prev: null, next: null }],
  ["BODY with an image", body(1, 0, 2, toUtf8("any bytes stand for an image"))],
  ["BODY with an image of one byte", body(7, 3, 9, Uint8Array.of(0xff))],
  ["BODY without an image", body(2, 1, 3, null)],
  ["BODY with the widest span", body(1, 0, 0xfffffffe, null)],
  ["END", { type: "END", sequenceId: SEQUENCE, frameId: 3, prev: 2, next: null }],
  [
    "END with the highest id",
    { type: "END", sequenceId: SEQUENCE, frameId: 0xfffffffe, prev: 0, next: null },
  ],
  ["GAP of one frame", gap(5, 5, 4, 6)],
  ["GAP of many frames", gap(1, 99, 0, 104)],
];

function body(frameId: number, prev: number, next: number, image: Uint8Array | null): PxFrame {
  return { type: "BODY", sequenceId: SEQUENCE, frameId, prev, next, image };
}

function gap(from: number, to: number, prev: number, next: number): PxFrame {
  return { type: "GAP", sequenceId: SEQUENCE, frameId: from, prev, next, from, to };
}

/** A frame of each type, with its container and frame hash. */
export function pxFrameVectors(): object {
  return FRAMES.map(([name, frame]) => {
    const container = encodeFrame(frame);
    const { sequenceId, ...fields } = frame;
    const image = frame.type === "BODY" ? { image: frame.image && toHex(frame.image) } : {};
    return {
      name,
      sequenceId,
      ...fields,
      ...image,
      container: toHex(container),
      frameHash: frameHash(container),
    };
  });
}

/** Sequence hashes of BODY frames in walk order. */
export function sequenceHashVectors(): object {
  const original = (frameId: number): { frameId: number; originalImageHash: string } => ({
    frameId,
    originalImageHash: blake3Hex(uint32(frameId)),
  });
  return [[1], [1, 2, 3], [3, 4000000000]].map((ids) => ({
    bodies: ids.map(original),
    sequenceHash: sequenceHash(ids.map(original)),
  }));
}

/** A container's fields, any of which may break a rule; written as given, with a trailer that is right. */
interface Layout {
  readonly magic: string;
  readonly version: number;
  readonly type: number;
  readonly count: number;
  readonly id: number;
  readonly prev: number;
  readonly next: number;
  /** Rows of the bucket table: kind, offset, length. */
  readonly table: readonly (readonly [kind: string, offset: number, length: number])[];
  readonly content: Uint8Array;
}

const NAMES = { HEAD: 1, BODY: 2, END: 3, GAP: 4 } as const;
const EMPTY = new Uint8Array();
const PLAIN: Layout = {
  magic: "8950580a",
  version: 1,
  type: NAMES.BODY,
  count: 0,
  id: 2,
  prev: 1,
  next: 3,
  table: [],
  content: EMPTY,
};
const IMAGE: Layout = { ...PLAIN, count: 1, table: [["IMAG", 48, 4]], content: toUtf8("pict") };
const GAP: Layout = {
  ...PLAIN,
  type: NAMES.GAP,
  id: 2,
  next: 6,
  count: 1,
  table: [["GAPR", 48, 8]],
  content: concat(uint32(2), uint32(5)),
};
const HEAD: Layout = { ...PLAIN, type: NAMES.HEAD, id: 0, prev: NONE, next: NONE };
const END: Layout = { ...PLAIN, type: NAMES.END, next: NONE };

function write(layout: Layout): Uint8Array {
  const signed = concat(
    fromHex(layout.magic),
    Uint8Array.of(layout.version, layout.type),
    uint16(layout.count),
    fromHex(SEQUENCE.replaceAll("-", "")),
    uint32(layout.id),
    uint32(layout.prev),
    uint32(layout.next),
    ...layout.table.map(([kind, offset, length]) => concat(toUtf8(kind), uint32(offset), uint32(length))),
    layout.content,
  );
  return concat(signed, blake3(signed));
}

type Malformed = readonly [rule: PxRule, name: string, container: Uint8Array];

function written(rule: PxRule, name: string, base: Layout, changes: Partial<Layout>): Malformed {
  return [rule, name, write({ ...base, ...changes })];
}

function headers(): Malformed[] {
  return [
    ...["0950580a", "8950580d", "8951580a", "00000000", "0a585089"].map((magic) =>
      written("magic", `magic ${magic}`, IMAGE, { magic }),
    ),
    ...[0, 2, 255].map((version) => written("version", `version ${version}`, IMAGE, { version })),
    ...[0, 5, 128, 255].map((type) => written("type", `type ${type}`, IMAGE, { type })),
  ];
}

function sizes(): Malformed[] {
  const whole = write(IMAGE);
  const cut = [0, 1, 4, 35, 36, 67].map(
    (length): Malformed => ["size", `cut to ${length} bytes`, whole.subarray(0, length)],
  );
  return [
    ...cut,
    ["bucketBounds", "cut by one byte", whole.subarray(0, -1)],
    ["size", "a byte after the trailer of a frame without buckets", concat(write(PLAIN), Uint8Array.of(0))],
    ["size", "a byte after the trailer", concat(whole, Uint8Array.of(0))],
    written("size", "a byte after the buckets", IMAGE, { content: toUtf8("pict+") }),
    written("size", "bytes without a bucket", PLAIN, { content: toUtf8("pict") }),
    written("size", "two containers' contents", IMAGE, { content: toUtf8("pictpict") }),
  ];
}

function tables(): Malformed[] {
  const row = (kind: string, offset: number, length: number): Partial<Layout> => ({
    table: [[kind, offset, length]],
  });
  const offsets = [0, 36, 47, 49, 52, 0x7fffffff, 0x80000000, NONE];
  const lengths = [5, 36, 0x7fffffff, 0x80000000, NONE - 47, NONE];
  const kinds = ["imag", "IMG ", "\0\0\0\0", "GAP\0", "PIXL", "GAMI"];
  return [
    ...offsets.map((offset) =>
      written("bucketBounds", `bucket offset ${offset}`, IMAGE, row("IMAG", offset, 4)),
    ),
    ...lengths.map((length) =>
      written("bucketBounds", `bucket length ${length}`, IMAGE, row("IMAG", 48, length)),
    ),
    ...[0, 1, 3].map((length) =>
      written("size", `bucket length ${length} of 4`, IMAGE, row("IMAG", 48, length)),
    ),
    ...kinds.map((kind) =>
      written("bucketKind", `bucket kind ${JSON.stringify(kind)}`, IMAGE, row(kind, 48, 4)),
    ),
    written("bucketBounds", "an empty image", IMAGE, { ...row("IMAG", 48, 0), content: EMPTY }),
    written("bucketRepeated", "two images", IMAGE, {
      count: 2,
      table: [
        ["IMAG", 60, 2],
        ["IMAG", 62, 2],
      ],
    }),
    written("bucketBounds", "overlapping buckets", IMAGE, {
      count: 2,
      table: [
        ["IMAG", 60, 4],
        ["GAPR", 60, 4],
      ],
    }),
    written("bucketBounds", "a hole between buckets", IMAGE, {
      count: 2,
      table: [
        ["IMAG", 60, 1],
        ["GAPR", 62, 2],
      ],
    }),
    ...[1, 2, 3, 255, 256, 65535].map((count) =>
      written("bucketBounds", `${count} buckets, no table`, PLAIN, { count }),
    ),
    written("bucketKind", "a table read from the content", IMAGE, {
      count: 2,
      ...row("IMAG", 60, 4),
      content: new Uint8Array(16),
    }),
    written("bucketsOfType", "a HEAD with an image", { ...HEAD, ...only(IMAGE) }, {}),
    written("bucketsOfType", "an END with an image", { ...END, ...only(IMAGE) }, {}),
    written("bucketsOfType", "an END with a gap range", { ...END, ...only(GAP) }, {}),
    written("bucketsOfType", "a BODY with a gap range", { ...PLAIN, ...only(GAP) }, {}),
    written("bucketsOfType", "a GAP with an image", { ...GAP, ...only(IMAGE) }, {}),
    written("bucketsOfType", "a GAP without a range", GAP, { count: 0, table: [], content: EMPTY }),
    written("bucketsOfType", "a BODY with an image and a gap range", IMAGE, {
      count: 2,
      table: [
        ["IMAG", 60, 4],
        ["GAPR", 64, 8],
      ],
      content: new Uint8Array(12),
    }),
  ];
}

function only({ count, table, content }: Layout): Pick<Layout, "count" | "table" | "content"> {
  return { count, table, content };
}

function links(): Malformed[] {
  const broken = (name: string, base: Layout, changes: Partial<Layout>): Malformed =>
    written("links", name, base, changes);
  return [
    broken("a HEAD with a prev", HEAD, { prev: 0 }),
    broken("a HEAD with a next", HEAD, { next: 1 }),
    broken("a BODY without a prev", IMAGE, { prev: NONE }),
    broken("a BODY without a next", IMAGE, { next: NONE }),
    broken("a BODY without links", IMAGE, { prev: NONE, next: NONE }),
    broken("a BODY whose prev is itself", IMAGE, { prev: 2 }),
    broken("a BODY whose next is itself", IMAGE, { next: 2 }),
    broken("a BODY whose prev comes after it", IMAGE, { prev: 3, next: 4 }),
    broken("a BODY whose next comes before it", IMAGE, { prev: 0, next: 1 }),
    broken("a BODY with its links exchanged", IMAGE, { prev: 3, next: 1 }),
    broken("a BODY of id 0", IMAGE, { id: 0, prev: 0, next: 1 }),
    broken("an END without a prev", END, { prev: NONE }),
    broken("an END with a next", END, { next: 3 }),
    broken("an END whose prev is itself", END, { prev: 2 }),
    broken("an END whose prev comes after it", END, { prev: 3 }),
    broken("an END of id 0", END, { id: 0, prev: 0 }),
    broken("a GAP without a prev", GAP, { prev: NONE }),
    broken("a GAP without a next", GAP, { next: NONE }),
    broken("a GAP whose prev is itself", GAP, { prev: 2 }),
    broken("a GAP whose next is itself", GAP, { next: 2 }),
    written("frameId", "a HEAD of id 1", HEAD, { id: 1 }),
    written("frameId", "a HEAD of no id", HEAD, { id: NONE }),
    written("frameId", "a BODY of no id", IMAGE, { id: NONE, next: NONE - 1 }),
    written("frameId", "an END of no id", END, { id: NONE }),
  ];
}

function ranges(): Malformed[] {
  const range = (from: number, to: number): Partial<Layout> => ({
    content: concat(uint32(from), uint32(to)),
  });
  const sized = (size: number): Partial<Layout> => ({
    table: [["GAPR", 48, size]],
    content: new Uint8Array(size),
  });
  return [
    written("gapRange", "a range that starts before the GAP's id", GAP, range(1, 5)),
    written("gapRange", "a range that starts after the GAP's id", GAP, range(3, 5)),
    written("gapRange", "a range that ends before it starts", GAP, range(2, 1)),
    written("gapRange", "a range that reaches the next frame", GAP, range(2, 6)),
    written("gapRange", "a range past the next frame", GAP, range(2, NONE)),
    ...[0, 4, 7, 9, 16].map((size) => written("gapRange", `a range of ${size} bytes`, GAP, sized(size))),
  ];
}

function trailers(): Malformed[] {
  // Bytes of the sequence id, the image and the trailer: nothing but the trailer tells that they changed.
  const flipped = [8, 20, 23, 48, 51, 52, 60, 83].map((at): Malformed => {
    const container = write(IMAGE);
    container[at] = (container[at] ?? 0) ^ 1;
    return ["trailer", `byte ${at} changed`, container];
  });
  return [...flipped, ["trailer", "a trailer of zeros", write(IMAGE).fill(0, -32)]];
}

/** Containers that are not valid, each with the rule it breaks. */
export function pxMalformedVectors(): object {
  const all = [headers(), sizes(), tables(), links(), ranges(), trailers()].flat();
  return all.map(([rule, name, container]) => ({ rule, name, container: toHex(container) }));
}
