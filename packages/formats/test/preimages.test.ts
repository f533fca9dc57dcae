import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  blake3Hex,
  collectionPreimage,
  leafPeriod,
  leafSubjectAltName,
  manifestPreimage,
  recordDigest,
  recordPreimage,
  recordUri,
  type RecordStatement,
  type SignedManifest,
  sha256Hex,
  toHex,
  toUtf8,
} from "../src/index.ts";

const contentHash = new Uint8Array(32).fill(0xaa);
const hash = new Uint8Array(32).fill(0xbb);
const aa = `0020${"aa".repeat(32)}`;
const bb = `0020${"bb".repeat(32)}`;

test("a manifest preimage is version, content hash, kind, manifest hash", () => {
  const bytes = manifestPreimage(2, contentHash, { kind: "c2pa", hash });
  expect(toHex(bytes)).toBe(`02${aa}000463327061${bb}`);
});

test("a collection preimage is version, content hash, count, kinds and hashes", () => {
  expect(toHex(collectionPreimage(2, contentHash, []))).toBe(`02${aa}0000`);
  const two = [
    { kind: "a", hash },
    { kind: "bc", hash: contentHash },
  ];
  expect(toHex(collectionPreimage(2, contentHash, two))).toBe(`02${aa}0002000161${bb}00026263${aa}`);
});

const statement: RecordStatement = {
  canonicalVersion: 2,
  contentHash,
  manifests: [{ kind: "c2pa", hash }],
  signedAt: new Date(0x0123456789ab),
};

test("a record preimage is head, content hash, collection preimage, the leaf's hash, milliseconds", () => {
  const head = `${toHex(toUtf8("colophon record 1"))}00${"aa".repeat(32)}02${aa}0001000463327061${bb}`;
  expect(toHex(recordPreimage(statement))).toBe(`${head}00000123456789ab`);
  const leaf = toUtf8("leaf");
  expect(toHex(recordPreimage(statement, leaf))).toBe(`${head}${sha256Hex(leaf)}00000123456789ab`);
  const none = { ...statement, manifests: [] };
  expect(toHex(recordPreimage(none))).toContain(`02${aa}0000`);
  expect(toHex(recordDigest(none))).toBe(sha256Hex(recordPreimage(none)));
});

test("a leaf names its record by one URI", () => {
  const uri = `ni:///sha-256;${Buffer.from(recordDigest(statement)).toString("base64url")}`;
  expect(uri).toMatch(/^ni:\/\/\/sha-256;[\w-]{43}$/);
  expect(recordUri(statement)).toBe(uri);
  expect(toHex(leafSubjectAltName(statement))).toBe(`303b8639${toHex(toUtf8(uri))}`);
});

test("a leaf is valid from a minute before the second of the signature to ten minutes after it", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (signedAt) => {
      const second = Math.floor(signedAt.getTime() / 1000) * 1000;
      fc.pre(Math.abs(second) < 8.64e15 - 600_000);
      const { notBefore, notAfter } = leafPeriod(signedAt);
      expect([notBefore.getTime() - second, notAfter.getTime() - second]).toEqual([-60_000, 600_000]);
    }),
  );
});

function partsOf(of: RecordStatement, leaf: Uint8Array | undefined): string {
  return JSON.stringify([of.canonicalVersion, toHex(of.contentHash), text(of.manifests), of.signedAt, leaf]);
}

test("two statements never share a digest, nor one with and without its leaf", () => {
  const any: fc.Arbitrary<RecordStatement> = fc.record({
    canonicalVersion: fc.constantFrom(1, 2),
    contentHash: fc.constantFrom(contentHash, hash),
    manifests: fc.array(
      fc.record({ kind: fc.constantFrom("a", "ab"), hash: fc.constantFrom(contentHash, hash) }),
      { maxLength: 2 },
    ),
    signedAt: fc.integer({ min: 0, max: 3 }).map((ms) => new Date(ms)),
  });
  const leaf = fc.option(fc.constantFrom(contentHash, hash), { nil: undefined });
  fc.assert(
    fc.property(any, any, leaf, leaf, (a, b, leafOfA, leafOfB) => {
      const same = toHex(recordDigest(a, leafOfA)) === toHex(recordDigest(b, leafOfB));
      expect(same).toBe(partsOf(a, leafOfA) === partsOf(b, leafOfB));
    }),
    { numRuns: 2000 },
  );
});

function text(manifests: readonly SignedManifest[]): string {
  return JSON.stringify(manifests.map(({ kind, hash: bytes }) => [kind, toHex(bytes)]));
}

test("two manifest lists never share a preimage", () => {
  const manifest = fc.record({
    kind: fc.stringMatching(/^[a-c]{1,3}$/),
    hash: fc.uint8Array({ maxLength: 3 }),
  });
  const list = fc.array(manifest, { maxLength: 3 });
  fc.assert(
    fc.property(list, list, (a, b) => {
      const same =
        toHex(collectionPreimage(2, contentHash, a)) === toHex(collectionPreimage(2, contentHash, b));
      expect(same).toBe(text(a) === text(b));
    }),
  );
});

test("what does not fit a field is refused", () => {
  expect(() => manifestPreimage(256, contentHash, { kind: "a", hash })).toThrow(RangeError);
  expect(() => manifestPreimage(2, new Uint8Array(0x10000), { kind: "a", hash })).toThrow(RangeError);
  expect(() => recordDigest({ ...statement, contentHash: hash.subarray(1) })).toThrow(RangeError);
  expect(() => recordDigest({ ...statement, signedAt: new Date(-1) })).toThrow(RangeError);
  expect(() => recordDigest({ ...statement, signedAt: new Date(NaN) })).toThrow(RangeError);
});

test("the hashes are the published functions", () => {
  // The empty-input values of the BLAKE3 paper's vectors and of FIPS 180-4.
  expect(blake3Hex(new Uint8Array())).toBe(
    "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
  );
  expect(sha256Hex(new Uint8Array())).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});
