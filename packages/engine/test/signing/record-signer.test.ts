import { createPrivateKey, createPublicKey, verify, X509Certificate } from "node:crypto";
import {
  blake3,
  collectionPreimage,
  fromBase64,
  fromHex,
  manifestPreimage,
  postedPayload,
  sha256Hex,
  type StoredManifest,
  storedBytes,
  toUtf8,
  verdictOf,
  verifyRecord,
} from "@colophon/formats";
import { beforeAll, describe, expect, test } from "vitest";
import { openRecordSigner, type RecordSigner } from "../../src/signing/record-signer.ts";
import { createTrustChain, type TrustChain } from "../../src/signing/trust-chain.ts";
import { openssl, opensslVerifies } from "./openssl.ts";

const now = new Date("2026-11-20T12:00:00.500Z");
const contentHash = blake3(toUtf8("an image"));
const manifests: StoredManifest[] = [
  { kind: "cr.json", form: "json", stored: storedBytes("json", "cr.json", toUtf8('{"a": 1.0}')) },
  { kind: "c2pa", form: "jumbf", stored: storedBytes("json", "inner", toUtf8("{}")) },
];
const record = { contentHash, manifests, signedAt: now, packetVersion: 1 };

let chain: TrustChain;
let signer: RecordSigner;

beforeAll(async () => {
  chain = await createTrustChain({ trustDomain: "registry.example", now });
  signer = await openRecordSigner(chain);
});

function text(pem: string): string {
  return openssl(["x509", "-in", "c.pem", "-noout", "-text"], { "c.pem": pem });
}

describe("the trust chain", () => {
  test("openssl verifies every leaf up to the root, strictly, at the time of signing", async () => {
    const { verification } = await signer.signRecord(record);
    const [intermediate = "", root = ""] = verification.certificateChain;
    const files = { "root.pem": root, "int.pem": intermediate, "leaf.pem": verification.leafCertificate };
    const at = ["-attime", String(Math.floor(now.getTime() / 1000))];
    const strict = ["-x509_strict", "-check_ss_sig", ...at];
    const chained = ["verify", ...strict, "-CAfile", "root.pem", "-untrusted", "int.pem", "leaf.pem"];
    expect(openssl(chained, files)).toBe("leaf.pem: OK\n");
    expect(() => openssl(["verify", ...strict, "-CAfile", "root.pem", "leaf.pem"], files)).toThrow(
      /unable to get/,
    );
    expect(root).toBe(signer.trustRoot);
  });

  test("the certificates say what they are for, and for how long", async () => {
    const { verification } = await signer.signRecord(record);
    const [intermediate = "", root = ""] = verification.certificateChain.map(text);
    const leaf = text(verification.leafCertificate);
    expect(root).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:1\s/);
    expect(root).toMatch(/Key Usage: critical\s+Certificate Sign\s/);
    expect(root).toContain("Not After : Nov 20 12:00:00 2056 GMT");
    expect(intermediate).toMatch(/CA:TRUE, pathlen:0\s/);
    expect(intermediate).toContain("Not After : Nov 20 12:00:00 2046 GMT");
    expect(leaf).toMatch(/Basic Constraints: critical\s+CA:FALSE\s/);
    expect(leaf).toMatch(/Key Usage: critical\s+Digital Signature\s/);
    expect(leaf).toContain("Not Before: Nov 20 11:55:00 2026 GMT");
    expect(leaf).toContain("Not After : Nov 20 12:00:00 2046 GMT");
    const identifier = /Authority Key Identifier:\s+(\S+)/.exec(leaf)?.[1];
    expect(intermediate).toMatch(new RegExp(`Subject Key Identifier:\\s+${identifier}`));
  });

  test("no two records share a key, a serial number or a certificate, and all share the subject", async () => {
    const signed = await Promise.all(Array.from({ length: 40 }, async () => signer.signRecord(record)));
    const leaves = signed.map(({ verification }) => new X509Certificate(verification.leafCertificate));
    expect(new Set(signed.map(({ verification }) => verification.publicKey)).size).toBe(40);
    expect(new Set(leaves.map((leaf) => leaf.serialNumber)).size).toBe(40);
    expect(new Set(leaves.map((leaf) => leaf.subject))).toEqual(
      new Set(["O=registry.example\nCN=Registrant"]),
    );
    for (const leaf of leaves) expect(leaf.serialNumber).toMatch(/^[0-9A-F]{24,32}$/);
  });

  test("a chain that does not hold together is not opened", async () => {
    const other = await createTrustChain({ trustDomain: "registry.example", now });
    await expect(openRecordSigner({ ...chain, intermediateKey: other.intermediateKey })).rejects.toThrow(
      TypeError,
    );
    await expect(openRecordSigner({ ...chain, rootCertificate: other.rootCertificate })).rejects.toThrow(
      TypeError,
    );
    await expect(createTrustChain({ trustDomain: "", now })).rejects.toThrow(RangeError);
    await expect(createTrustChain({ trustDomain: "x".repeat(65), now })).rejects.toThrow(RangeError);
  });

  test("nothing is signed outside the intermediate's validity", async () => {
    const late = new Date("2046-11-20T12:00:01Z");
    await expect(signer.signRecord({ ...record, signedAt: late })).rejects.toThrow(RangeError);
    await expect(
      signer.signRecord({ ...record, signedAt: new Date("2026-11-20T10:00:00Z") }),
    ).rejects.toThrow(RangeError);
  });
});

