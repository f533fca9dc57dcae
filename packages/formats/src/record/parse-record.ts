import { fromBase64, fromUtf8, toUtf8 } from "../bytes/encoding.ts";
import { elementSpans, memberSpans } from "../bytes/json-spans.ts";
import {
  OUTCOMES,
  type Outcome,
  type PublishedManifest,
  type PublishedRecord,
  type RecordVerification,
} from "./record.ts";

/**
 * Reads the answer of `GET /records/{originalImageHash}` from its exact text or bytes. The text matters: a JSON
 * manifest is signed as it was posted, so its payload is kept as received, never reprinted. Throws a SyntaxError that
 * names the field on anything that is not such an answer.
 */
export function parseRecord(source: string | Uint8Array): PublishedRecord {
  const text = typeof source === "string" ? source : decode(source);
  const record = object(JSON.parse(text), "record");
  const manifests = record["manifests"] ?? null;
  const verification = record["verification"] ?? null;
  return {
    originalImageHash: string(record, "originalImageHash"),
    outcome: readOutcome(string(record, "outcome")),
    manifests: manifests === null ? null : readManifests(text, manifests),
    verification: verification === null ? null : readVerification(object(verification, "verification")),
  };
}

/**
 * The exact text of each record in the answer of `POST /records`, in its order, for `parseRecord`. Throws a SyntaxError
 * on anything that is not such an answer.
 */
export function recordTexts(source: string): string[] {
  const { records } = object(JSON.parse(source), "answer");
  const span = memberSpans(source, { start: 0, end: source.length }).get("records");
  if (!Array.isArray(records) || span === undefined) throw new SyntaxError("records is not a list");
  return elementSpans(source, span).map(({ start, end }) => source.slice(start, end).trim());
}

type Fields = Readonly<Record<string, unknown>>;

function readOutcome(value: string): Outcome {
  const outcome = OUTCOMES.find((one) => one === value);
  if (outcome === undefined) throw new SyntaxError("outcome is not one of a records route");
  return outcome;
}

function readManifests(text: string, value: unknown): PublishedManifest[] {
  const span = memberSpans(text, { start: 0, end: text.length }).get("manifests");
  if (!Array.isArray(value) || span === undefined) throw new SyntaxError("manifests is not a list");
  const spans = elementSpans(text, span);
  return value.map((element, i) => {
    const fields = object(element, "manifests");
    const payload = memberSpans(text, spans[i] ?? span).get("payload");
    return readManifest(fields, payload && text.slice(payload.start, payload.end));
  });
}

function readManifest(fields: Fields, payloadText: string | undefined): PublishedManifest {
  const form = string(fields, "form");
  if (form !== "json" && form !== "jumbf") throw new SyntaxError("form is neither json nor jumbf");
  if (payloadText === undefined) throw new SyntaxError("payload is missing");
  return {
    type: string(fields, "type"),
    form,
    payload: form === "json" ? toUtf8(payloadText) : fromBase64(string(fields, "payload")),
    hash: stringOrNull(fields, "hash"),
    signature: stringOrNull(fields, "signature"),
  };
}

function readVerification(fields: Fields): RecordVerification {
  const chain: unknown = fields["certificateChain"];
  if (!Array.isArray(chain) || !chain.every((pem) => typeof pem === "string")) {
    throw new SyntaxError("certificateChain is not a list of strings");
  }
  return {
    contentHash: string(fields, "contentHash"),
    hashAlgorithm: string(fields, "hashAlgorithm"),
    signedAtUtc: string(fields, "signedAtUtc"),
    signature: string(fields, "signature"),
    signatureAlgorithm: string(fields, "signatureAlgorithm"),
    publicKey: string(fields, "publicKey"),
    leafCertificate: string(fields, "leafCertificate"),
    certificateChain: chain,
    leafCertificateThumbprint: string(fields, "leafCertificateThumbprint"),
    trustContext: string(fields, "trustContext"),
    trustVersion: integer(fields, "trustVersion"),
    canonicalVersion: integer(fields, "canonicalVersion"),
    collectionSignature: stringOrNull(fields, "collectionSignature"),
  };
}

function decode(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    throw new SyntaxError("record is not UTF-8");
  }
}

function object(value: unknown, name: string): Fields {
  if (!isFields(value)) throw new SyntaxError(`${name} is not an object`);
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function string(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw new SyntaxError(`${name} is not a string`);
  return value;
}

function stringOrNull(fields: Fields, name: string): string | null {
  return fields[name] === null ? null : string(fields, name);
}

function integer(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    throw new SyntaxError(`${name} is not an integer`);
  }
  return value;
}
