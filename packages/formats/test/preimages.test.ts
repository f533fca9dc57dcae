import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  blake3Hex,
  collectionPreimage,
  manifestPreimage,
  type SignedManifest,
  sha256Hex,
  toHex,
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

function text(manifests: SignedManifest[]): string {
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
