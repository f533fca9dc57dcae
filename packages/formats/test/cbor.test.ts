import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CborMap, CborTagged, type CborValue, fromHex, readCbor } from "../src/index.ts";

const map = (...entries: [CborValue, CborValue][]): CborMap => new CborMap(entries);

/** Examples of RFC 8949, appendix A. */
const EXAMPLES: readonly (readonly [hex: string, value: CborValue])[] = [
  ["00", 0],
  ["1818", 24],
  ["1903e8", 1000],
  ["1a000f4240", 1_000_000],
  ["1b000000e8d4a51000", 1_000_000_000_000],
  ["1bffffffffffffffff", 18_446_744_073_709_551_615n],
  ["3bffffffffffffffff", -18_446_744_073_709_551_616n],
  ["20", -1],
  ["3903e7", -1000],
  ["f90000", 0],
  ["f93c00", 1],
  ["fb3ff199999999999a", 1.1],
  ["f97bff", 65_504],
  ["fa47c35000", 100_000],
  ["f90001", 5.960464477539063e-8],
  ["f9c400", -4],
  ["f97c00", Infinity],
  ["f97e00", Number.NaN],
  ["f4", false],
  ["f5", true],
  ["f6", null],
  ["f7", undefined],
  ["c074323031332d30332d32315432303a30343a30305a", new CborTagged(0, "2013-03-21T20:04:00Z")],
  ["d74401020304", new CborTagged(23, fromHex("01020304"))],
  ["40", fromHex("")],
  ["62c3bc", "ü"],
  ["8301820203820405", [1, [2, 3], [4, 5]]],
  ["a201020304", map([1, 2], [3, 4])],
  ["a26161016162820203", map(["a", 1], ["b", [2, 3]])],
  ["5f42010243030405ff", fromHex("0102030405")],
  ["7f657374726561646d696e67ff", "streaming"],
  ["9f018202039f0405ffff", [1, [2, 3], [4, 5]]],
  ["bf61610161629f0203ffff", map(["a", 1], ["b", [2, 3]])],
];

describe("values", () => {
  test.each(EXAMPLES)("%s", (hex, value) => {
    expect(readCbor(fromHex(hex))).toEqual(value);
  });
});

describe("what is not one item is refused", () => {
  test.each([
    ["nothing", ""],
    ["cut short", "1903"],
    ["two items", "0000"],
    ["an array that claims more than there is", "9bffffffffffffffff"],
    ["a string that claims more than there is", "5a7fffffff00"],
    ["no break", "9f01"],
    ["a break alone", "ff"],
    ["a chunk of another kind", "5f6161ff"],
    ["text that is not UTF-8", "61ff"],
    ["nesting without end", "81".repeat(100)],
    ["a simple value of no meaning", "f0"],
    ["more items than there is room for", `9a00010000${"00".repeat(65_536)}`],
    ["as many in pairs", `ba00008000${"00".repeat(65_536)}`],
    ["as many until a break", `9f${"00".repeat(65_536)}ff`],
    ["as many chunks", `5f${"40".repeat(65_536)}ff`],
  ])("%s", (_, hex) => {
    expect(() => readCbor(fromHex(hex))).toThrow(SyntaxError);
  });

  test("with the room that is left by others", () => {
    const room = { items: 6 };
    expect(readCbor(fromHex("83000000"), room)).toEqual([0, 0, 0]);
    expect(() => readCbor(fromHex("820000"), room)).toThrow(SyntaxError);
  });

  test("whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(outcome(bytes)).not.toBe("another error");
      }),
    );
  });
});

function outcome(bytes: Uint8Array): "read" | "refused" | "another error" {
  try {
    readCbor(bytes);
    return "read";
  } catch (error) {
    return error instanceof SyntaxError ? "refused" : "another error";
  }
}
