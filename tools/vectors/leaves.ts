import {
  DER,
  EXTENSION,
  fromHex,
  fromPem,
  readDer,
  type RecordStatement,
  recordUri,
  sha256Hex,
  toHex,
  toPem,
  toUtf8,
  writeDer,
} from "@colophon/formats";
import { type Answer, answer, LEAF_CERTIFICATE, LEAF_FROM_BEFORE } from "./answers.ts";
import {
  failing,
  type RecordVector,
  UNSIGNED_MANIFESTS,
  verificationWith,
  withoutManifests,
  withUnsignedManifests,
} from "./record-vector.ts";

const URI = 0x86;
const DNS_NAME = 0x82;
const ALL_VALIDITIES = ["certificateValidity 0", "certificateValidity 1", "certificateValidity 2"];

/** Records that are not the one their leaf certificate names. */
export function leafVectors(): RecordVector[] {
  return [...strippedRecords(), ...movedTimes(), ...wrongNames(), ...wrongLeaves()];
}

function strippedRecords(): RecordVector[] {
  return [
    failing("manifests taken away", withoutManifests(answer()), ["recordDigest"], ["collectionSignature"]),
    failing(
      "all that signs manifests stripped, and their text changed",
      withUnsignedManifests(answer()),
      ["recordDigest"],
      UNSIGNED_MANIFESTS,
    ),
  ];
}

function movedTimes(): RecordVector[] {
  const moved = (name: string, signedAtUtc: string, ...more: string[]): RecordVector =>
    failing(name, verificationWith({ signedAtUtc }), ["recordDigest", ...more]);
  const unreadable = ["leafPeriod", ...ALL_VALIDITIES, "signingTime"];
  return [
    moved("a time moved by a millisecond", "2026-11-20T12:00:00.249Z"),
    moved("a time moved by a second", "2026-11-20T12:00:01.250Z", "leafPeriod"),
    moved("a time moved by ten minutes", "2026-11-20T12:10:00.250Z", "leafPeriod", "certificateValidity 0"),
    moved(
      "a time moved to 2040",
      "2040-11-20T12:00:00.250Z",
      "leafPeriod",
      "certificateValidity 0",
      "signingTime",
    ),
    moved("a time in another zone", "2026-11-20T13:00:00.250+01:00", ...unreadable),
    moved("a time to the microsecond", "2026-11-20T12:00:00.250001Z", ...unreadable),
    moved("a day that is in no calendar", "2026-11-31T12:00:00.250Z", ...unreadable),
    moved("signed at no time", "yesterday", ...unreadable),
  ];
}

function wrongNames(): RecordVector[] {
  const named = (name: string, of: (uri: string, statement: RecordStatement) => Uint8Array): RecordVector =>
    failing(name, answer({ names: (statement) => of(recordUri(statement), statement) }), ["recordDigest"]);
  const names = (...list: Uint8Array[]): Uint8Array => writeDer(DER.sequence, ...list);
  const uri = (text: string): Uint8Array => writeDer(URI, toUtf8(text));
  const other = (statement: RecordStatement): string => recordUri({ ...statement, manifests: [] });
  return [
    named("a leaf that names another record", (_, statement) => names(uri(other(statement)))),
    named("a leaf that names two records", (own, statement) => names(uri(own), uri(other(statement)))),
    named("a leaf that names its record twice", (own) => names(uri(own), uri(own))),
    named("a leaf that names nothing", () => names()),
    named("a name with padding", (own) => names(uri(`${own}=`))),
    named("a name cut short", (own) => names(uri(own.slice(0, -1)))),
    named("a name with an authority", (own) => names(uri(own.replace("///", "//registry.example/")))),
    named("a name of another hash", (own) => names(uri(own.replace("sha-256", "sha-512")))),
    named("a name in capitals", (own) => names(uri(own.replace("ni:", "NI:")))),
    named("a name with a query", (own) => names(uri(`${own}?ct=text/plain`))),
    named("a name of another type", (own) => names(writeDer(DNS_NAME, toUtf8(own)))),
    named("names that are no list", (own) => uri(own)),
    named("names that are no DER", () => fromHex("3080")),
  ];
}

function wrongLeaves(): RecordVector[] {
  const { notBefore, notAfter } = LEAF_CERTIFICATE;
  const later = (date: Date): Date => new Date(date.getTime() + 1000);
  return [
    failing("a leaf for years", answer({ leaf: LEAF_FROM_BEFORE }), ["leafPeriod"]),
    failing(
      "a leaf from a second later on",
      answer({ leaf: { ...LEAF_CERTIFICATE, notBefore: later(notBefore) } }),
      ["leafPeriod"],
    ),
    failing(
      "a leaf for a second longer",
      answer({ leaf: { ...LEAF_CERTIFICATE, notAfter: later(notAfter) } }),
      ["leafPeriod"],
    ),
    failing(
      "a leaf whose name was cut out",
      withNamelessLeaf(answer()),
      ["certificateSignature 0"],
      ["recordDigest", "leafPeriod"],
    ),
  ];
}

/** The record with the name cut out of its leaf, whose signature then covers something else. */
function withNamelessLeaf(of: Answer): Answer {
  const [tbs, ...signature] = parts(fromPem(of.verification.leafCertificate));
  const fields = parts(tbs!);
  const extensions = parts(parts(fields.at(-1))[0]!);
  const kept = extensions.filter((one) => !toHex(one).includes(EXTENSION.subjectAltName));
  const others = writeDer(fields.at(-1)[0]!, writeDer(DER.sequence, ...kept));
  const der = writeDer(DER.sequence, writeDer(DER.sequence, ...fields.slice(0, -1), others), ...signature);
  return verificationWith({ leafCertificate: toPem(der), leafCertificateThumbprint: sha256Hex(der) }, of);
}

/** The elements within one DER element. */
function parts(der: Uint8Array): Uint8Array[] {
  return readDer(readDer(der)[0]!.content).map(({ whole }) => whole);
}
