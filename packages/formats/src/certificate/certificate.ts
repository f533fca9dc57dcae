import { ed25519 } from "@noble/curves/ed25519.js";
import { DER, type DerElement, readDer } from "../bytes/der.ts";
import { fromHex, fromUtf8, toHex } from "../bytes/encoding.ts";

/** An X.509 v3 certificate (RFC 5280) with an Ed25519 key (RFC 8410), as far as verifying a record needs it. */
export interface Certificate {
  readonly der: Uint8Array;
  /** The bytes the issuer signed. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
  /** Lowercase hex of the serial number's DER content. */
  readonly serialNumber: string;
  /** DER names, comparable byte for byte. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** 32 raw bytes. */
  readonly publicKey: Uint8Array;
  /** Whether basicConstraints make it a certification authority, and how many authorities may follow below it. */
  readonly isAuthority: boolean;
  readonly pathLength: number | null;
  readonly usage: KeyUsage;
  /** DER of the GeneralNames in its subjectAltName, comparable byte for byte; null without that extension. */
  readonly subjectAltName: Uint8Array | null;
}

/** The uses of a key that matter here; a certificate without the extension may be used for anything. */
export interface KeyUsage {
  readonly signsContent: boolean;
  readonly signsCertificates: boolean;
}

/** Extension object identifiers, as DER content in hex. */
export const EXTENSION = {
  subjectKeyIdentifier: "551d0e",
  keyUsage: "551d0f",
  subjectAltName: "551d11",
  basicConstraints: "551d13",
  authorityKeyIdentifier: "551d23",
} as const;

/** AlgorithmIdentifier of Ed25519 (1.3.101.112, no parameters): signatures and keys alike. */
export const ED25519_ALGORITHM: Uint8Array = fromHex("300506032b6570");

const ED25519 = toHex(ED25519_ALGORITHM);
const VERSION_3 = "a003020102";
const VERSION_TAG = 0xa0;
const EXTENSIONS_TAG = 0xa3;
const TIME = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;

/**
 * Reads a DER certificate. Throws a SyntaxError on anything that is not an X.509 v3 certificate with an Ed25519 key and
 * signature, and on a critical extension it does not know.
 */
export function readCertificate(der: Uint8Array): Certificate {
  const [tbs, algorithm, signature] = children(single(der), DER.sequence, 3);
  if (toHex(algorithm.whole) !== ED25519) throw new SyntaxError("a certificate not signed with Ed25519");
  const [version, serial, signedWith, issuer, validity, subject, key, extensions] = children(
    tbs,
    DER.sequence,
    8,
  );
  if (toHex(version.whole) !== VERSION_3 || version.tag !== VERSION_TAG) {
    throw new SyntaxError("not an X.509 v3 certificate");
  }
  if (toHex(signedWith.whole) !== ED25519) {
    throw new SyntaxError("two signature algorithms in one certificate");
  }
  const [notBefore, notAfter] = children(validity, DER.sequence, 2);
  return {
    der,
    signed: tbs.whole,
    signature: bitString(signature, 64),
    serialNumber: toHex(content(serial, DER.integer)),
    issuer: issuer.whole,
    subject: subject.whole,
    notBefore: time(notBefore),
    notAfter: time(notAfter),
    publicKey: ed25519Key(key),
    ...extensionsOf(content(extensions, EXTENSIONS_TAG)),
  };
}

/** Whether `certificate` carries the issuer's name and a signature by the issuer's key. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  return (
    toHex(certificate.issuer) === toHex(issuer.subject) &&
    verifyEd25519(certificate.signature, certificate.signed, issuer.publicKey)
  );
}

/** Whether `signature` is an Ed25519 signature (RFC 8032, strict) over `message`; malformed input is just no. */
export function verifyEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

function extensionsOf(
  bytes: Uint8Array,
): Pick<Certificate, "isAuthority" | "pathLength" | "usage" | "subjectAltName"> {
  const found = readExtensions(bytes);
  const basic = found.get(EXTENSION.basicConstraints);
  const usage = found.get(EXTENSION.keyUsage);
  return {
    ...basicConstraints(basic),
    usage: usage === undefined ? { signsContent: true, signsCertificates: true } : keyUsage(usage),
    subjectAltName: found.get(EXTENSION.subjectAltName) ?? null,
  };
}

