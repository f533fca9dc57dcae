import { createHash, createPublicKey, verify, X509Certificate } from "node:crypto";
import { blake3Hex } from "./pictures.ts";

/** A published record as its reader knows it from the contract. */
export interface PublishedRecord {
  readonly originalImageHash: string;
  readonly outcome: string;
  readonly manifests: readonly {
    readonly type: string;
    readonly form: "json" | "jumbf";
    readonly payload: unknown;
    readonly hash: string;
    readonly signature: string;
  }[];
  readonly verification: {
    readonly contentHash: string;
    readonly signedAtUtc: string;
    readonly signature: string;
    readonly publicKey: string;
    readonly leafCertificate: string;
    readonly certificateChain: readonly string[];
    readonly leafCertificateThumbprint: string;
    readonly trustContext: string;
    readonly canonicalVersion: number;
    /** Null on a record without manifests. */
    readonly collectionSignature: string | null;
  };
}

/** An Ed25519 public key's DER up to the 32 bytes of the key itself (RFC 8410). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

function lengthPrefixed(bytes: Uint8Array): Buffer {
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(bytes.length);
  return Buffer.concat([prefix, bytes]);
}

/** Checks every signature of a record against the preimages as the contract describes them. */
export function signaturesHold({ manifests, verification }: PublishedRecord): Record<string, boolean> {
  const { contentHash, signature, publicKey, canonicalVersion, collectionSignature } = verification;
  const key = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, Buffer.from(publicKey, "base64")]),
    format: "der",
    type: "spki",
  });
  const holds = (preimage: Uint8Array, base64: string): boolean =>
    verify(null, preimage, key, Buffer.from(base64, "base64"));
  const version = Buffer.from([canonicalVersion]);
  const content = Buffer.from(contentHash, "hex");
  const named = manifests.map(({ type, hash }) =>
    Buffer.concat([lengthPrefixed(Buffer.from(type)), lengthPrefixed(Buffer.from(hash, "hex"))]),
  );
  const count = Buffer.alloc(2);
  count.writeUInt16BE(manifests.length);
  const opening = Buffer.concat([version, lengthPrefixed(content)]);
  return {
    image: holds(content, signature),
    manifests: manifests.every((manifest, index) =>
      holds(Buffer.concat([opening, named[index] ?? Buffer.alloc(0)]), manifest.signature),
    ),
    collection:
      collectionSignature === null
        ? manifests.length === 0
        : holds(Buffer.concat([opening, count, ...named]), collectionSignature),
  };
}

/** Checks that the leaf holds the key, that the chain leads to a root, and that all were valid at signing. */
export function certificatesHold({ verification }: PublishedRecord): Record<string, boolean> {
  const leaf = new X509Certificate(verification.leafCertificate);
  const chain = [leaf, ...verification.certificateChain.map((pem) => new X509Certificate(pem))];
  const root = chain.at(-1) ?? leaf;
  const spki = leaf.publicKey.export({ format: "der", type: "spki" });
  const signedAt = new Date(verification.signedAtUtc);
  const issued = chain.slice(0, -1).every((certificate, index) => {
    const issuer = chain[index + 1];
    return issuer !== undefined && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  });
  return {
    key: spki.subarray(SPKI_PREFIX.length).toString("base64") === verification.publicKey,
    chain: issued && chain.length > 1,
    authorities: chain.slice(1).every(({ ca }) => ca) && !leaf.ca,
    root: root.checkIssued(root) && root.verify(root.publicKey),
    validity: chain.every(
      ({ validFromDate, validToDate }) => validFromDate <= signedAt && signedAt <= validToDate,
    ),
    thumbprint:
      leaf.fingerprint256.replaceAll(":", "").toLowerCase() === verification.leafCertificateThumbprint,
  };
}

/**
 * Checks that the leaf names this very record, by the URI (RFC 6920) of a digest of its image, manifests and time, that
 * it is valid for the minutes around the signing, and that all certificates are of the organization the record states.
 */
export function certificatesName({ manifests, verification }: PublishedRecord): Record<string, boolean> {
  const { contentHash, canonicalVersion, signedAtUtc, trustContext } = verification;
  const leaf = new X509Certificate(verification.leafCertificate);
  const chain = [leaf, ...verification.certificateChain.map((pem) => new X509Certificate(pem))];
  const content = Buffer.from(contentHash, "hex");
  const count = Buffer.alloc(2);
  count.writeUInt16BE(manifests.length);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(Date.parse(signedAtUtc)));
  const named = manifests.flatMap(({ type, hash }) => [Buffer.from(type), Buffer.from(hash, "hex")]);
  const parts = [
    Buffer.from("colophon record 1\0"),
    content,
    Buffer.from([canonicalVersion]),
    lengthPrefixed(content),
    count,
    ...named.map(lengthPrefixed),
    time,
  ];
  const digest = createHash("sha256").update(Buffer.concat(parts)).digest("base64url");
  const second = Math.floor(Date.parse(signedAtUtc) / 1000);
  return {
    record: leaf.subjectAltName === `URI:ni:///sha-256;${digest}`,
    from: leaf.validFromDate.getTime() / 1000 === second - 60,
    until: leaf.validToDate.getTime() / 1000 === second + 600,
    organization: chain.every(({ subject }) => subject.split("\n").includes(`O=${trustContext}`)),
  };
}

/** An ISO base media box: 32-bit length, type, contents. */
function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, content]);
}

/** The hash of a JSON manifest as anybody can compute it: BLAKE3 of the JUMBF superbox that holds the posted text. */
export function jsonManifestHash(kind: string, posted: string): string {
  const description = box(
    "jumd",
    Buffer.from("6a736f6e00110010800000aa00389b71", "hex"),
    Buffer.from([0x03]),
    Buffer.from(`${kind}\0`),
  );
  return blake3Hex(box("jumb", description, box("json", Buffer.from(posted))));
}
