import type { Certificate } from "../certificate/certificate.ts";
import { fromBase64, toHex } from "../bytes/encoding.ts";
import { sha256Hex } from "../bytes/hashes.ts";
import { leafPeriod, leafSubjectAltName } from "../record/leaf-certificate.ts";
import { readInstant } from "../bytes/instant.ts";
import { type PublishedManifest, type RecordVerification, statementOf } from "../record/record.ts";
import { check, checkThat, holds, type RecordCheck } from "./record-check.ts";

/**
 * Checks that the certificate of a record's key is the one the record names, holds its key, names this record and bears
 * its time. A leaf without a subjectAltName is from before certificates did the last two, which are then absent.
 */
export function verifyLeaf(
  leaf: Certificate | null,
  verification: RecordVerification,
  manifests: readonly PublishedManifest[],
): RecordCheck[] {
  if (leaf === null) {
    const names = ["leafThumbprint", "leafKey", "recordDigest", "leafPeriod"] as const;
    return names.map((name) => check(name, "notChecked", "The leaf certificate cannot be read."));
  }
  return [
    checkThat(
      "leafThumbprint",
      sha256Hex(leaf.der) === verification.leafCertificateThumbprint,
      "The leaf certificate is the one its thumbprint names.",
      "The leaf certificate is not the one its thumbprint names.",
    ),
    checkThat(
      "leafKey",
      holds(() => toHex(fromBase64(verification.publicKey)) === toHex(leaf.publicKey)),
      "The leaf certificate holds the record's public key.",
      "The leaf certificate holds another key than the record's public key.",
    ),
    checkDigest(leaf, verification, manifests),
    checkPeriod(leaf, verification),
  ];
}

function checkDigest(
  { subjectAltName }: Certificate,
  verification: RecordVerification,
  manifests: readonly PublishedManifest[],
): RecordCheck {
  if (subjectAltName === null) {
    const sentence =
      "The leaf certificate is from before certificates named their record: nothing signs the time, or that there is no manifest.";
    return check("recordDigest", "absent", sentence);
  }
  return checkThat(
    "recordDigest",
    // The one encoding there is of the one name: whatever else stands there is not this record's.
    holds(() => toHex(leafSubjectAltName(statementOf(verification, manifests))) === toHex(subjectAltName)),
    "The leaf certificate names this record: this image, these manifests and no others, this time.",
    "The leaf certificate does not name this record: its manifests, its image or its time are not what was signed.",
  );
}

function checkPeriod(leaf: Certificate, { signedAtUtc }: RecordVerification): RecordCheck {
  if (leaf.subjectAltName === null) {
    return check("leafPeriod", "absent", "The leaf certificate is from before certificates bore the time.");
  }
  const { notBefore, notAfter } = leafPeriod(readInstant(signedAtUtc));
  return checkThat(
    "leafPeriod",
    leaf.notBefore.getTime() === notBefore.getTime() && leaf.notAfter.getTime() === notAfter.getTime(),
    "The leaf certificate is valid for the minutes around the signing only.",
    "The leaf certificate is not valid for just the minutes around the signing.",
  );
}