function readExtensions(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const known = new Set<string>(Object.values(EXTENSION));
  const found = new Map<string, Uint8Array>();
  for (const extension of readDer(content(single(bytes), DER.sequence))) {
    const parts = readDer(content(extension, DER.sequence));
    const [id, second] = parts;
    const value = parts.at(-1);
    if (id === undefined || second === undefined || value === undefined || parts.length > 3) {
      throw new SyntaxError("not a certificate extension");
    }
    const name = toHex(content(id, DER.objectIdentifier));
    const critical = parts.length === 3 && expectTrue(second);
    if (found.has(name)) throw new SyntaxError("an extension given twice");
    if (critical && !known.has(name)) throw new SyntaxError("a critical extension that is not known");
    found.set(name, content(value, DER.octetString));
  }
  return found;
}

function basicConstraints(value: Uint8Array | undefined): {
  isAuthority: boolean;
  pathLength: number | null;
} {
  if (value === undefined) return { isAuthority: false, pathLength: null };
  const [authority, length, ...rest] = readDer(content(single(value), DER.sequence));
  if (rest.length > 0) throw new SyntaxError("not basic constraints");
  const isAuthority = authority !== undefined && expectTrue(authority);
  if (length === undefined) return { isAuthority, pathLength: null };
  const [pathLength, ...more] = content(length, DER.integer);
  if (pathLength === undefined || pathLength > 0x7f || more.length > 0) {
    throw new SyntaxError("not a path length");
  }
  return { isAuthority, pathLength };
}

function keyUsage(value: Uint8Array): KeyUsage {
  const [unused, bits = 0] = content(single(value), DER.bitString);
  if (unused === undefined || unused > 7) throw new SyntaxError("not a key usage");
  return { signsContent: (bits & 0x80) !== 0, signsCertificates: (bits & 0x04) !== 0 };
}

function ed25519Key(element: DerElement): Uint8Array {
  const [algorithm, key] = children(element, DER.sequence, 2);
  if (toHex(algorithm.whole) !== ED25519) throw new SyntaxError("not an Ed25519 key");
  return bitString(key, 32);
}

function time(element: DerElement): Date {
  const text = fromUtf8(element.content);
  const [year, ...rest] = (TIME.exec(text)?.slice(1) ?? []).map(Number);
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = rest;
  const short = element.tag === DER.utcTime && text.length === 13;
  const long = element.tag === DER.generalizedTime && text.length === 15;
  if (year === undefined || (!short && !long)) throw new SyntaxError("not a certificate time");
  // RFC 5280 4.1.2.5.1: two-digit years from 50 on are of the twentieth century.
  const fullYear = long ? year : year + (year < 50 ? 2000 : 1900);
  const date = new Date(Date.UTC(fullYear, month - 1, day, hour, minute, second));
  const written = date
    .toISOString()
    .replaceAll(/[-:T]/g, "")
    .slice(short ? 2 : 0, 14);
  if (`${written}Z` !== text) {
    throw new SyntaxError("not a certificate time");
  }
  return date;
}

function expectTrue(element: DerElement): true {
  if (toHex(element.whole) !== "0101ff") throw new SyntaxError("not a DER true");
  return true;
}

function bitString(element: DerElement, bytes: number): Uint8Array {
  const bits = content(element, DER.bitString);
  if (bits.length !== bytes + 1 || bits[0] !== 0) throw new SyntaxError(`not a bit string of ${bytes} bytes`);
  return bits.subarray(1);
}

function content(element: DerElement, tag: number): Uint8Array {
  if (element.tag !== tag) throw new SyntaxError("not the expected DER element");
  return element.content;
}

function single(bytes: Uint8Array): DerElement {
  const [element, ...rest] = readDer(bytes);
  if (element === undefined || rest.length > 0) throw new SyntaxError("not one DER element");
  return element;
}

type Tuple<N extends number, T extends DerElement[] = []> = T["length"] extends N
  ? T
  : Tuple<N, [...T, DerElement]>;

function children<N extends number>(element: DerElement, tag: number, count: N): Tuple<N> {
  const found = readDer(content(element, tag));
  if (!hasLength(found, count)) throw new SyntaxError("a DER sequence of another length");
  return found;
}

function hasLength<N extends number>(elements: DerElement[], count: N): elements is DerElement[] & Tuple<N> {
  return elements.length === count;
}
