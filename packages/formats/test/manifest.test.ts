import { expect, test } from "vitest";
import {
  isJsonObject,
  isManifestKind,
  manifestForm,
  manifestsHash,
  matchesForm,
  postedPayload,
  storedBytes,
  toHex,
  toUtf8,
} from "../src/index.ts";
import { blake3 } from "../src/bytes/hashes.ts";

test.each([
  ["application/json", "json"],
  ["Application/JSON; charset=utf-8", "json"],
  ["application/jumbf", "jumbf"],
  [" application/c2pa ;x=y", "jumbf"],
  ["application/jsonx", null],
  ["text/json", null],
  ["", null],
  [";application/json", null],
])("content type %j is the form %j", (contentType, form) => {
  expect(manifestForm(contentType)).toBe(form);
});

test("a kind is 1 to 64 characters of the alphabet", () => {
  for (const kind of ["a", "A-z_0.9", "x".repeat(64)]) expect(isManifestKind(kind)).toBe(true);
  for (const kind of ["", "x".repeat(65), "a b", "a/b", "é", "a\n", "a]"]) {
    expect(isManifestKind(kind)).toBe(false);
  }
});

test.each(["{}", ' \t\r\n{"a": 1.0, "a": 1e5}\n', '{"\\ud800":"é"}', '{"__proto__":{}}'])(
  "%j is a JSON object",
  (text) => {
    expect(isJsonObject(toUtf8(text))).toBe(true);
  },
);

test.each([
  "",
  "[]",
  "1",
  '"{}"',
  "null",
  "{}{}",
  "{},",
  "\uFEFF{}",
  "{'a':1}",
  '{"a":01}',
  '{"a":"\t"}',
  "{\u00a0}",
  '{"a":}',
])("%j is no JSON object", (text) => {
  expect(isJsonObject(toUtf8(text))).toBe(false);
});

test("invalid UTF-8 is no JSON object", () => {
  for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
    expect(isJsonObject(Uint8Array.of(0x7b, 0x22, ...bytes, 0x22, 0x3a, 0x31, 0x7d))).toBe(false);
  }
});

test("a million levels of nesting are answered", () => {
  const deep = 1_000_000;
  expect(isJsonObject(toUtf8(`{"a":${"[".repeat(deep)}`))).toBe(false);
  expect(() => isJsonObject(toUtf8(`{"a":${"[".repeat(deep)}${"]".repeat(deep)}}`))).not.toThrow();
  expect(isJsonObject(toUtf8('{"a":'.repeat(100_000)))).toBe(false);
});

test("the posted bytes come back from the stored ones in both forms", () => {
  const json = toUtf8(' {"a" : 1.0}\n');
  const jumbf = storedBytes("json", "inner", toUtf8("{}"));
  expect(postedPayload("json", storedBytes("json", "k", json))).toEqual(json);
  expect(postedPayload("jumbf", storedBytes("jumbf", "k", jumbf))).toEqual(jumbf);
  expect(matchesForm("jumbf", jumbf)).toBe(true);
  expect(matchesForm("json", jumbf)).toBe(false);
  expect(matchesForm("jumbf", json)).toBe(false);
});

test("the list digest covers kind, form, bytes and order", () => {
  const one = { kind: "a", form: "json", stored: Uint8Array.of(9, 8) } as const;
  const two = { kind: "bc", form: "jumbf", stored: Uint8Array.of(7) } as const;
  const preimage = Uint8Array.of(0, 1, 0x61, 0, 0, 0, 0, 2, 9, 8, 0, 2, 0x62, 0x63, 1, 0, 0, 0, 1, 7);
  expect(manifestsHash([])).toBeNull();
  expect(manifestsHash([one, two])).toBe(toHex(blake3(preimage)));
  const others = [[two, one], [one], [{ ...one, form: "jumbf" as const }, two], [{ ...one, kind: "b" }, two]];
  for (const list of others) expect(manifestsHash(list)).not.toBe(manifestsHash([one, two]));
});
