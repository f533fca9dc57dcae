import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  concat,
  embeddedMetadata,
  fromBase64,
  fromUtf8,
  isHash,
  joined,
  readCbor,
  sequenceHash,
  toBase64,
  toUtf8,
  uint16,
  uint32,
} from "../src/index.ts";

test("base64 round trips and agrees with the platform", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = toBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64"));
      expect(fromBase64(text)).toEqual(new Uint8Array(bytes));
    }),
  );
  const large = new Uint8Array(100_000).map((_, i) => i * 31);
  expect(fromBase64(toBase64(large))).toEqual(large);
});

test.each(["A", "AA", "AA=", "AAA", "AB==", "AAB=", " AAAA", "AA\nAA", "AA-_", "====", "AAAA=", "é==="])(
  "base64 %j is refused",
  (text) => {
    expect(() => fromBase64(text)).toThrow(SyntaxError);
  },
);

/** A segment of a JPEG. */
function segment(marker: number, content: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(0xff, marker), uint16(content.length + 2), content);
}

test("a file of as many pieces as are looked at is read, and joins them", () => {
  const resource = concat(toUtf8("8BIM"), uint16(0x0404), uint16(0), uint32(4), toUtf8("2222"));
  const first = segment(0xed, concat(toUtf8("Photoshop 3.0\0"), resource));
  const empty = segment(0xed, toUtf8("Photoshop 3.0\0"));
  const segments = Array.from({ length: 65_535 }, () => empty);
  const file = joined([Uint8Array.of(0xff, 0xd8), first, ...segments]);
  expect(embeddedMetadata(file).iim).toEqual(toUtf8("2222"));
  const chunks = joined([Uint8Array.of(0x5f), new Uint8Array(65_000).fill(0x40), Uint8Array.of(0xff)]);
  expect(readCbor(chunks)).toEqual(new Uint8Array());
});

test("a sequence of any length has its hash", () => {
  const originalImageHash = "0".repeat(64);
  const bodies = Array.from({ length: 100_000 }, (_, at) => ({ frameId: at + 1, originalImageHash }));
  expect(isHash(sequenceHash(bodies))).toBe(true);
});

test("a hash is 64 lowercase hex characters", () => {
  expect(isHash("0123456789abcdef".repeat(4))).toBe(true);
  for (const text of [
    "",
    "a".repeat(63),
    "a".repeat(65),
    "A".repeat(64),
    `${"a".repeat(64)}\n`,
    "g".repeat(64),
  ]) {
    expect(isHash(text)).toBe(false);
  }
});

test("UTF-8 is strict and keeps a byte order mark", () => {
  expect(fromUtf8(toUtf8("\uFEFFé"))).toBe("\uFEFFé");
  expect(() => fromUtf8(Uint8Array.of(0xc0, 0x80))).toThrow(TypeError);
});

test("integers are big-endian and never cut", () => {
  expect(uint16(0x0102)).toEqual(Uint8Array.of(1, 2));
  expect(uint32(0xfffefdfc)).toEqual(Uint8Array.of(0xff, 0xfe, 0xfd, 0xfc));
  for (const value of [-1, 0.5, 0x1_0000, Number.NaN]) expect(() => uint16(value)).toThrow(RangeError);
  for (const value of [-1, 0.5, 0x1_0000_0000]) expect(() => uint32(value)).toThrow(RangeError);
});
