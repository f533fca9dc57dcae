import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromBase64, fromHex, manifestsHash, parseRecord } from "@colophon/formats";
import { expect, test } from "vitest";
import { directory, vectorFiles } from "../../../../tools/make-vectors.ts";
import { blake3 } from "../../src/wasm/blake3.ts";
import { openssl, opensslVerifies } from "./openssl.ts";

const files = await vectorFiles();

test.each([...files])("vectors/%s is what the code says", (path, text) => {
  expect(readFileSync(join(directory, path), "utf8")).toBe(text);
});

const records = JSON.parse(files.get("records.json") ?? "");
const sound = parseRecord(records.records[0].record);

test("the engine's BLAKE3 makes the same list digests", () => {
  interface Vector {
    readonly manifests: { readonly kind: string; readonly form: "json" | "jumbf"; readonly stored: string }[];
    readonly manifestsHash: string | null;
  }
  const vectors: Vector[] = JSON.parse(files.get("manifests-hash.json") ?? "");
  const hashes = vectors.map(({ manifests }) =>
    manifestsHash(
      manifests.map((manifest) => ({ ...manifest, stored: fromHex(manifest.stored) })),
      blake3,
    ),
  );
  expect(hashes).toEqual(vectors.map(({ manifestsHash: expected }) => expected));
});

test("openssl verifies the chain of the sound record", () => {
  const { verification } = sound;
  const certificates = {
    "root.pem": records.trustRoot,
    "int.pem": verification?.certificateChain[0] ?? "",
    "leaf.pem": verification?.leafCertificate ?? "",
  };
  const at = String(Date.parse(verification?.signedAtUtc ?? "") / 1000 - 0.25);
  const args = [
    "verify",
    "-x509_strict",
    "-attime",
    at,
    "-CAfile",
    "root.pem",
    "-untrusted",
    "int.pem",
    "leaf.pem",
  ];
  expect(openssl(args, certificates)).toBe("leaf.pem: OK\n");
});

test("openssl verifies every signature over its preimage", () => {
  const preimages = JSON.parse(files.get("preimages.json") ?? "");
  const leaf = sound.verification?.leafCertificate ?? "";
  const signed = [
    { preimage: preimages.contentHash, signature: preimages.image.signature },
    ...preimages.manifests,
    ...preimages.collections,
  ];
  expect(signed).toHaveLength(6);
  for (const { preimage, signature } of signed) {
    expect(opensslVerifies(leaf, fromHex(preimage), fromBase64(signature))).toBe(true);
  }
});

/** SHA-256 of bytes in hex, by openssl. */
function opensslDigest(hex: string): string {
  return openssl(["dgst", "-sha256", "-r", "preimage"], { preimage: fromHex(hex) }).slice(0, 64);
}

test("openssl computes the same record digests", () => {
  const { records: digests } = JSON.parse(files.get("preimages.json") ?? "");
  expect(digests).toHaveLength(2);
  for (const one of digests) {
    expect(opensslDigest(one.preimage)).toBe(one.digest);
    expect(opensslDigest(one.preimageWithLeaf)).toBe(one.digestWithLeaf);
    expect(one.uri).toBe(`ni:///sha-256;${Buffer.from(one.digest, "hex").toString("base64url")}`);
  }
});

test("openssl computes the same ledger hashes", () => {
  const { rows, canonical } = JSON.parse(files.get("ledger.json") ?? "");
  const hashes = canonical.map((text: string) =>
    openssl(["dgst", "-sha256", "-r", "row"], { row: text }).slice(0, 64),
  );
  expect(hashes).toEqual(rows.map((row: { rowHash: string }) => row.rowHash));
});

test("openssl makes the same public keys of the seeds", () => {
  for (const { seed, publicKey } of JSON.parse(files.get("keys.json") ?? "")) {
    const pkcs8 = fromHex(`302e020100300506032b657004220420${seed}`);
    const args = ["pkey", "-inform", "DER", "-in", "key.der", "-text_pub", "-noout"];
    const digits = openssl(args, { "key.der": pkcs8 }).replaceAll(/^.*Key:$|^pub:$|[\s:]/gm, "");
    expect(digits).toBe(publicKey);
  }
});
