import { type Certificate, isIssuedBy, readCertificate } from "../certificate/certificate.ts";
import { organizationOf } from "../certificate/distinguished-name.ts";
import { toHex } from "../bytes/encoding.ts";
import { readInstant } from "../bytes/instant.ts";
import { fromPem } from "../bytes/pem.ts";
import type { PublishedManifest, RecordVerification } from "../record/record.ts";
import { at, check, checkThat, holds, type RecordCheck } from "./record-check.ts";
import { verifyLeaf } from "./verify-leaf.ts";

/** Certificates looked at, the leaf included: a record cannot make its reader verify without end. */
const MAX_CERTIFICATES = 8;

/**
 * Checks a record's certificates: that the leaf holds its key and names the record, that each may do what it does, is
 * signed by the next and was valid at the time of signing, that all are of the organization the record claims to be of,
 * and that the last is the root the reader trusts (PEM).
 */
export function verifyCertificates(
  verification: RecordVerification,
  manifests: readonly PublishedManifest[],
  trustRoot: string | undefined,
): RecordCheck[] {
  const pems = [verification.leafCertificate, ...verification.certificateChain];
  if (pems.length < 2 || pems.length > MAX_CERTIFICATES) {
    const sentence = `The record comes with ${pems.length} certificates; a chain has 2 to ${MAX_CERTIFICATES}.`;
    return [check("certificateUse", "failed", sentence)];
  }
  const certificates = pems.map(readPem);
  const signedAt = readInstant(verification.signedAtUtc);
  return [
    ...verifyLeaf(certificates[0] ?? null, verification, manifests),
    ...certificates.map((certificate, i) => at(i, checkUse(certificate, i))),
    ...certificates.map((certificate, i) => at(i, checkSignature(certificate, certificates, i))),
    ...certificates.map((certificate, i) => at(i, checkValidity(certificate, signedAt, i))),
    checkTrustContext(certificates, verification),
    checkRoot(certificates.at(-1) ?? null, trustRoot),
  ];
}

type Readable = Certificate | null;

function readPem(pem: string): Readable {
  try {
    return readCertificate(fromPem(pem));
  } catch {
    return null;
  }
}

function checkUse(certificate: Readable, position: number): RecordCheck {
  const name = nameOf(position);
  if (certificate === null) {
    return check("certificateUse", "failed", `${name} is not an X.509 v3 certificate with an Ed25519 key.`);
  }
  const { isAuthority, pathLength, usage } = certificate;
  if (position === 0) {
    return checkThat(
      "certificateUse",
      !isAuthority && usage.signsContent,
      `${name} may sign content and nothing else.`,
      `${name} may not sign content, or may issue certificates.`,
    );
  }
  return checkThat(
    "certificateUse",
    // Below an authority in this place stand the leaf and position - 1 authorities (RFC 5280 4.2.1.9).
    isAuthority && usage.signsCertificates && (pathLength === null || pathLength >= position - 1),
    `${name} may issue the certificate below it.`,
    `${name} may not issue the certificate below it.`,
  );
}

function checkSignature(certificate: Readable, all: readonly Readable[], position: number): RecordCheck {
  const name = nameOf(position);
  const isRoot = position === all.length - 1;
  const issuer = isRoot ? certificate : (all[position + 1] ?? null);
  if (certificate === null || issuer === null) {
    return check("certificateSignature", "notChecked", `${name} or its issuer cannot be read.`);
  }
  const by = isRoot ? "itself" : "the next certificate";
  return checkThat(
    "certificateSignature",
    isIssuedBy(certificate, issuer),
    `${name} is signed by ${by}.`,
    `${name} is not signed by ${by}.`,
  );
}

function checkValidity(certificate: Readable, signedAt: Date, position: number): RecordCheck {
  const name = nameOf(position);
  if (certificate === null) return check("certificateValidity", "notChecked", `${name} cannot be read.`);
  return checkThat(
    "certificateValidity",
    // A date that cannot be read compares false with everything.
    certificate.notBefore <= signedAt && signedAt <= certificate.notAfter,
    `${name} was valid when the record was signed.`,
    `${name} was not valid when the record was signed.`,
  );
}

function checkTrustContext(all: readonly Readable[], { trustContext }: RecordVerification): RecordCheck {
  const readable = all.filter((one) => one !== null);
  if (readable.length < all.length) {
    return check("trustContext", "notChecked", "A certificate cannot be read.");
  }
  return checkThat(
    "trustContext",
    readable.every(({ subject }) => holds(() => organizationOf(subject) === trustContext)),
    "The trust context is the organization that every certificate names.",
    "The trust context is not the organization that every certificate names.",
  );
}

function checkRoot(root: Readable, trustRoot: string | undefined): RecordCheck {
  if (trustRoot === undefined) {
    return check("trustRoot", "notChecked", "No trust root was given to compare the chain's root with.");
  }
  const trusted = readPem(trustRoot);
  return checkThat(
    "trustRoot",
    root !== null && trusted !== null && toHex(root.der) === toHex(trusted.der),
    "The chain ends in the trusted root.",
    "The chain does not end in the trusted root.",
  );
}

function nameOf(position: number): string {
  return position === 0 ? "The leaf certificate" : `Certificate ${position} of the chain`;
}
