import {
  blake3,
  collectionPreimage,
  fromUtf8,
  manifestPreimage,
  type RecordVerification,
  sha256Hex,
  type StoredManifest,
  toBase64,
  toHex,
  toPem,
  toUtf8,
} from "@colophon/formats";
import {
  distinguishedName,
  encodeCertificate,
  encodeTbsCertificate,
} from "../../packages/engine/src/signing/encode-certificate.ts";
import { intermediateKey, leafKey, rootKey, sign, type VectorKey } from "./keys.ts";
import { exampleManifests } from "./manifests.ts";

/** The original file of the vector records. */
export const originalFile: Uint8Array = toUtf8("not a photograph, but any bytes have a hash\n");

const SIGNED_AT = new Date("2026-11-20T12:00:00.250Z");
const DOMAIN = "vectors.example";
const ROOT = distinguishedName(DOMAIN, "Colophon root");
const INTERMEDIATE = distinguishedName(DOMAIN, "Colophon intermediate");
const LEAF = distinguishedName(DOMAIN, "Registrant");

/** A certificate to issue; the years count from 2026. */
export interface Issue {
  readonly subject: Uint8Array;
  readonly key: VectorKey;
  readonly issuer: Uint8Array;
  readonly issuerKey: VectorKey;
  readonly serial: number;
  readonly years: number;
  readonly pathLength: number | null;
}

/** The root, which readers trust. */
export const ROOT_CERTIFICATE: Issue = {
  subject: ROOT,
  key: rootKey,
  issuer: ROOT,
  issuerKey: rootKey,
  serial: 1,
  years: 30,
  pathLength: 1,
};
/** The authority that issues leaves. */
export const INTERMEDIATE_CERTIFICATE: Issue = {
  ...ROOT_CERTIFICATE,
  subject: INTERMEDIATE,
  key: intermediateKey,
  serial: 2,
  years: 20,
  pathLength: 0,
};
/** The certificate of the key a record is signed with. */
export const LEAF_CERTIFICATE: Issue = {
  subject: LEAF,
  key: leafKey,
  issuer: INTERMEDIATE,
  issuerKey: intermediateKey,
  serial: 0xfe,
  years: 20,
  pathLength: null,
};

function issue(order: Issue): Uint8Array {
  const tbs = encodeTbsCertificate({
    serialNumber: new Uint8Array(16).fill(order.serial),
    issuer: order.issuer,
    subject: order.subject,
    notBefore: new Date("2026-11-20T11:00:00Z"),
    notAfter: new Date(Date.UTC(2026 + order.years, 10, 20, 12)),
    publicKey: order.key.publicKey,
    issuerKey: order.issuerKey.publicKey,
    authorityPathLength: order.pathLength,
  });
  return encodeCertificate(tbs, sign(order.issuerKey, tbs));
}

/** The root certificate readers of the vector records trust, PEM. */
export const trustRoot: string = toPem(issue(ROOT_CERTIFICATE));

interface RecordParts {
  readonly manifests: readonly (StoredManifest & { readonly payload: Uint8Array })[];
  readonly version: number;
  readonly leaf: Issue;
  readonly chain: readonly Issue[];
  readonly signer: VectorKey;
  readonly signedAt: Date;
}

const SOUND: RecordParts = {
  manifests: exampleManifests,
  version: 2,
  leaf: LEAF_CERTIFICATE,
  chain: [INTERMEDIATE_CERTIFICATE, ROOT_CERTIFICATE],
  signer: leafKey,
  signedAt: SIGNED_AT,
};

/** One manifest of an answer, its payload as the JSON text that stands in the answer. */
export interface AnswerManifest {
  readonly type: string;
  readonly form: string;
  readonly payload: string;
  readonly hash: string | null;
  readonly signature: string | null;
}

/** A published record, before it is written as text. */
export interface Answer {
  readonly originalImageHash: string;
  readonly manifests: readonly AnswerManifest[];
  readonly verification: RecordVerification;
}

/** A record signed as its parts say; sound unless they say otherwise. */
export function answer(parts: Partial<RecordParts> = {}): Answer {
  const { manifests, version, leaf, chain, signer, signedAt } = { ...SOUND, ...parts };
  const contentHash = blake3(originalFile);
  const signed = manifests.map(({ kind, stored }) => ({ kind, hash: blake3(stored) }));
  const signsManifests = version > 1;
  const certificate = issue(leaf);
  const collection = signsManifests && signed.length > 0;
  return {
    originalImageHash: toHex(contentHash),
    manifests: manifests.map(({ kind, form, payload }, i) => ({
      type: kind,
      form,
      payload: form === "json" ? fromUtf8(payload) : JSON.stringify(toBase64(payload)),
      hash: signsManifests ? toHex(signed[i]!.hash) : null,
      signature: signsManifests
        ? toBase64(sign(signer, manifestPreimage(version, contentHash, signed[i]!)))
        : null,
    })),
    verification: {
      contentHash: toHex(contentHash),
      hashAlgorithm: "BLAKE3-256",
      signedAtUtc: signedAt.toISOString(),
      signature: toBase64(sign(signer, contentHash)),
      signatureAlgorithm: "Ed25519",
      publicKey: toBase64(signer.publicKey),
      leafCertificate: toPem(certificate),
      certificateChain: chain.map((one) => toPem(issue(one))),
      leafCertificateThumbprint: sha256Hex(certificate),
      trustContext: DOMAIN,
      trustVersion: 1,
      canonicalVersion: version,
      collectionSignature: collection
        ? toBase64(sign(signer, collectionPreimage(version, contentHash, signed)))
        : null,
    },
  };
}

/** The answer of `GET /records/{originalImageHash}`, each JSON payload inlined as it was posted. */
export function text({ originalImageHash, manifests, verification }: Answer): string {
  const listed = manifests.map(
    ({ type, form, payload, hash, signature }) =>
      `{"type":${JSON.stringify(type)},"form":"${form}","payload":${payload},` +
      `"hash":${JSON.stringify(hash)},"signature":${JSON.stringify(signature)}}`,
  );
  return (
    `{"originalImageHash":"${originalImageHash}","outcome":"published","manifests":[${listed.join(",")}],` +
    `"verification":${JSON.stringify(verification)}}`
  );
}
