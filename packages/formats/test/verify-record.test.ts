import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  fromHex,
  fromPem,
  parseRecord,
  type PublishedRecord,
  readCertificate,
  type RecordCheck,
  toUtf8,
  verdictOf,
  verifyRecord,
} from "../src/index.ts";

interface Vectors {
  readonly trustRoot: string;
  readonly originalFile: string;
  readonly at: string;
  readonly records: readonly {
    readonly name: string;
    readonly record: string;
    readonly verdict: string;
    readonly failed: readonly string[];
    readonly absent?: readonly string[];
  }[];
}

const file = new URL("../../../vectors/records.json", import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(file, "utf8"));
const options = {
  trustRoot: vectors.trustRoot,
  originalBytes: fromHex(vectors.originalFile),
  at: new Date(vectors.at),
};
const soundText = vectors.records[0]?.record ?? "";

function named(checks: readonly RecordCheck[], result: RecordCheck["result"]): string[] {
  const found = checks.filter((one) => one.result === result);
  return found.map(({ name, index }) => (index === null ? name : `${name} ${index}`)).toSorted();
}

test.each(vectors.records)("a record: $name", ({ record, verdict, failed, absent = [] }) => {
  const checks = verifyRecord(parseRecord(toUtf8(record)), options);
  expect(named(checks, "failed")).toEqual(failed.toSorted());
  expect(named(checks, "absent")).toEqual(absent.toSorted());
  expect(verdictOf(checks)).toBe(verdict);
  for (const { sentence } of checks) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test("a record from before is told apart by its leaf alone", () => {
  const before = vectors.records.filter(({ absent = [] }) => absent.includes("recordDigest"));
  expect(before.filter(({ verdict }) => verdict === "verified")).toHaveLength(2);
  for (const { record } of before) {
    const leaf = parseRecord(record).verification?.leafCertificate ?? "";
    expect(readCertificate(fromPem(leaf)).subjectAltName).toBeNull();
  }
});

const sound = parseRecord(soundText);
const signedAt = Date.parse(sound.verification?.signedAtUtc ?? "");

test("a time moved by whatever it be fails", () => {
  const anyTime = fc.date({
    noInvalidDate: true,
    min: new Date(0),
    max: new Date("9999-12-31T23:59:59.999Z"),
  });
  const nearby = fc.integer({ min: -700_000, max: 700_000 }).map((ms) => new Date(signedAt + ms));
  fc.assert(
    fc.property(fc.oneof(anyTime, nearby), (time) => {
      fc.pre(time.getTime() !== signedAt);
      const verification = { ...sound.verification!, signedAtUtc: time.toISOString() };
      const checks = verifyRecord({ ...sound, verification }, { trustRoot: vectors.trustRoot });
      expect(named(checks, "failed")).toContain("recordDigest");
      expect(verdictOf(checks)).toBe("failed");
    }),
    { numRuns: 60 },
  );
});

test("manifests other than all of them in their order fail, whatever else is taken away", () => {
  const manifest = fc
    .constantFrom(...sound.manifests!)
    .chain((one) => fc.constantFrom(one, { ...one, hash: null, signature: null }));
  const changes = fc.record({
    manifests: fc.array(manifest, { maxLength: 3 }),
    collectionSignature: fc.constantFrom(null, sound.verification!.collectionSignature),
    canonicalVersion: fc.constantFrom(1, 2),
  });
  fc.assert(
    fc.property(changes, ({ manifests, ...verification }) => {
      const record = { ...sound, manifests, verification: { ...sound.verification!, ...verification } };
      fc.pre(JSON.stringify(record) !== JSON.stringify(sound));
      expect(verdictOf(verifyRecord(record, { trustRoot: vectors.trustRoot }))).toBe("failed");
    }),
    { numRuns: 60 },
  );
});

test("what the reader does not bring is not checked", () => {
  const checks = verifyRecord(parseRecord(soundText));
  expect(named(checks, "notChecked")).toEqual(["originalFile", "signingTime", "trustRoot"]);
  expect(verdictOf(checks)).toBe("unanchored");
});

test("another trust root, file or clock fails", () => {
  const other = {
    trustRoot: "no certificate",
    originalBytes: toUtf8("other"),
    at: new Date("2026-11-20T12:00:00Z"),
  };
  const checks = verifyRecord(parseRecord(soundText), other);
  expect(named(checks, "failed")).toEqual(["originalFile", "signingTime", "trustRoot"]);
});

test.each(["takenDown", "noRecordAnswered", "retry"])(
  "a record that answers %s holds nothing to verify",
  (outcome) => {
    const text = JSON.stringify({
      originalImageHash: "00".repeat(32),
      outcome,
      manifests: null,
      verification: null,
    });
    const checks = verifyRecord(parseRecord(text), options);
    expect(named(checks, "absent")).toEqual(["published"]);
    expect(verdictOf(checks)).toBe("notPublished");
  },
);

test("a payload is read as it stands in the answer", () => {
  const kept = [" {} ", '\n{"a" : [1.0, 1e5], "a":"]},\\"\\\\"}', '{"payload":{"payload":[{},[[]]]}}'];
  const manifests = kept.map(
    (payload) => `{"type":"k","form":"json", "payload":${payload},"hash":null,"signature":null}`,
  );
  const text = `{"manifests":"first", "m\\u0061nifests" : [ ${manifests.join(" , ")} ],
    "originalImageHash":"","outcome":"published","verification":${JSON.stringify(sound.verification)} }`;
  const read = parseRecord(text).manifests?.map(({ payload }) => new TextDecoder().decode(payload));
  expect(read).toEqual(kept);
});

test("any JSON payload survives an answer byte for byte", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const payload = JSON.stringify(value, null, indent);
      const text = `{"originalImageHash":"","outcome":"published","verification":null,"manifests":[{"type":"k","form":"json","payload":${payload},"hash":null,"signature":null},{"type":"k","form":"json","hash":null,"signature":null,"payload":${payload}}]}`;
      const expected = toUtf8(payload);
      expect(parseRecord(text).manifests?.map((one) => one.payload)).toEqual([expected, expected]);
    }),
  );
  expect(sound.manifests).toHaveLength(2);
});

