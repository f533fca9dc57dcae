import { Type } from "typebox";
import { C2PA_VERSION } from "../../c2pa-version.ts";
import { EXAMPLE } from "../examples.ts";
import { base64, instant, oneOf, resource } from "../values.ts";

const C2paMatch = Type.Object(
  {
    manifestId: Type.String({ description: "The label of the store's active manifest." }),
    endpoint: Type.String({
      description: "Below it, at `/manifests/{manifestId}`, is the manifest store of this match.",
      format: "uri",
    }),
  },
  {
    additionalProperties: false,
    description: "A manifest store; a candidate, whose signatures nobody here has checked.",
  },
);

export const C2paMatches = resource(
  "Manifest stores registered with what was asked for, the most relevant first.",
  { matches: Type.Array(C2paMatch) },
  {
    matches: [
      {
        manifestId: EXAMPLE.c2paLabel,
        endpoint: `https://colophon.invalid/c2pa/v1/records/${EXAMPLE.originalImageHash}`,
      },
    ],
  },
  { matches: [] },
);
export type C2paMatches = Type.Static<typeof C2paMatches>;

export const C2paBinding = resource(
  "A soft binding to look for.",
  {
    alg: Type.String({ description: "The algorithm's name." }),
    value: base64("The value in the algorithm's own format; padded or not, URL-safe or not."),
  },
  { alg: "com.example.watermark.1", value: "c29tZXRoaW5n" },
);

const C2paAlgorithm = Type.Object(
  { alg: Type.String({ description: "The algorithm's name." }) },
  { additionalProperties: false },
);

export const C2paAlgorithms = resource(
  "Algorithms whose values may be asked for.",
  {
    watermarks: Type.Array(C2paAlgorithm, { description: "Found by value only: no watermark is read here." }),
    fingerprints: Type.Array(C2paAlgorithm, {
      description: "The deployment's own: its value is the 32 bytes of an original image hash.",
    }),
  },
  {
    watermarks: [{ alg: "com.adobe.trustmark.P" }],
    fingerprints: [{ alg: "example.press.images.original.1" }],
  },
);
export type C2paAlgorithms = Type.Static<typeof C2paAlgorithms>;

export const C2paCapabilities = resource(
  "What is offered beyond queries by value.",
  {
    c2paSpecificationVersion: Type.String({ description: "The version of the C2PA specification." }),
    supportedCapabilities: Type.Array(oneOf("A capability.", ["queryByContent"])),
  },
  { c2paSpecificationVersion: C2PA_VERSION, supportedCapabilities: ["queryByContent"] },
);
export type C2paCapabilities = Type.Static<typeof C2paCapabilities>;

export const C2paReceipt = resource(
  "That a manifest store was published with a record, for anyone who has the key of the service's log.",
  {
    "@context": Type.Object(
      { c2pa: Type.String(), receipt: Type.String() },
      { additionalProperties: false, description: "The vocabularies of the terms." },
    ),
    "@type": oneOf("What it is.", ["org.c2pa.manifest-receipt"]),
    repository: Type.Object(
      {
        uri: Type.String({
          description: "Below it, at `/manifests/{manifestId}`, is the store.",
          format: "uri",
        }),
        manifestId: Type.String({ description: "The label of the store's active manifest." }),
      },
      { additionalProperties: false, description: "Where the store is." },
    ),
    anchor: Type.Object(
      {
        uri: Type.String({
          description: "The proof by itself: `GET /log/proofs/{originalImageHash}`.",
          format: "uri",
        }),
        proof: Type.Object(
          {
            alg: oneOf("The kind of proof.", ["c2sp.org/tlog-proof@v1"]),
            value: base64("The proof; its extra data is the nonce of the entry's commitment."),
          },
          { additionalProperties: false, description: "That the record is an entry of the log." },
        ),
        parameters: Type.Object(
          {
            recordPreimage: base64(
              "Of this the record digest is the SHA-256: it states the BLAKE3-256 of the store.",
            ),
          },
          { additionalProperties: false, description: "What the entry is made of." },
        ),
      },
      { additionalProperties: false, description: "Where the record is anchored." },
    ),
  },
  {
    "@context": { c2pa: "https://c2pa.org/ns/", receipt: "https://c2pa.org/ns/manifest-receipt#" },
    "@type": "org.c2pa.manifest-receipt",
    repository: {
      uri: `https://colophon.invalid/c2pa/v1/records/${EXAMPLE.originalImageHash}`,
      manifestId: EXAMPLE.c2paLabel,
    },
    anchor: {
      uri: `https://colophon.invalid/log/proofs/${EXAMPLE.originalImageHash}`,
      proof: { alg: "c2sp.org/tlog-proof@v1", value: "YzJzcC5vcmcvdGxvZy1wcm9vZkB2MQo=" },
      parameters: { recordPreimage: "Y29sb3Bob24gcmVjb3JkIDEA" },
    },
  },
);
export type C2paReceipt = Type.Static<typeof C2paReceipt>;

export const C2paStatus = resource(
  "Whether queries can be answered.",
  { status: oneOf("The state.", ["ok", "down"]), timestamp: instant("When it was so.") },
  { status: "ok", timestamp: EXAMPLE.later },
);
export type C2paStatus = Type.Static<typeof C2paStatus>;

export const C2paDiscovery = resource(
  "Where soft binding resolution is offered.",
  {
    apiEndpoint: Type.String({ format: "uri", description: "The base of the API." }),
    c2paSpecificationVersion: Type.String({ description: "The version of the C2PA specification." }),
    capabilitiesEndpoint: Type.String({ format: "uri", description: "Where its capabilities are answered." }),
    statusEndpoint: Type.String({ format: "uri", description: "Where its state is answered." }),
  },
  {
    apiEndpoint: "https://colophon.invalid/c2pa/v1",
    c2paSpecificationVersion: C2PA_VERSION,
    capabilitiesEndpoint: "https://colophon.invalid/c2pa/v1/services/capabilities",
    statusEndpoint: "https://colophon.invalid/c2pa/v1/services/status",
  },
);
export type C2paDiscovery = Type.Static<typeof C2paDiscovery>;
