import { fromHex } from "../bytes/encoding.ts";
import { readInstant } from "../bytes/instant.ts";
import type { ManifestForm } from "./manifest.ts";
import type { RecordStatement } from "./preimages.ts";

/** The name of the content hash, as records state it. */
export const HASH_ALGORITHM = "BLAKE3-256";
/** The name of every signature on a record. */
export const SIGNATURE_ALGORITHM = "Ed25519";

/** The `verification` object of a published record. */
export interface RecordVerification {
  /** Hash the image signature covers, lowercase hex. */
  readonly contentHash: string;
  readonly hashAlgorithm: string;
  /** RFC 3339 in UTC, to the millisecond. */
  readonly signedAtUtc: string;
  /** Base64, over the 32 bytes of `contentHash`. */
  readonly signature: string;
  readonly signatureAlgorithm: string;
  /** Base64 of the 32 raw bytes of the leaf's key. */
  readonly publicKey: string;
  /** PEM. */
  readonly leafCertificate: string;
  /** PEM, the leaf's issuer first, the root last. */
  readonly certificateChain: readonly string[];
  /** SHA-256 of the leaf's DER, lowercase hex. */
  readonly leafCertificateThumbprint: string;
  readonly trustContext: string;
  readonly trustVersion: number;
  readonly canonicalVersion: number;
  /** Base64, over the collection preimage; null on a record that declares none. */
  readonly collectionSignature: string | null;
}

/** What a record attests of one manifest; both null on a record from before manifest signing. */
export interface ManifestAttestation {
  /** BLAKE3-256 of the stored bytes, lowercase hex. */
  readonly hash: string | null;
  /** Base64, over the manifest preimage. */
  readonly signature: string | null;
}

/** A manifest of a published record, its payload as the text in which it was received. */
export interface PublishedManifest extends ManifestAttestation {
  readonly type: string;
  readonly form: ManifestForm;
  /** The posted bytes: of a `json` manifest the exact JSON text, of a `jumbf` one the decoded container. */
  readonly payload: Uint8Array;
}

/**
 * What a published record states, for `recordDigest`. Throws an Error when a hash is not hex, or a manifest has none; a
 * time that cannot be read is an Invalid Date, of which there is no digest.
 */
export function statementOf(
  verification: RecordVerification,
  manifests: readonly PublishedManifest[],
): RecordStatement {
  return {
    canonicalVersion: verification.canonicalVersion,
    contentHash: fromHex(verification.contentHash),
    manifests: manifests.map(({ type, hash }) => {
      if (hash === null) throw new SyntaxError("a manifest without a hash");
      return { kind: type, hash: fromHex(hash) };
    }),
    signedAt: readInstant(verification.signedAtUtc),
  };
}

/** How a records route answers for one hash. */
export const OUTCOMES = ["published", "noRecordAnswered", "takenDown", "refused", "retry"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A published record as it was read; `manifests` and `verification` are null unless the outcome is `published`. */
export interface PublishedRecord {
  readonly originalImageHash: string;
  readonly outcome: Outcome;
  readonly manifests: readonly PublishedManifest[] | null;
  readonly verification: RecordVerification | null;
}
