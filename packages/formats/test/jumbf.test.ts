import { readFileSync } from "node:fs";
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

const headers: { rule: string; bytes: string; accepted: boolean }[] = JSON.parse(
  readFileSync(new URL("../../../vectors/jumbf-headers.json", import.meta.url), "utf8"),
);

test.each(headers)("posted JUMBF: $rule", ({ bytes, accepted }) => {
  expect(opensWithSuperbox(fromHex(bytes))).toBe(accepted);
});

test("arbitrary bytes are answered, never thrown", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(opensWithSuperbox(bytes)).toBeTypeOf("boolean");
    }),
  );
});