test.each([
  ["", /JSON/],
  ["[]", /record/],
  ["{}", /originalImageHash/],
  ['{"originalImageHash":"","outcome":"fine"}', /outcome/],
  ['{"originalImageHash":"","outcome":"published","manifests":{}}', /manifests/],
  ['{"originalImageHash":"","outcome":"published","manifests":[1]}', /manifests/],
  ['{"originalImageHash":"","outcome":"published","manifests":[{"form":"xml"}]}', /form/],
  ['{"originalImageHash":"","outcome":"published","manifests":[{"form":"json"}]}', /payload/],
  ['{"originalImageHash":"","outcome":"published","manifests":null,"verification":{}}', /certificateChain/],
])("%j is no record", (text, names) => {
  const read = (): PublishedRecord => parseRecord(text);
  expect(read).toThrow(SyntaxError);
  expect(read).toThrow(names);
});

test("a record of any shape is answered, never thrown", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.base64String(),
    fc.constantFrom("AAAA", "a\0b"),
    fc.constant("00".repeat(32)),
  );
  const manifest = fc.record({
    type: text,
    form: fc.constantFrom("json" as const, "jumbf" as const),
    payload: fc.uint8Array({ maxLength: 20 }),
    hash: fc.option(text),
    signature: fc.option(text),
  });
  const verification = fc.record({
    contentHash: text,
    hashAlgorithm: text,
    signedAtUtc: text,
    signature: text,
    publicKey: text,
    leafCertificate: text,
    certificateChain: fc.array(text, { maxLength: 4 }),
    leafCertificateThumbprint: text,
    canonicalVersion: fc.oneof(fc.integer(), fc.constantFrom(1, 2)),
    collectionSignature: fc.option(text),
  });
  fc.assert(
    fc.property(fc.array(manifest, { maxLength: 3 }), verification, (manifests, changes) => {
      const record = { ...sound, manifests, verification: { ...sound.verification!, ...changes } };
      expect(verdictOf(verifyRecord(record, options))).toBe("failed");
    }),
  );
});
