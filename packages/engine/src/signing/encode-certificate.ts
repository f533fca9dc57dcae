import {
  concat,
  DER,
  ED25519_ALGORITHM,
  EXTENSION,
  fromHex,
  sha256,
  toUtf8,
  writeDer,
} from "@colophon/formats";

/** What a certificate says, before it is signed. */
export interface CertificateContent {
  /** 16 random bytes, read as a positive integer. */
  readonly serialNumber: Uint8Array;
  /** DER names, as `distinguishedName` makes them. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** Whole seconds; fractions are cut. */
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Raw Ed25519 keys of the holder and of the issuer. */
  readonly publicKey: Uint8Array;
  readonly issuerKey: Uint8Array;
  /** How many authorities may follow below this one; null for a certificate that signs content only. */
  readonly authorityPathLength: number | null;
  /** DER of the GeneralNames that it names its subject by as well; null for none. */
  readonly subjectAltName: Uint8Array | null;
}

const VERSION_3 = fromHex("a003020102");
const TRUE = fromHex("0101ff");
const EXTENSIONS_TAG = 0xa3;
const KEY_IDENTIFIER_TAG = 0x80;
const ORGANIZATION = fromHex("55040a");
const COMMON_NAME = fromHex("550403");
/** RFC 5280 appendix A: the longest organization and common name. */
const MAX_NAME = 64;
// keyUsage bit strings, the trailing zero bits named first: keyCertSign (bit 5); digitalSignature (bit 0).
const SIGNS_CERTIFICATES = fromHex("03020204");
const SIGNS_CONTENT = fromHex("03020780");

/** A DER name of an organization and a common name (RFC 5280 4.1.2.4), each 1 to 64 characters; else a RangeError. */
export function distinguishedName(organization: string, commonName: string): Uint8Array {
  return writeDer(DER.sequence, attribute(ORGANIZATION, organization), attribute(COMMON_NAME, commonName));
}

/**
 * The to-be-signed part of an X.509 v3 certificate (RFC 5280) for an Ed25519 key (RFC 8410), with basicConstraints,
 * keyUsage, both key identifiers, and subjectAltName where there is one.
 */
export function encodeTbsCertificate(content: CertificateContent): Uint8Array {
  const isAuthority = content.authorityPathLength !== null;
  return writeDer(
    DER.sequence,
    VERSION_3,
    integer(content.serialNumber),
    ED25519_ALGORITHM,
    content.issuer,
    writeDer(DER.sequence, time(content.notBefore), time(content.notAfter)),
    content.subject,
    writeDer(DER.sequence, ED25519_ALGORITHM, bitString(content.publicKey)),
    writeDer(
      EXTENSIONS_TAG,
      writeDer(
        DER.sequence,
        extension(EXTENSION.basicConstraints, true, basicConstraints(content.authorityPathLength)),
        extension(EXTENSION.keyUsage, true, isAuthority ? SIGNS_CERTIFICATES : SIGNS_CONTENT),
        extension(
          EXTENSION.subjectKeyIdentifier,
          false,
          writeDer(DER.octetString, keyIdentifier(content.publicKey)),
        ),
        extension(
          EXTENSION.authorityKeyIdentifier,
          false,
          writeDer(DER.sequence, writeDer(KEY_IDENTIFIER_TAG, keyIdentifier(content.issuerKey))),
        ),
        ...alternativeName(content.subjectAltName),
      ),
    ),
  );
}

/** The DER of a certificate from its to-be-signed part and the issuer's signature over it. */
export function encodeCertificate(tbs: Uint8Array, signature: Uint8Array): Uint8Array {
  return writeDer(DER.sequence, tbs, ED25519_ALGORITHM, bitString(signature));
}

function attribute(id: Uint8Array, value: string): Uint8Array {
  if (value.length === 0 || value.length > MAX_NAME) throw new RangeError("a name is 1 to 64 characters");
  const pair = [writeDer(DER.objectIdentifier, id), writeDer(DER.utf8String, toUtf8(value))];
  return writeDer(DER.set, writeDer(DER.sequence, ...pair));
}

function extension(id: string, critical: boolean, value: Uint8Array): Uint8Array {
  const flag = critical ? [TRUE] : [];
  return writeDer(
    DER.sequence,
    writeDer(DER.objectIdentifier, fromHex(id)),
    ...flag,
    writeDer(DER.octetString, value),
  );
}

function basicConstraints(pathLength: number | null): Uint8Array {
  if (pathLength === null) return writeDer(DER.sequence);
  return writeDer(DER.sequence, TRUE, integer(Uint8Array.of(pathLength)));
}

function alternativeName(names: Uint8Array | null): Uint8Array[] {
  return names === null ? [] : [extension(EXTENSION.subjectAltName, false, names)];
}

/** RFC 7093 section 2, method 1: the leftmost 160 bits of the key's SHA-256. */
function keyIdentifier(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).subarray(0, 20);
}

function bitString(bytes: Uint8Array): Uint8Array {
  return writeDer(DER.bitString, Uint8Array.of(0), bytes);
}

/** A DER INTEGER of an unsigned big-endian magnitude. */
function integer(magnitude: Uint8Array): Uint8Array {
  const start = magnitude.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Uint8Array.of(0) : magnitude.subarray(start);
  const sign = (digits[0] ?? 0) < 0x80 ? [] : [0];
  return writeDer(DER.integer, concat(Uint8Array.from(sign), digits));
}

/** RFC 5280 4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050 on. */
function time(date: Date): Uint8Array {
  const digits = `${date.toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? writeDer(DER.utcTime, toUtf8(digits.slice(2)))
    : writeDer(DER.generalizedTime, toUtf8(digits));
}
