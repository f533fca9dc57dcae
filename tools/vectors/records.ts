import { blake3, type RecordVerification, toHex, toUtf8 } from "@colophon/formats";
import {
  answer,
  type Answer,
  type AnswerManifest,
  INTERMEDIATE_CERTIFICATE,
  type Issue,
  LEAF_CERTIFICATE,
  originalFile,
  ROOT_CERTIFICATE,
  text,
  trustRoot,
} from "./answers.ts";
import { strangerKey } from "./keys.ts";

function verificationWith(changes: Partial<RecordVerification>): Answer {
  const sound = answer();
  return { ...sound, verification: { ...sound.verification, ...changes } };
}

function firstManifestWith(changes: Partial<AnswerManifest>): Answer {
  const sound = answer();
  return { ...sound, manifests: sound.manifests.map((one, i) => (i === 0 ? { ...one, ...changes } : one)) };
}

/** One record, and the checks that must not pass: failed ones in `failed`, absent ones in `absent`. */
interface RecordVector {
  readonly name: string;
  readonly record: string;
  readonly verdict: string;
  readonly failed: readonly string[];
  readonly absent?: readonly string[];
}

const ALL_SIGNATURES = [
  "imageSignature",
  "manifestSignature 0",
  "manifestSignature 1",
  "collectionSignature",
];

function soundRecords(): RecordVector[] {
  const sound = (name: string, of: Answer, absent: string[] = []): RecordVector => ({
    name,
    record: text(of),
    verdict: "verified",
    failed: [],
    absent,
  });
  const unsigned = ["manifestHash 0", "manifestSignature 0", "manifestHash 1", "manifestSignature 1"];
  return [
    sound("two manifests", answer()),
    sound("no manifest", answer({ manifests: [] }), ["collectionSignature"]),
    {
      ...sound("from before manifest signing", answer({ version: 1 }), [...unsigned, "collectionSignature"]),
      verdict: "imageOnly",
    },
    {
      ...sound("all that signs manifests stripped, and their text changed", stripped(), [
        ...unsigned,
        "collectionSignature",
      ]),
      verdict: "imageOnly",
    },
  ];
}

/** A record that claims to be from before manifest signing; its image signature cannot tell. */
function stripped(): Answer {
  const { manifests, ...rest } = verificationWith({ canonicalVersion: 1, collectionSignature: null });
  const changed = manifests.map((one) => ({
    ...one,
    payload: one.payload.replace("Ada", "Bob"),
    hash: null,
    signature: null,
  }));
  return { ...rest, manifests: changed };
}

function tamperedManifests(): RecordVector[] {
  const { manifests, ...rest } = answer();
  const [json, jumbf] = manifests;
  const posted = json!.payload;
  const manifestFails = ["manifestHash 0"];
  const setFails = ["collectionSignature"];
  return [
    failing(
      "a JSON payload reprinted",
      firstManifestWith({ payload: posted.replace(" : ", ": ") }),
      manifestFails,
    ),
    failing(
      "a JSON payload with other values",
      firstManifestWith({ payload: posted.replace("Ada", "Bob") }),
      manifestFails,
    ),
    failing("a kind renamed", firstManifestWith({ type: "cr.jsom" }), [
      "manifestHash 0",
      "manifestSignature 0",
      ...setFails,
    ]),
    failing("a manifest left out", { ...rest, manifests: [json!] }, setFails),
    failing("manifests exchanged", { ...rest, manifests: [jumbf!, json!] }, setFails),
    failing("a manifest repeated", { ...rest, manifests: [json!, json!, jumbf!] }, setFails),
    failing(
      "signatures exchanged",
      {
        ...rest,
        manifests: [
          { ...json!, signature: jumbf!.signature },
          { ...jumbf!, signature: json!.signature },
        ],
      },
      ["manifestSignature 0", "manifestSignature 1"],
    ),
    failing("a manifest's attestation stripped", firstManifestWith({ hash: null, signature: null }), [
      "manifestHash 0",
      "manifestSignature 0",
      ...setFails,
    ]),
    failing("the collection signature stripped", verificationWith({ collectionSignature: null }), setFails),
    failing("a version lowered", verificationWith({ canonicalVersion: 1 }), ALL_SIGNATURES.slice(1)),
    failing("an unknown version", verificationWith({ canonicalVersion: 3 }), [
      "algorithms",
      ...ALL_SIGNATURES.slice(1),
    ]),
  ];
}

