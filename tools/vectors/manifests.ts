import {
  collectionPreimage,
  fromHex,
  leafSubjectAltName,
  manifestHash,
  manifestPreimage,
  manifestsHash,
  recordDigest,
  recordPreimage,
  type RecordStatement,
  recordUri,
  sha256,
  type StoredManifest,
  storedBytes,
  toBase64,
  toHex,
  toUtf8,
  wrapJson,
} from "@colophon/formats";
import { leafKey, sign } from "./keys.ts";

const JSON_TEXTS: readonly [kind: string, text: string][] = [
  ["a", "{}"],
  ["cr.json", '{"b": 1.0, "a": 1e5, "a": "\\u00e9"}'],
  ["Kind_with-64.characters".padEnd(64, "x"), ' \r\n\t{"outer": "whitespace"}\n '],
  ["utf-8", '{"é€😀":"\\ud800"}'],
];

/** JSON manifests and the superbox each is kept as. */
export function jumbfVectors(): object {
  return JSON_TEXTS.map(([kind, text]) => {
    const stored = storedBytes("json", kind, toUtf8(text));
    return { kind, json: toHex(toUtf8(text)), stored: toHex(stored), hash: manifestHash(stored) };
  });
}

/** Posted bytes and whether they open as a JUMBF manifest must. */
export function jumbfHeaderVectors(): object {
  const description = "0000001c6a756d6463327061001100108000 00aa00389b7103616200".replaceAll(" ", "");
  const accepted: readonly [rule: string, hex: string][] = [
    ["sizes of 32 bits", `000000246a756d62${description}`],
    ["a superbox of size 0 reaches to the end", `000000006a756d62${description}`],
    ["a superbox with a 64-bit size", `000000016a756d62000000000000002c${description}`],
    ["a description header and nothing else", "000000106a756d62000000086a756d64"],
    ["a child with a 64-bit size", "000000206a756d62000000016a756d640000000000000018ffffffffffffffff"],
    ["bytes after the superbox are not read", `000000246a756d62${description}ffff`],
  ];
  const refused: readonly [rule: string, hex: string][] = [
    ["nothing", ""],
    ["a header cut short", "000000246a756d"],
    ["a 64-bit size cut short", "000000016a756d6200000000"],
    ["a superbox without a child", "000000086a756d62"],
    ["a box that is no superbox", `000000246a756d63${description}`],
    ["a first child that is no description", "000000106a756d62000000086a736f6e"],
    ["a description after the superbox", "000000086a756d62000000086a756d64"],
    ["a superbox past the end of the bytes", `000000256a756d62${description}`],
    ["a child past the end of its superbox", "000000106a756d62000000096a756d64ff"],
    ["a size that cannot hold its own header", `000000076a756d62${description}`],
    ["a child's size that cannot hold its own header", "000000106a756d62000000076a756d64"],
    ["a 64-bit size that cannot hold its own header", `000000016a756d62000000000000000f${description}`],
    ["a 64-bit size past the end of the bytes", `000000016a756d62ffffffffffffffff${description}`],
  ];
  const vector = (list: readonly [rule: string, hex: string][], verdict: boolean): object[] =>
    list.map(([rule, bytes]) => ({ rule, bytes, accepted: verdict }));
  return [...vector(accepted, true), ...vector(refused, false)];
}

/** Two manifests, one of each form, as the vectors of digests and records use them. */
export const exampleManifests: readonly (StoredManifest & { readonly payload: Uint8Array })[] = [
  example("cr.json", "json", toUtf8('{"creator" : "Ada",\n  "rating": 1.0, "rating": 1e5}')),
  example("c2pa", "jumbf", wrapJson("c2pa.example", toUtf8("{}"))),
];

function example(
  kind: string,
  form: "json" | "jumbf",
  payload: Uint8Array,
): StoredManifest & { payload: Uint8Array } {
  return { kind, form, payload, stored: storedBytes(form, kind, payload) };
}

/** Manifest lists and their digests. */
export function manifestsHashVectors(): object {
  const lists = [[], exampleManifests.slice(0, 1), exampleManifests, exampleManifests.toReversed()];
  return lists.map((list) => ({
    manifests: list.map(({ kind, form, stored }) => ({ kind, form, stored: toHex(stored) })),
    manifestsHash: manifestsHash(list),
  }));
}

/** Preimages of manifest and collection signatures, signed with the leaf key, and of record digests. */
export function preimageVectors(): object {
  const contentHash = sha256(toUtf8("any 32 bytes"));
  const manifests = exampleManifests.map(({ kind, stored }) => ({
    kind,
    hash: fromHex(manifestHash(stored)),
  }));
  const signed = (preimage: Uint8Array): object => ({
    preimage: toHex(preimage),
    signature: toBase64(sign(leafKey, preimage)),
  });
  return {
    canonicalVersion: 2,
    contentHash: toHex(contentHash),
    publicKey: toHex(leafKey.publicKey),
    image: { signature: toBase64(sign(leafKey, contentHash)) },
    manifests: manifests.map((manifest) => ({
      kind: manifest.kind,
      hash: toHex(manifest.hash),
      ...signed(manifestPreimage(2, contentHash, manifest)),
    })),
    collections: [[], manifests, manifests.toReversed()].map((list) => ({
      kinds: list.map(({ kind }) => kind),
      ...signed(collectionPreimage(2, contentHash, list)),
    })),
    records: [[], manifests].map((list) =>
      recordVector({ canonicalVersion: 2, contentHash, manifests: list, signedAt: SIGNED_AT }),
    ),
  };
}

const SIGNED_AT = new Date("2026-11-20T12:00:00.250Z");

/** A record's digest, without and with its leaf certificate, and the name that certificate gives it. */
function recordVector(statement: RecordStatement): object {
  const leafCertificate = toUtf8("the DER of a certificate");
  return {
    kinds: statement.manifests.map(({ kind }) => kind),
    signedAtUtc: statement.signedAt.toISOString(),
    preimage: toHex(recordPreimage(statement)),
    digest: toHex(recordDigest(statement)),
    uri: recordUri(statement),
    subjectAltName: toHex(leafSubjectAltName(statement)),
    leafCertificate: toHex(leafCertificate),
    preimageWithLeaf: toHex(recordPreimage(statement, leafCertificate)),
    digestWithLeaf: toHex(recordDigest(statement, leafCertificate)),
  };
}