describe("a signed record", () => {
  test("openssl verifies the image, every manifest and the collection with the leaf's key", async () => {
    const { verification, manifests: attested } = await signer.signRecord(record);
    const hashed = manifests.map(({ kind, stored }) => ({ kind, hash: blake3(stored) }));
    expect(attested.map(({ hash }) => fromHex(hash ?? ""))).toEqual(hashed.map(({ hash }) => hash));
    const signatures = [
      verification.signature,
      ...attested.map((one) => one.signature),
      verification.collectionSignature,
    ];
    const preimages = [
      contentHash,
      ...hashed.map((one) => manifestPreimage(2, contentHash, one)),
      collectionPreimage(2, contentHash, hashed),
    ];
    const checked = preimages.map((preimage, i) =>
      opensslVerifies(verification.leafCertificate, preimage, fromBase64(signatures[i] ?? "")),
    );
    expect(checked).toEqual([true, true, true, true]);
    expect(
      opensslVerifies(verification.leafCertificate, toUtf8("another"), fromBase64(verification.signature)),
    ).toBe(false);
  });

  test("states the leaf it was signed with", async () => {
    const { verification } = await signer.signRecord(record);
    const leaf = new X509Certificate(verification.leafCertificate);
    expect(leaf.publicKey.export({ format: "jwk" }).x).toBe(
      Buffer.from(fromBase64(verification.publicKey)).toString("base64url"),
    );
    expect(verification).toMatchObject({
      contentHash: Buffer.from(contentHash).toString("hex"),
      hashAlgorithm: "BLAKE3-256",
      signedAtUtc: "2026-11-20T12:00:00.500Z",
      signatureAlgorithm: "Ed25519",
      leafCertificateThumbprint: sha256Hex(leaf.raw),
      trustContext: "registry.example",
      trustVersion: 1,
      canonicalVersion: 2,
    });
  });

  test("verifies whole", async () => {
    const { verification, manifests: attested } = await signer.signRecord(record);
    const published = manifests.map(({ kind, form, stored }, i) => {
      const payload = postedPayload(form, stored);
      return {
        type: kind,
        form,
        payload,
        hash: attested[i]?.hash ?? null,
        signature: attested[i]?.signature ?? null,
      };
    });
    const { contentHash: originalImageHash } = verification;
    const answered = { originalImageHash, outcome: "published", manifests: published, verification } as const;
    const checks = verifyRecord(answered, {
      trustRoot: signer.trustRoot,
      originalBytes: toUtf8("an image"),
      at: now,
    });
    expect(checks.filter(({ result }) => result !== "passed")).toEqual([]);
    expect(verdictOf(checks)).toBe("verified");
  });

  test("without manifests declares no collection", async () => {
    const { verification, manifests: attested } = await signer.signRecord({ ...record, manifests: [] });
    expect(verification.collectionSignature).toBeNull();
    expect(attested).toEqual([]);
  });

  test("can be of version 1, from before manifest signing", async () => {
    const { verification, manifests: attested } = await signer.signRecord({ ...record, canonicalVersion: 1 });
    expect(verification).toMatchObject({ canonicalVersion: 1, collectionSignature: null });
    expect(attested).toEqual(manifests.map(() => ({ hash: null, signature: null })));
    expect(
      opensslVerifies(verification.leafCertificate, contentHash, fromBase64(verification.signature)),
    ).toBe(true);
  });

  test("comes with a provenance document signed by the deployment's key", async () => {
    const { engineRecord, verification } = await signer.signRecord(record);
    const [header = "", payload = "", signature = ""] = engineRecord.split(".");
    const pkcs8 = createPrivateKey({ key: Buffer.from(chain.provenanceKey), format: "der", type: "pkcs8" });
    const key = createPublicKey(pkcs8);
    const signed = Buffer.from(`${header}.${payload}`);
    expect(verify(null, signed, key, Buffer.from(signature, "base64url"))).toBe(true);
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual({
      originalImageHash: verification.contentHash,
      contentHash: verification.contentHash,
      hashAlgorithm: "BLAKE3-256",
      signedAt: verification.signedAtUtc,
      leafCertificateThumbprint: verification.leafCertificateThumbprint,
      trustContext: "registry.example",
      packetVersion: 1,
    });
  });
});
