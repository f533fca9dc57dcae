import { DER, writeDer } from "../bytes/der.ts";
import { toBase64Url, toUtf8 } from "../bytes/encoding.ts";
import { recordDigest, type RecordStatement } from "./preimages.ts";

/** How long before the second of its signature a leaf certificate is valid already, and how long after it still. */
const VALID_BEFORE_MS = 60_000;
const VALID_AFTER_MS = 600_000;
/** RFC 5280 4.2.1.6: the choice uniformResourceIdentifier of a GeneralName. */
const URI_TAG = 0x86;

/**
 * The period for which the certificate of a record's key is valid: some minutes, so that it bears the time of signing.
 */
export function leafPeriod(signedAt: Date): { notBefore: Date; notAfter: Date } {
  const second = Math.floor(signedAt.getTime() / 1000) * 1000;
  return { notBefore: new Date(second - VALID_BEFORE_MS), notAfter: new Date(second + VALID_AFTER_MS) };
}

/** The URI by which a leaf certificate names its record: `ni:///sha-256;...` (RFC 6920) of the record digest. */
export function recordUri(statement: RecordStatement): string {
  return `ni:///sha-256;${toBase64Url(recordDigest(statement))}`;
}

/** The value of the leaf's subjectAltName extension: GeneralNames that hold the record's URI and nothing else. */
export function leafSubjectAltName(statement: RecordStatement): Uint8Array {
  return writeDer(DER.sequence, writeDer(URI_TAG, toUtf8(recordUri(statement))));
}
