import {
  blake3,
  collectionPreimage,
  fromUtf8,
  leafPeriod,
  leafSubjectAltName,
  manifestPreimage,
  type RecordStatement,
  type RecordVerification,
  sha256Hex,
  type StoredManifest,
  toBase64,
  toHex,
  toPem,
  toUtf8,
} from "@colophon/formats";
import { distinguishedName, encodeCertificate, encodeTbsCertificate } from "@colophon/engine/lab";
import { intermediateKey, leafKey, rootKey, sign, type VectorKey } from "./keys.ts";
import { exampleManifests } from "./manifests.ts";

/** The original file of the vector records. */
export const originalFile: Uint8Array = toUtf8("not a photograph, but any bytes have a hash\n");

/** When the vector records were signed. */
export const SIGNED_AT: Date = new Date("2026-11-20T12:00:00.250Z");
const DOMAIN = "vectors.example";
const ROOT = distinguishedName(DOMAIN, "Colophon root");
const INTERMEDIATE = distinguishedName(DOMAIN, "Colophon intermediate");
const LEAF = distinguishedName(DOMAIN, "Registrant");

/** A certificate to issue. */
export interface Issue {
  readonly subject: Uint8Array;
  readonly key: VectorKey;
  readonly issuer: Uint8Array;
  readonly issuerKey: VectorKey;
  readonly serial: number;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly pathLength: number | null;
}

const LONG_BEFORE = new Date("2026-11-20T11:00:00Z");

/** The root, which readers trust. */
export const ROOT_CERTIFICATE: Issue = {
  subject: ROOT,
  key: rootKey,
  issuer: ROOT,
  issuerKey: rootKey,
  serial: 1,
  notBefore: LONG_BEFORE,
  notAfter: new Date("2056-11-20T12:00:00Z"),
  pathLength: 1,
};
/** The authority that issues leaves. */
export const INTERMEDIATE_CERTIFICATE: Issue = {
  ...ROOT_CERTIFICATE,
  subject: INTERMEDIATE,
  key: intermediateKey,
  serial: 2,
  notAfter: new Date("2046-11-20T12:00:00Z"),
  pathLength: 0,
};
/** The certificate of the key a record is signed with. */
export const LEAF_CERTIFICATE: Issue = {
  subject: LEAF,
  key: leafKey,
  issuer: INTERMEDIATE,
  issuerKey: intermediateKey,
  serial: 0xfe,
  ...leafPeriod(SIGNED_AT),
  pathLength: null,
};
/** One as leaves were before they named their record: as long as the authority that issued it. */
export const LEAF_FROM_BEFORE: Issue = {
  ...LEAF_CERTIFICATE,
  notBefore: LONG_BEFORE,
  notAfter: INTERMEDIATE_CERTIFICATE.notAfter,
};

function issue(order: Issue, subjectAltName: Uint8Array | null = null): Uint8Array {
  const tbs = encodeTbsCertificate({
    serialNumber: new Uint8Array(16).fill(order.serial),
    issuer: order.issuer,
    subject: order.subject,
    notBefore: order.notBefore,
    notAfter: order.notAfter,
    publicKey: order.key.publicKey,
    issuerKey: order.issuerKey.publicKey,
    authorityPathLength: order.pathLength,
    subjectAltName,
  });
  return encodeCertificate(tbs, sign(order.issuerKey, tbs));
}

/** The root certificate readers of the vector records trust, PEM. */
export const trustRoot: string = toPem(issue(ROOT_CERTIFICATE));

interface RecordParts {
  readonly manifests: readonly (StoredManifest & { readonly payload: Uint8Array })[];
  readonly version: number;
  readonly leaf: Issue;
  /** The leaf's subjectAltName, of what the record states. */
  readonly names: (statement: RecordStatement) => Uint8Array | null;
  readonly chain: readonly Issue[];
  readonly signer: VectorKey;
  readonly signedAt: Date;
}

const SOUND: RecordParts = {
  manifests: exampleManifests,
  version: 2,
  leaf: LEAF_CERTIFICATE,
  names: leafSubjectAltName,
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

/** A record as they were before leaf certificates named their record. */
export function answerFromBefore(parts: Partial<RecordParts> = {}): Answer {
  return answer({ leaf: LEAF_FROM_BEFORE, names: () => null, ...parts });
}

/** A record signed as its parts say; sound unless they say otherwise. */
export function answer(parts: Partial<RecordParts> = {}): Answer {
  const { manifests, version, leaf, names, chain, signer, signedAt } = { ...SOUND, ...parts };
  const contentHash = blake3(originalFile);
  const signed = manifests.map(({ kind, stored }) => ({ kind, hash: blake3(stored) }));
  const signsManifests = version > 1;
  const statement = { canonicalVersion: version, contentHash, manifests: signed, signedAt };
  const certificate = issue(leaf, names(statement));
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
