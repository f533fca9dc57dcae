import { blake3 as reference } from "@noble/hashes/blake3.js";
import { expect, it } from "vitest";
import { blake3 } from "../../src/wasm/blake3.ts";

it("agrees with an independent BLAKE3 at every length that matters", () => {
  const bytes = new Uint8Array(new SharedArrayBuffer(300_000)).map((_, i) => (i * 2_654_435_761) >>> 24);
  const lengths = [
    0, 1, 63, 64, 65, 127, 128, 1023, 1024, 1025, 2048, 2049, 3072, 3073, 4096, 5120, 5121, 7168,
  ];
  const portions = [65_535, 65_536, 65_537, 66_560, 66_561, 131_072, 131_073, 196_608, 262_145, 300_000];
  for (const length of [...lengths, ...portions]) {
    const part = bytes.subarray(0, length);
    expect(blake3(part)).toEqual(reference(Uint8Array.from(part)));
  }
});