function tamperedImages(): RecordVector[] {
  const other = toHex(blake3(toUtf8("another file")));
  const sound = answer();
  const capital = sound.originalImageHash.toUpperCase();
  const capitals = {
    ...sound,
    originalImageHash: capital,
    verification: { ...sound.verification, contentHash: capital },
  };
  return [
    failing("published under another hash", { ...sound, originalImageHash: other }, ["contentHash"]),
    failing(
      "another image",
      {
        ...sound,
        originalImageHash: other,
        verification: { ...sound.verification, contentHash: other },
      },
      ["originalFile", ...ALL_SIGNATURES],
    ),
    failing("a content hash in capitals", capitals, ["contentHash", "originalFile"]),
    failing("an unknown hash", verificationWith({ hashAlgorithm: "SHA-1" }), ["algorithms"]),
    failing("an unknown signature", verificationWith({ signatureAlgorithm: "RSA" }), ["algorithms"]),
    failing("a signature that is no base64", verificationWith({ signature: "?" }), ["imageSignature"]),
    failing("a key that is no key", verificationWith({ publicKey: "AAAA" }), [...ALL_SIGNATURES, "leafKey"]),
  ];
}

function tamperedChains(): RecordVector[] {
  const strangersRoot: Issue = { ...ROOT_CERTIFICATE, key: strangerKey, issuerKey: strangerKey };
  const strangersIntermediate: Issue = { ...INTERMEDIATE_CERTIFICATE, issuerKey: strangerKey };
  const sound = answer().verification;
  const [intermediate = "", root = ""] = sound.certificateChain;
  const chain = (certificateChain: string[]): Answer => verificationWith({ certificateChain });
  return [
    failing("signed by a stranger's key", answer({ signer: strangerKey }), ["leafKey"]),
    failing("another thumbprint", verificationWith({ leafCertificateThumbprint: "00".repeat(32) }), [
      "leafThumbprint",
    ]),
    failing("a stranger's whole chain", answer({ chain: [strangersIntermediate, strangersRoot] }), [
      "trustRoot",
    ]),
    failing("a stranger's intermediate", answer({ chain: [strangersIntermediate, ROOT_CERTIFICATE] }), [
      "certificateSignature 1",
    ]),
    failing(
      "a leaf under the root's name by a stranger",
      answer({ leaf: { ...LEAF_CERTIFICATE, issuerKey: strangerKey } }),
      ["certificateSignature 0"],
    ),
    failing("a leaf that issues", answer({ leaf: { ...LEAF_CERTIFICATE, pathLength: 0 } }), [
      "certificateUse 0",
    ]),
    failing(
      "an intermediate that may not issue",
      answer({ chain: [{ ...INTERMEDIATE_CERTIFICATE, pathLength: null }, ROOT_CERTIFICATE] }),
      ["certificateUse 1"],
    ),
    failing(
      "one authority too many",
      answer({ chain: [INTERMEDIATE_CERTIFICATE, { ...ROOT_CERTIFICATE, pathLength: 0 }] }),
      ["certificateUse 2", "trustRoot"],
    ),
    failing("no root", chain([intermediate]), ["certificateSignature 1", "trustRoot"]),
    failing("no chain", chain([]), ["certificateUse"]),
    failing("a chain without end", chain(Array.from({ length: 50 }, () => root)), ["certificateUse"]),
    failing("a chain in the wrong order", chain([root, intermediate]), [
      "certificateSignature 0",
      "certificateSignature 1",
      "certificateSignature 2",
      "certificateUse 2",
      "trustRoot",
    ]),
    failing("a root that is no certificate", chain([intermediate, "-----BEGIN NOTHING-----"]), [
      "certificateUse 2",
      "trustRoot",
    ]),
    failing("signed before its certificates", answer({ signedAt: new Date("2026-11-20T10:59:59Z") }), [
      "certificateValidity 0",
      "certificateValidity 1",
      "certificateValidity 2",
    ]),
    failing("signed after its leaf", answer({ signedAt: new Date("2046-11-20T12:00:01Z") }), [
      "certificateValidity 0",
      "certificateValidity 1",
      "signingTime",
    ]),
    failing("signed at no time", verificationWith({ signedAtUtc: "yesterday" }), [
      "certificateValidity 0",
      "certificateValidity 1",
      "certificateValidity 2",
      "signingTime",
    ]),
  ];
}

function failing(name: string, of: Answer, failed: readonly string[]): RecordVector {
  return { name, record: text(of), verdict: "failed", failed };
}

/** Whole records: sound ones, and ones with one thing wrong each. */
export function recordVectors(): object {
  return {
    trustRoot,
    originalFile: toHex(originalFile),
    at: "2026-12-01T00:00:00.000Z",
    records: [...soundRecords(), ...tamperedManifests(), ...tamperedImages(), ...tamperedChains()],
  };
}
