import { verifyEd25519 } from "../certificate/certificate.ts";
import { fromBase64, fromHex, isHash } from "../bytes/encoding.ts";
import { blake3Hex } from "../bytes/hashes.ts";
import { readInstant } from "../bytes/instant.ts";
import { isManifestKind, manifestHash, storedBytes } from "../record/manifest.ts";
import { CANONICAL_VERSION, collectionPreimage, manifestPreimage } from "../record/preimages.ts";
import {
  HASH_ALGORITHM,
  type PublishedManifest,
  type PublishedRecord,
  type RecordVerification,
  SIGNATURE_ALGORITHM,
} from "../record/record.ts";
import { at, check, checkThat, holds, type RecordCheck } from "./record-check.ts";
import { verifyCertificates } from "./verify-certificates.ts";

/** What a reader brings to a record; each check whose input is missing is answered `notChecked`. */
export interface VerifyOptions {
  /** The root certificate the reader trusts, PEM, come by in another way than with the record. */
  readonly trustRoot?: string;
  /** The original file. */
  readonly originalBytes?: Uint8Array;
  /** The reader's clock. */
  readonly at?: Date;
}

/**
 * `verified` against a trust root the reader gave; `imageOnly` where that holds but nothing signs a manifest, or that
 * there is none, so that anybody on the way may have exchanged manifests or taken them away; `unanchored` if all holds
 * together but no root was given.
 */
export type RecordVerdict = "verified" | "imageOnly" | "unanchored" | "failed" | "notPublished";

/** The version of records from before manifest signing, which sign the image alone. */
const UNSIGNED_MANIFESTS_VERSION = 1;

/**
 * Checks everything a published record attests, each check by name and in words; it never throws, whatever the record
 * holds. Signatures are Ed25519 (RFC 8032), so that the same code runs in a browser.
 */
export function verifyRecord(record: PublishedRecord, options: VerifyOptions = {}): RecordCheck[] {
  const { verification, manifests } = record;
  if (record.outcome !== "published" || verification === null || manifests === null) {
    const sentence = `The record is not published (${record.outcome}): there is nothing to verify.`;
    return [check("published", "absent", sentence)];
  }
  return [
    check("published", "passed", "The record is published."),
    checkAlgorithms(verification),
    checkThat(
      "contentHash",
      isHash(verification.contentHash) && record.originalImageHash === verification.contentHash,
      "The content hash is the hash the record is published under.",
      "The content hash is not the hash the record is published under.",
    ),
    checkOriginal(verification, options.originalBytes),
    checkThat(
      "imageSignature",
      isSigned(verification, verification.signature, (contentHash) => contentHash),
      "The image signature is by the record's key.",
      "The image signature is not by the record's key over the content hash.",
    ),
    ...manifests.flatMap((manifest, i) => checkManifest(manifest, verification).map((one) => at(i, one))),
    checkCollection(manifests, verification),
    ...verifyCertificates(verification, manifests, options.trustRoot),
    checkSigningTime(verification, options.at),
  ];
}

/** What the checks of `verifyRecord` come to. */
export function verdictOf(checks: readonly RecordCheck[]): RecordVerdict {
  const some = (name: RecordCheck["name"], result: RecordCheck["result"]): boolean =>
    checks.some((one) => one.name === name && one.result === result);
  if (checks.some(({ result }) => result === "failed")) return "failed";
  if (!some("published", "passed")) return "notPublished";
  if (!some("trustRoot", "passed")) return "unanchored";
  const namesNoManifest = some("recordDigest", "absent") && some("collectionSignature", "absent");
  return namesNoManifest || some("manifestSignature", "absent") ? "imageOnly" : "verified";
}

function checkAlgorithms({
  hashAlgorithm,
  signatureAlgorithm,
  canonicalVersion,
}: RecordVerification): RecordCheck {
  const known =
    hashAlgorithm === HASH_ALGORITHM &&
    signatureAlgorithm === SIGNATURE_ALGORITHM &&
    (canonicalVersion === CANONICAL_VERSION || canonicalVersion === UNSIGNED_MANIFESTS_VERSION);
  return checkThat(
    "algorithms",
    known,
    `The record is of version ${canonicalVersion}, hashed with ${HASH_ALGORITHM}, signed with ${SIGNATURE_ALGORITHM}.`,
    "The record names an algorithm or a version this verifier does not know.",
  );
}

function checkOriginal({ contentHash }: RecordVerification, original: Uint8Array | undefined): RecordCheck {
  if (original === undefined) {
    return check("originalFile", "notChecked", "The original file was not given.");
  }
  return checkThat(
    "originalFile",
    blake3Hex(original) === contentHash,
    "The given file is the one that was signed.",
    "The given file is not the one that was signed.",
  );
}

function checkManifest(manifest: PublishedManifest, verification: RecordVerification): RecordCheck[] {
  const { type, form, payload, hash, signature } = manifest;
  const { canonicalVersion } = verification;
  if (hash === null && signature === null && canonicalVersion === UNSIGNED_MANIFESTS_VERSION) {
    const sentence =
      "Nothing signs the manifest: the record states a version from before manifests were signed.";
    return [check("manifestHash", "absent", sentence), check("manifestSignature", "absent", sentence)];
  }
  return [
    checkThat(
      "manifestHash",
      isManifestKind(type) && manifestHash(storedBytes(form, type, payload)) === hash,
      "The manifest has the hash it states.",
      "The manifest does not have the hash it states: it was changed, or only reformatted.",
    ),
    checkThat(
      "manifestSignature",
      isSigned(verification, signature, (contentHash) =>
        manifestPreimage(canonicalVersion, contentHash, { kind: type, hash: fromHex(hash ?? "") }),
      ),
      "The manifest's hash and kind are signed, with this image, by the record's key.",
      "The manifest's hash and kind are not signed, with this image, by the record's key.",
    ),
  ];
}

function checkCollection(
  manifests: readonly PublishedManifest[],
  verification: RecordVerification,
): RecordCheck {
  const { canonicalVersion, collectionSignature } = verification;
  const mayLack = manifests.length === 0 || canonicalVersion === UNSIGNED_MANIFESTS_VERSION;
  if (collectionSignature === null && mayLack) {
    return check("collectionSignature", "absent", "The record declares no signed set of manifests.");
  }
  return checkThat(
    "collectionSignature",
    isSigned(verification, collectionSignature, (contentHash) =>
      collectionPreimage(
        canonicalVersion,
        contentHash,
        manifests.map(({ type, hash }) => ({ kind: type, hash: fromHex(hash ?? "") })),
      ),
    ),
    "These manifests, all of them and in this order, are signed with this image.",
    "The set of manifests, or its order, is not the one that was signed with this image.",
  );
}

/** Whether `signature` is the record's key's, over the preimage made of the record's content hash. */
function isSigned(
  { contentHash, publicKey }: RecordVerification,
  signature: string | null,
  preimage: (contentHash: Uint8Array) => Uint8Array,
): boolean {
  return holds(
    () =>
      signature !== null &&
      verifyEd25519(fromBase64(signature), preimage(fromHex(contentHash)), fromBase64(publicKey)),
  );
}

function checkSigningTime({ signedAtUtc }: RecordVerification, now: Date | undefined): RecordCheck {
  if (now === undefined) return check("signingTime", "notChecked", "No clock was given.");
  return checkThat(
    "signingTime",
    readInstant(signedAtUtc) <= now,
    "The record was signed in the past.",
    "The record claims to be signed in the future.",
  );
}
