import { readFileSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  DER,
  fromHex,
  fromPem,
  isIssuedBy,
  organizationOf,
  readCertificate,
  readDer,
  readDistinguishedName,
  toHex,
  toUtf8,
  toPem,
  writeDer,
} from "../src/index.ts";

interface Vectors {
  readonly records: readonly { readonly record: string }[];
}

const file = new URL("../../../vectors/records.json", import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(file, "utf8"));
const { verification } = JSON.parse(vectors.records[0]?.record ?? "");
const pems: string[] = [verification.leafCertificate, ...verification.certificateChain];
const [leaf, intermediate, root] = pems.map((pem) => readCertificate(fromPem(pem)));

test("a certificate is read as Node reads it", () => {
  for (const pem of pems) {
    const expected = new X509Certificate(pem);
    const read = readCertificate(fromPem(pem));
    expect(toHex(read.der)).toBe(expected.raw.toString("hex"));
    expect(read.notBefore).toEqual(new Date(expected.validFrom));
    expect(read.notAfter).toEqual(new Date(expected.validTo));
    expect(read.isAuthority).toBe(expected.ca);
    expect(BigInt(`0x${read.serialNumber}`)).toBe(BigInt(`0x${expected.serialNumber}`));
    expect(Buffer.from(read.publicKey).toString("base64url")).toBe(
      expected.publicKey.export({ format: "jwk" }).x,
    );
  }
});

test("names are given in words, as Node gives them", () => {
  for (const pem of pems) {
    const { subject, issuer } = new X509Certificate(pem);
    const read = readCertificate(fromPem(pem));
    expect(readDistinguishedName(read.subject).replaceAll(", ", "\n")).toBe(subject);
    expect(readDistinguishedName(read.issuer).replaceAll(", ", "\n")).toBe(issuer);
  }
  expect(() => readDistinguishedName(leaf!.publicKey)).toThrow(SyntaxError);
});

/** A name with an attribute in each of its relative names. */
function name(...attributes: string[]): Uint8Array {
  return writeDer(
    DER.sequence,
    ...attributes.map((hex) => writeDer(DER.set, writeDer(DER.sequence, fromHex(hex)))),
  );
}

test("the organization is the one that the name states, in an encoding that says which", () => {
  for (const one of [leaf, intermediate, root]) expect(organizationOf(one!.subject)).toBe("vectors.example");
  const [utf8, printable, teletex] = ["0c", "13", "14"].map((tag) => `060355040a${tag}0161`);
  expect(organizationOf(name(utf8!))).toBe("a");
  expect(organizationOf(name("06035504030c0162", printable!))).toBe("a");
  expect(organizationOf(name(teletex!))).toBeNull();
  expect(organizationOf(name("06035504030c0162"))).toBeNull();
  expect(organizationOf(name(utf8!, utf8!))).toBeNull();
  const both = writeDer(DER.set, ...[utf8!, printable!].map((hex) => writeDer(DER.sequence, fromHex(hex))));
  expect(organizationOf(writeDer(DER.sequence, both))).toBeNull();
  expect(() => organizationOf(leaf!.publicKey)).toThrow(SyntaxError);
});

test("the names of a subject are given as they stand there", () => {
  const { subjectAltName } = new X509Certificate(pems[0] ?? "");
  const [uri] = readDer(readDer(leaf!.subjectAltName!)[0]!.content);
  expect(subjectAltName).toBe(`URI:${new TextDecoder().decode(uri!.content)}`);
  expect([intermediate!.subjectAltName, root!.subjectAltName]).toEqual([null, null]);
});

test("what a certificate may be used for", () => {
  const use = [leaf, intermediate, root].map((one) => [one?.isAuthority, one?.pathLength, one?.usage]);
  expect(use).toEqual([
    [false, null, { signsContent: true, signsCertificates: false }],
    [true, 0, { signsContent: false, signsCertificates: true }],
    [true, 1, { signsContent: false, signsCertificates: true }],
  ]);
  expect([
    isIssuedBy(leaf!, intermediate!),
    isIssuedBy(intermediate!, root!),
    isIssuedBy(root!, root!),
  ]).toEqual([true, true, true]);
  expect(isIssuedBy(leaf!, root!)).toBe(false);
});

test("no changed byte of a certificate goes unseen", () => {
  const der = leaf!.der;
  fc.assert(
    fc.property(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Uint8Array.from(der);
      changed[at] = (changed[at] ?? 0) ^ flip;
      expect(isSound(changed)).toBe(false);
    }),
    { numRuns: 500 },
  );
  expect(isSound(der)).toBe(true);
});

function isSound(der: Uint8Array): boolean {
  try {
    return isIssuedBy(readCertificate(der), intermediate!);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return false;
    throw error;
  }
}

test("a certificate cut short or continued is refused", () => {
  const der = leaf!.der;
  for (let length = 0; length < der.length; length += 1) {
    expect(() => readCertificate(der.subarray(0, length))).toThrow(SyntaxError);
  }
  expect(() => readCertificate(Uint8Array.of(...der, 5, 0))).toThrow(SyntaxError);
});

