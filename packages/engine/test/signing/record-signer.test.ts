import { createPrivateKey, createPublicKey, verify, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  blake3,
  collectionPreimage,
  fromBase64,
  fromHex,
  fromPem,
  manifestPreimage,
  parseRecord,
  postedPayload,
  type PublishedRecord,
  recordUri,
  sha256Hex,
  statementOf,
  type StoredManifest,
  storedBytes,
  toUtf8,
  verdictOf,
  verifyRecord,
} from "@colophon/formats";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openRecordSigner, type RecordSigner, type RecordToSign } from "../../src/signing/record-signer.ts";
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
  test("openssl verifies every leaf up to the root, strictly, in the minutes around the signing", async () => {
    const { verification } = await signer.signRecord(record);
    const [intermediate = "", root = ""] = verification.certificateChain;
    const files = { "root.pem": root, "int.pem": intermediate, "leaf.pem": verification.leafCertificate };
    const second = Math.floor(now.getTime() / 1000);
    const chained = (time: number, ...by: string[]): string => {
      const strict = ["-x509_strict", "-check_ss_sig", "-attime", String(time)];
      return openssl(["verify", ...strict, "-CAfile", "root.pem", ...by, "leaf.pem"], files);
    };
    const at = (time: number): string => chained(time, "-untrusted", "int.pem");
    for (const time of [second, second - 60, second + 599]) expect(at(time)).toBe("leaf.pem: OK\n");
    expect(() => at(second - 61)).toThrow(/certificate is not yet valid/);
    expect(() => at(second + 601)).toThrow(/certificate has expired/);
    expect(() => chained(second)).toThrow(/unable to get/);
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
    expect(leaf).toContain("Not Before: Nov 20 11:59:00 2026 GMT");
    expect(leaf).toContain("Not After : Nov 20 12:10:00 2026 GMT");
    expect(leaf).toMatch(/Subject Alternative Name: *\s+URI:ni:\/\/\/sha-256;[\w-]{43}\s/);
    expect(root + intermediate).not.toContain("Alternative Name");
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
    await expect(openRecordSigner({ ...chain, trustDomain: "another.example" })).rejects.toThrow(TypeError);
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

/** A record as a reader has it. */
async function published(of: RecordSigner, parts: Partial<RecordToSign> = {}): Promise<PublishedRecord> {
  const asked = { ...record, ...parts };
  const { verification, manifests: attested } = await of.signRecord(asked);
  return {
    originalImageHash: verification.contentHash,
    outcome: "published",
    manifests: asked.manifests.map(({ kind, form, stored }, i) => ({
      type: kind,
      form,
      payload: postedPayload(form, stored),
      hash: attested[i]?.hash ?? null,
      signature: attested[i]?.signature ?? null,
    })),
    verification,
  };
}

describe("a chain from before", () => {
  const { records, trustRoot }: { records: { record: string }[]; trustRoot: string } = JSON.parse(
    readFileSync(new URL("../../../../vectors/records.json", import.meta.url), "utf8"),
  );
  const keys: { name: string; seed: string }[] = JSON.parse(
    readFileSync(new URL("../../../../vectors/keys.json", import.meta.url), "utf8"),
  );

  test("signs records that are verified", async () => {
    const [intermediate = "", root = ""] =
      parseRecord(records[0]?.record ?? "").verification?.certificateChain ?? [];
    const seed = keys.find(({ name }) => name === "intermediate")?.seed ?? "";
    const stored = {
      ...chain,
      trustDomain: "vectors.example",
      rootCertificate: fromPem(root),
      intermediateCertificate: fromPem(intermediate),
      intermediateKey: fromHex(`302e020100300506032b657004220420${seed}`),
    };
    const signed = await published(await openRecordSigner(stored));
    expect(verdictOf(verifyRecord(signed, { trustRoot }))).toBe("verified");
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
    const checks = verifyRecord(await published(signer), {
      trustRoot: signer.trustRoot,
      originalBytes: toUtf8("an image"),
      at: now,
    });
    expect(checks.filter(({ result }) => result !== "passed")).toEqual([]);
    expect(verdictOf(checks)).toBe("verified");
  });

  test("is named by its leaf, as Node reads it", async () => {
    for (const parts of [{}, { manifests: [] }, { signedAt: new Date("2026-11-20T12:00:00.001Z") }]) {
      const { verification, manifests: attested } = await published(signer, parts);
      const { subjectAltName } = new X509Certificate(verification?.leafCertificate ?? "");
      expect(subjectAltName).toBe(`URI:${recordUri(statementOf(verification!, attested!))}`);
    }
  });

  test("verifies at any time and with any manifests, and with none of them taken away or moved", async () => {
    const kind = fc.stringMatching(/^[a-z.]{1,12}$/);
    const list = fc.uniqueArray(kind, { maxLength: 3 }).map((kinds) =>
      kinds.map((one): StoredManifest => {
        return { kind: one, form: "json", stored: storedBytes("json", one, toUtf8("{}")) };
      }),
    );
    const time = fc.date({ noInvalidDate: true, min: now, max: new Date("2046-11-20T12:00:00.000Z") });
    const { trustRoot } = signer;
    await fc.assert(
      fc.asyncProperty(list, time, fc.integer({ min: 1, max: 2e12 }), async (asked, signedAt, ms) => {
        const sound = await published(signer, { manifests: asked, signedAt });
        expect(verdictOf(verifyRecord(sound, { trustRoot }))).toBe("verified");
        const signedAtUtc = new Date(signedAt.getTime() + ms).toISOString();
        const moved = { ...sound, verification: { ...sound.verification!, signedAtUtc } };
        expect(verdictOf(verifyRecord(moved, { trustRoot }))).toBe("failed");
        const verification = { ...sound.verification!, collectionSignature: null };
        const stripped = { ...sound, manifests: [], verification };
        const verdict = asked.length === 0 ? "verified" : "failed";
        expect(verdictOf(verifyRecord(stripped, { trustRoot }))).toBe(verdict);
      }),
      { numRuns: 25 },
    );
  });

  test("without manifests declares no collection, and is verified", async () => {
    const { verification, manifests: attested } = await signer.signRecord({ ...record, manifests: [] });
    expect(verification.collectionSignature).toBeNull();
    expect(attested).toEqual([]);
    const checks = verifyRecord(await published(signer, { manifests: [] }), { trustRoot: signer.trustRoot });
    expect(verdictOf(checks)).toBe("verified");
  });

  test("can be of version 1, from before manifest signing, and names nothing then", async () => {
    expect(verdictOf(verifyRecord(await published(signer, { canonicalVersion: 1 }), signer))).toBe(
      "imageOnly",
    );
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
