import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fromHex, opensWithSuperbox, toHex, toUtf8, unwrapJson, wrapJson } from "../src/index.ts";

const kind = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);

test("a wrapped manifest is laid out as ISO 19566-5 says", () => {
  const box = wrapJson("ab", toUtf8("{}"));
  expect(toHex(box)).toBe(
    [
      "0000002e6a756d62",
      "0000001c6a756d64",
      "6a736f6e00110010800000aa00389b71",
      "03616200",
      "0000000a6a736f6e7b7d",
    ].join(""),
  );
});

test("wrapping and unwrapping give the bytes back", () => {
  fc.assert(
    fc.property(kind, fc.uint8Array({ maxLength: 200 }), (label, bytes) => {
      const json = new Uint8Array(bytes);
      const box = wrapJson(label, json);
      expect(opensWithSuperbox(box)).toBe(true);
      expect(unwrapJson(box)).toEqual({ label, json });
    }),
  );
});

test("no changed byte of the wrapping goes unseen", () => {
  const box = wrapJson("kind", toUtf8('{"a":1}'));
  const wrapping = box.length - 7;
  const label = [33, 34, 35, 36];
  const seen = Array.from({ length: wrapping }, (_, at) => {
    const changed = Uint8Array.from(box);
    changed[at] = (changed[at] ?? 0) ^ 0x41;
    try {
      return unwrapJson(changed).label;
    } catch (error) {
      return error instanceof SyntaxError ? "refused" : error;
    }
  });
  expect(seen.filter((_, at) => !label.includes(at))).toEqual(Array(wrapping - label.length).fill("refused"));
  expect(label.map((at) => seen[at])).toEqual(["*ind", "k(nd", "ki/d", "kin%"]);
});

const jumd = "0000001c6a756d6463327061001100108000 00aa00389b7103616200".replaceAll(" ", "");

test.each([
  ["32-bit sizes", `000000246a756d62${jumd}`, true],
  ["to the end", `000000006a756d62${jumd}`, true],
  ["64-bit size", `000000016a756d62000000000000002c${jumd}`, true],
  ["64-bit child", "000000206a756d62000000016a756d640000000000000018ffffffffffffffff", true],
  ["bytes after the superbox", `000000246a756d62${jumd}ffff`, true],
  ["a bare description header", "000000106a756d62000000086a756d64", true],
  ["empty", "", false],
  ["seven bytes", "000000246a756d", false],
  ["no child", "000000086a756d62", false],
  ["another box", `000000256a756d63${jumd}`, false],
  ["another first child", "000000106a756d62000000086a736f6e", false],
  ["a description outside the superbox", "000000086a756d62000000086a756d64", false],
  ["a superbox past the end", `000000256a756d62${jumd}`, false],
  ["a child past its superbox", "000000106a756d62000000096a756d64ff", false],
  ["a size within the header", `000000076a756d62${jumd}`, false],
  ["a 64-bit size within its header", `000000016a756d62000000000000000f${jumd}`, false],
  ["a 64-bit size past the end", `000000016a756d62ffffffffffffffff${jumd}`, false],
  ["a cut 64-bit size", "000000016a756d6200000000", false],
])("posted JUMBF: %s", (_name, hex, valid) => {
  expect(opensWithSuperbox(fromHex(hex))).toBe(valid);
});

test("arbitrary bytes are answered, never thrown", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(opensWithSuperbox(bytes)).toBeTypeOf("boolean");
    }),
  );
});