/** The leaf with its to-be-signed fields changed: read, though no longer signed. */
function leafWith(change: (fields: Uint8Array[]) => Uint8Array[]): Uint8Array {
  const [tbs, ...rest] = readDer(readDer(leaf!.der)[0]!.content);
  const fields = change(readDer(tbs!.content).map(({ whole }) => whole));
  return writeDer(DER.sequence, writeDer(DER.sequence, ...fields), ...rest.map(({ whole }) => whole));
}

function withExtensions(...added: string[]): Uint8Array {
  return leafWith((fields) => {
    const own = readDer(readDer(fields[7]!)[0]!.content)[0]!.content;
    return [...fields.slice(0, 7), writeDer(0xa3, writeDer(DER.sequence, own, ...added.map(fromHex)))];
  });
}

function withOnly(extension: string): Uint8Array {
  const only = writeDer(0xa3, writeDer(DER.sequence, fromHex(extension)));
  return leafWith((fields) => fields.with(7, only));
}

test("extensions that are not known are skipped, unless critical", () => {
  expect(readCertificate(withExtensions("300a06032a03040403020100"))).toMatchObject({ isAuthority: false });
  expect(readCertificate(withOnly("30120603551d130101ff040830060101ff02017f"))).toMatchObject({
    pathLength: 127,
  });
  expect(readCertificate(leafWith((fields) => fields)).subject).toEqual(leaf!.subject);
});

test.each<[string, () => Uint8Array]>([
  ["a critical extension that is not known", () => withExtensions("300d06032a03040101ff0403020100")],
  ["an extension given twice", () => withExtensions("300906032a030404020500", "300906032a030404020500")],
  ["a criticality written as false", () => withOnly("300c0603551d1301010004023000")],
  ["a negative path length", () => withOnly("30120603551d130101ff040830060101ff020180")],
  ["authority written as false", () => withOnly("300f0603551d130101ff04053003010100")],
  ["a second subjectAltName", () => withExtensions("30090603551d1104023000")],
  ["a second key usage", () => withExtensions("300b0603551d0f040403020204")],
  ["an extension of four parts", () => withExtensions("300f06032a03040101ff0101ff04020500")],
  ["no version", () => leafWith((fields) => fields.slice(1))],
  ["version 1", () => leafWith(([, ...fields]) => [fromHex("a003020100"), ...fields])],
  [
    "another signature algorithm inside",
    () => leafWith((fields) => fields.with(2, fromHex("300506032b6571"))),
  ],
  ["another kind of key", () => leafWith((fields) => fields.with(6, fromHex("300906042a030405030100")))],
  [
    "a time that is none",
    () => leafWith((fields) => fields.with(4, times("260231000000Z", "270101000000Z"))),
  ],
  [
    "a time with a zone",
    () => leafWith((fields) => fields.with(4, times("2601310000+0100", "270101000000Z"))),
  ],
])("%s is refused", (_name, make) => {
  expect(() => readCertificate(make())).toThrow(SyntaxError);
});

test("a two-digit year from 50 on is of the twentieth century", () => {
  const read = readCertificate(leafWith((fields) => fields.with(4, times("500101000000Z", "491231235959Z"))));
  expect([read.notBefore.getUTCFullYear(), read.notAfter.getUTCFullYear()]).toEqual([1950, 2049]);
});

function times(...texts: string[]): Uint8Array {
  return writeDer(DER.sequence, ...texts.map((text) => writeDer(DER.utcTime, toUtf8(text))));
}

test.each([
  ["an indefinite length", "30800000"],
  ["a length longer than needed", "30810100"],
  ["a length with a leading zero", `30820080${"00".repeat(128)}`],
  ["a length past the end", "300201"],
  ["a length of eight bytes", "308800000000000000010"],
  ["a tag of several bytes", "1f8101"],
  ["a tag alone", "30"],
])("DER with %s is refused", (_name, hex) => {
  expect(() => readDer(fromHex(hex.length % 2 === 0 ? hex : `${hex}0`))).toThrow(SyntaxError);
});

test("DER elements round trip", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0x1e }), fc.nat(70_000), (tag, length) => {
      const content = new Uint8Array(length).fill(tag);
      const [element, ...rest] = readDer(writeDer(tag, content));
      expect(rest).toEqual([]);
      expect(element?.tag).toBe(tag);
      expect(element?.content.length).toBe(length);
    }),
    { numRuns: 30 },
  );
});

test("PEM holds exactly one certificate", () => {
  const pem = toPem(leaf!.der);
  expect(pem).toBe(pems[0]);
  expect(fromPem(pem.replaceAll("\n", "\r\n"))).toEqual(leaf!.der);
  for (const text of [
    "",
    pem + pem,
    pem.replace("BEGIN CERT", "BEGIN PRIV"),
    `x${pem}`,
    pem.replace("MII", "M-I"),
  ]) {
    expect(() => fromPem(text)).toThrow(SyntaxError);
  }
});
