import { Type } from "typebox";
import { EXAMPLE } from "./examples.ts";
import { base64, hash, instant, nullable, oneOf, resource } from "./values.ts";

const pem = "-----BEGIN CERTIFICATE-----\nMIIBszCCAWWgAwIBAgIUcm9vdA==\n-----END CERTIFICATE-----\n";

const manifest = {
  type: "cawg.training-mining",
  form: "json" as const,
  payload: { entries: { "cawg.ai_generative_training": { use: "notAllowed" } } },
  hash: EXAMPLE.manifestHash,
  signature: EXAMPLE.signature,
};

const verification = {
  contentHash: EXAMPLE.originalImageHash,
  hashAlgorithm: "BLAKE3-256",
  signedAtUtc: EXAMPLE.earlier,
  signature: EXAMPLE.signature,
  signatureAlgorithm: "Ed25519",
  publicKey: EXAMPLE.publicKey,
  leafCertificate: pem,
  certificateChain: [pem, pem],
  leafCertificateThumbprint: EXAMPLE.digest,
  trustContext: "colophon.example",
  trustVersion: 1,
  canonicalVersion: 2,
  collectionSignature: EXAMPLE.signature,
};

export const Manifest = resource(
  "A manifest as registered.",
  {
    type: Type.String({ description: "The manifest's kind, exactly as stated." }),
    form: oneOf("What the payload is.", ["json", "jumbf"]),
    payload: Type.Unsafe<object | string>({
      type: ["object", "string"],
      description: "The JSON as posted, byte for byte, or the JUMBF in base64.",
    }),
    hash: nullable(hash("BLAKE3-256 of the stored bytes; null before manifest signing.")),
    signature: nullable(base64("Ed25519 over the manifest's canonical bytes; null before manifest signing.")),
  },
  manifest,
);
export type Manifest = Type.Static<typeof Manifest>;

export const Verification = resource(
  "All that is needed to verify a record without the service.",
  {
    contentHash: hash("The hash that the image signature covers."),
    hashAlgorithm: Type.String({ description: "The algorithm that produced it." }),
    signedAtUtc: instant("When the record was signed."),
    signature: base64("Ed25519 over the content hash, hex-decoded."),
    signatureAlgorithm: Type.String({ description: "The algorithm of every signature of the record." }),
    publicKey: base64("The key that every signature verifies against."),
    leafCertificate: Type.String({ description: "PEM." }),
    certificateChain: Type.Array(Type.String({ description: "PEM." }), {
      description: "Issuer of the leaf first, root last.",
    }),
    leafCertificateThumbprint: Type.String({ description: "SHA-256 of the leaf's DER, lowercase hex." }),
    trustContext: Type.String({ description: "The trust domain; not an input of a signature." }),
    trustVersion: Type.Integer({ description: "Not an input of a signature." }),
    canonicalVersion: Type.Integer({
      minimum: 1,
      maximum: 255,
      description: "First byte of every manifest and collection preimage.",
    }),
    collectionSignature: nullable(
      base64("Ed25519 over the ordered set of manifests; null on a record that declares none."),
    ),
  },
  verification,
);
export type Verification = Type.Static<typeof Verification>;

const published = {
  originalImageHash: EXAMPLE.originalImageHash,
  outcome: "published",
  verification,
} as const;
const takenDown = {
  originalImageHash: EXAMPLE.otherOriginalImageHash,
  outcome: "takenDown",
  manifests: null,
  verification: null,
} as const;

export const PublishedRecord = resource(
  "What is published about one original image.",
  {
    originalImageHash: hash("The hash asked."),
    outcome: oneOf("What there is to say.", ["published", "noRecordAnswered", "takenDown"]),
    manifests: nullable(Type.Array(Manifest, { description: "In the order registered." })),
    verification: nullable(Verification),
  },
  { ...published, manifests: [manifest] },
  takenDown,
);
export type PublishedRecord = Type.Static<typeof PublishedRecord>;

export const ListedRecord = resource(
  "What is published about one original image of a list.",
  {
    originalImageHash: Type.String({ description: "The value asked, whether a hash or not." }),
    outcome: oneOf("What there is to say.", [
      "published",
      "noRecordAnswered",
      "takenDown",
      "refused",
      "retry",
    ]),
    manifests: nullable(Type.Array(Manifest, { description: "In the order registered." })),
    verification: nullable(Verification),
    failureReason: nullable(
      Type.String({ description: "Why this hash was refused or has to be asked again." }),
    ),
  },
  { ...takenDown, failureReason: null },
);
export type ListedRecord = Type.Static<typeof ListedRecord>;

export const RecordsRequest = Type.Object(
  {
    originalImageHashes: Type.Array(
      Type.String({ description: "An original image's hash; anything else is answered `refused` in place." }),
      { minItems: 1 },
    ),
  },
  {
    additionalProperties: false,
    description: "The records asked for.",
    examples: [{ originalImageHashes: [EXAMPLE.originalImageHash, EXAMPLE.otherOriginalImageHash] }],
  },
);
export type RecordsRequest = Type.Static<typeof RecordsRequest>;

export const RecordList = resource(
  "One record per hash, in the order asked.",
  { records: Type.Array(ListedRecord) },
  {
    records: [
      { ...published, manifests: [manifest], failureReason: null },
      { ...takenDown, failureReason: null },
    ],
  },
);
export type RecordList = Type.Static<typeof RecordList>;
