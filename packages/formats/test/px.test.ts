import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeFrame,
  frameHash,
  fromHex,
  MAX_FRAME_ID,
  PxError,
  type PxFrame,
  readFrame,
  sequenceHash,
  toHex,
  uuidFromBytes,
  uuidToBytes,
} from "../src/index.ts";

interface FrameVector {
  readonly name: string;
  readonly container: string;
  readonly frameHash: string;
  readonly image?: string | null;
}

interface MalformedVector {
  readonly rule: string;
  readonly name: string;
  readonly container: string;
}

interface SequenceVector {
  readonly bodies: { frameId: number; originalImageHash: string }[];
  readonly sequenceHash: string;
}

function vectors(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../vectors/px/${name}.json`, import.meta.url), "utf8"));
}

const frames = vectors("frames") as FrameVector[];
const malformed = vectors("malformed") as MalformedVector[];
const sequences = vectors("sequence-hash") as SequenceVector[];

function ruleBroken(container: Uint8Array): string {
  try {
    readFrame(container);
    return "none";
  } catch (error) {
    if (error instanceof PxError) return error.rule;
    throw error;
  }
}

describe("vectors", () => {
  test.each(frames)("$name", ({ name: _name, container, frameHash: hash, image, ...fields }) => {
    const read = readFrame(fromHex(container));
    const expected = image === undefined ? fields : { ...fields, image: image && fromHex(image) };
    expect(read).toEqual({ frame: expected, frameHash: hash });
    expect(toHex(encodeFrame(read.frame))).toBe(container);
    expect(frameHash(fromHex(container))).toBe(hash);
  });

  test("a good hundred malformed containers, no two alike", () => {
    expect(malformed.length).toBeGreaterThan(100);
    expect(new Set(malformed.map(({ container }) => container)).size).toBe(malformed.length);
  });

  test.each(malformed)("$name breaks $rule", ({ container, rule }) => {
    expect(ruleBroken(fromHex(container))).toBe(rule);
  });

  test.each(sequences)("a sequence hash", ({ bodies, sequenceHash: hash }) => {
    expect(sequenceHash(bodies)).toBe(hash);
    expect(sequenceHash(bodies.toReversed()) === hash).toBe(bodies.length === 1);
  });
});

const sequenceId = fc.uuid();
const anyFrame: fc.Arbitrary<PxFrame> = fc
  .tuple(
    sequenceId,
    fc.uniqueArray(fc.integer({ min: 0, max: MAX_FRAME_ID }), { minLength: 4, maxLength: 4 }),
    fc.option(fc.uint8Array({ minLength: 1, maxLength: 100 })),
    fc.constantFrom("HEAD", "BODY", "END", "GAP"),
  )
  .map(([id, numbers, image, type]): PxFrame => {
    const [prev = 0, from = 0, to = 0, next = 0] = numbers.toSorted((a, b) => a - b);
    if (type === "HEAD") return { type, sequenceId: id, frameId: 0, prev: null, next: null };
    if (type === "END") return { type, sequenceId: id, frameId: from, prev, next: null };
    if (type === "GAP") return { type, sequenceId: id, frameId: from, prev, next, from, to };
    return { type: "BODY", sequenceId: id, frameId: from, prev, next, image: image && new Uint8Array(image) };
  });

test("every frame round trips", () => {
  fc.assert(
    fc.property(anyFrame, (frame) => {
      const container = encodeFrame(frame);
      expect(readFrame(container)).toEqual({ frame, frameHash: frameHash(container) });
    }),
    { numRuns: 300 },
  );
});

test("no changed, lost or added byte goes unseen", () => {
  const edit = fc.tuple(fc.constantFrom("flip", "cut", "insert"), fc.nat(), fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(anyFrame, edit, (frame, [kind, position, value]) => {
      const bytes = [...encodeFrame(frame)];
      const at = position % bytes.length;
      if (kind === "flip") bytes[at] = (bytes[at] ?? 0) ^ value;
      else bytes.splice(at, kind === "cut" ? 1 : 0, ...(kind === "cut" ? [] : [value]));
      expect(ruleBroken(Uint8Array.from(bytes))).not.toBe("none");
    }),
    { numRuns: 500 },
  );
});

test("any bytes are answered with a rule", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const container = Uint8Array.from([0x89, 0x50, 0x58, 0x0a, 1, ...bytes]);
      expect(ruleBroken(container)).not.toBe("none");
    }),
    { numRuns: 500 },
  );
});

test("frames that break a rule are not written", () => {
  const sound = {
    type: "BODY",
    sequenceId: "0f9a3c5e-7b21-4d68-9e02-a1b2c3d4e5f6",
    frameId: 2,
    prev: 1,
    next: 3,
    image: null,
  } as const;
  const broken: PxFrame[] = [
    { ...sound, frameId: 3 },
    { ...sound, prev: 2 },
    { ...sound, frameId: 1.5 },
    { ...sound, next: MAX_FRAME_ID + 1 },
    { ...sound, image: new Uint8Array() },
    { ...sound, type: "GAP", from: 2, to: 3 },
  ];
  for (const frame of broken) expect(() => encodeFrame(frame)).toThrow(PxError);
  expect(() => encodeFrame({ ...sound, sequenceId: "not-a-uuid" })).toThrow(SyntaxError);
});

test("a container within a larger buffer is read in place", () => {
  const container = encodeFrame({
    type: "BODY",
    sequenceId: uuidFromBytes(new Uint8Array(16)),
    frameId: 1,
    prev: 0,
    next: 2,
    image: Uint8Array.of(7, 8),
  });
  const buffer = new Uint8Array(container.length + 20);
  buffer.set(container, 10);
  const { frame } = readFrame(buffer.subarray(10, 10 + container.length));
  expect(frame).toMatchObject({ image: Uint8Array.of(7, 8) });
  expect(frame.type === "BODY" && frame.image?.buffer).toBe(buffer.buffer);
});

test("UUIDs round trip", () => {
  fc.assert(
    fc.property(sequenceId, (text) => {
      expect(uuidFromBytes(uuidToBytes(text.toUpperCase()))).toBe(text);
    }),
  );
  for (const text of ["", "0".repeat(36), "{0f9a3c5e-7b21-4d68-9e02-a1b2c3d4e5f6}"]) {
    expect(() => uuidToBytes(text)).toThrow(SyntaxError);
  }
});
