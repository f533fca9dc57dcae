import { blake3, leafPeriod, toHex, toUtf8 } from "@colophon/formats";
import {
  answer,
  type Answer,
  type AnswerManifest,
  INTERMEDIATE_CERTIFICATE,
  type Issue,
  LEAF_CERTIFICATE,
  originalFile,
  ROOT_CERTIFICATE,
  trustRoot,
} from "./answers.ts";
import { distinguishedName } from "../../packages/engine/src/signing/encode-certificate.ts";
import { strangerKey } from "./keys.ts";
import { leafVectors } from "./leaves.ts";
import { failing, type RecordVector, sound, verificationWith } from "./record-vector.ts";
import { recordsFromBefore } from "./records-from-before.ts";

function firstManifestWith(changes: Partial<AnswerManifest>): Answer {
  const whole = answer();
  return { ...whole, manifests: whole.manifests.map((one, i) => (i === 0 ? { ...one, ...changes } : one)) };
}

const OTHERS_NAME = distinguishedName("another.example", "Colophon intermediate");
const ALL_SIGNATURES = [
  "imageSignature",
  "manifestSignature 0",
  "manifestSignature 1",
  "collectionSignature",
];

function soundRecords(): RecordVector[] {
  return [
    sound("two manifests", answer()),
    sound("no manifest", answer({ manifests: [] }), ["collectionSignature"]),
    sound(
      "a time without its last zero",
      verificationWith({ signedAtUtc: answer().verification.signedAtUtc.replace("0Z", "Z") }),
    ),
  ];
}

function tamperedManifests(): RecordVector[] {
  const { manifests, ...rest } = answer();
  const [json, jumbf] = manifests;
  const posted = json!.payload;
  const manifestFails = ["manifestHash 0"];
  const setFails = ["collectionSignature", "recordDigest"];
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
    failing("the collection signature stripped", verificationWith({ collectionSignature: null }), [
      "collectionSignature",
    ]),
    failing("a version lowered", verificationWith({ canonicalVersion: 1 }), [
      ...ALL_SIGNATURES.slice(1),
      "recordDigest",
    ]),
    failing("an unknown version", verificationWith({ canonicalVersion: 3 }), [
      "algorithms",
      ...ALL_SIGNATURES.slice(1),
      "recordDigest",
    ]),
  ];
}

function tamperedImages(): RecordVector[] {
  const other = toHex(blake3(toUtf8("another file")));
  const whole = answer();
  const capital = whole.originalImageHash.toUpperCase();
  const capitals = {
    ...whole,
    originalImageHash: capital,
    verification: { ...whole.verification, contentHash: capital },
  };
  return [
    failing("published under another hash", { ...whole, originalImageHash: other }, ["contentHash"]),
    failing(
      "another image",
      {
        ...whole,
        originalImageHash: other,
        verification: { ...whole.verification, contentHash: other },
      },
      ["originalFile", ...ALL_SIGNATURES, "recordDigest"],
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
  const whole = answer().verification;
  const [intermediate = "", root = ""] = whole.certificateChain;
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
    failing("signed before its authorities", signedAt("2026-11-20T10:59:59Z"), [
      "certificateValidity 1",
      "certificateValidity 2",
    ]),
    failing("signed after its issuer", signedAt("2046-11-20T12:00:01Z"), [
      "certificateValidity 1",
      "signingTime",
    ]),
    failing("another trust context", verificationWith({ trustContext: "another.example" }), ["trustContext"]),
    failing(
      "an intermediate of another organization",
      answer({
        leaf: { ...LEAF_CERTIFICATE, issuer: OTHERS_NAME },
        chain: [{ ...INTERMEDIATE_CERTIFICATE, subject: OTHERS_NAME }, ROOT_CERTIFICATE],
      }),
      ["trustContext"],
    ),
  ];
}

/** A record as the service would have signed it then. */
function signedAt(time: string): Answer {
  const then = new Date(time);
  return answer({ signedAt: then, leaf: { ...LEAF_CERTIFICATE, ...leafPeriod(then) } });
}

/** Whole records: sound ones, and ones with one thing wrong each. */
export function recordVectors(): object {
  return {
    trustRoot,
    originalFile: toHex(originalFile),
    at: "2026-12-01T00:00:00.000Z",
    records: [
      ...soundRecords(),
      ...tamperedManifests(),
      ...tamperedImages(),
      ...leafVectors(),
      ...tamperedChains(),
      ...recordsFromBefore(),
    ],
  };
}
