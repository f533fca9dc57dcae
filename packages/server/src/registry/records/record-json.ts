import { RECORD_FAILURES } from "@colophon/contract";
import { HASH_ALGORITHM, postedPayload, SIGNATURE_ALGORITHM } from "@colophon/formats";
import type { AskedRecord } from "./read-records.ts";
import type { PublishedRecord, RecordManifest } from "../../store/originals/records.ts";

/** How an answer that is no record shows in a list. */
const FAILURES: Partial<Record<AskedRecord["answer"]["outcome"], { outcome: string; reason: string }>> = {
  notAHash: { outcome: "refused", reason: RECORD_FAILURES.notAHash },
  unreadable: { outcome: "refused", reason: RECORD_FAILURES.declined },
  retry: { outcome: "retry", reason: RECORD_FAILURES.notYet },
};

/**
 * A published record as JSON bytes. JSON payloads are inlined exactly as they were posted: parsing and printing
 * them would lose order, white space, escapes, the spelling of numbers and repeated keys.
 */
export function recordJson(asked: AskedRecord): Buffer {
  return join(["{", ...members(asked), "}"]);
}

function members({ originalImageHash, answer }: AskedRecord): (string | Uint8Array)[] {
  const published = answer.outcome === "published" ? answer.record : null;
  return [
    `"originalImageHash":${JSON.stringify(originalImageHash)},"outcome":${JSON.stringify(FAILURES[answer.outcome]?.outcome ?? answer.outcome)},"manifests":`,
    ...(published ? manifestList(published.manifests) : ["null"]),
    `,"verification":${published ? JSON.stringify(verificationOf(published)) : "null"}`,
  ];
}

/** The answer of `POST /records`. */
export function recordListJson(asked: readonly AskedRecord[]): Buffer {
  return join([
    '{"records":[',
    ...asked.flatMap((record, index) => [
      index === 0 ? "{" : ",{",
      ...members(record),
      `,"failureReason":${JSON.stringify(FAILURES[record.answer.outcome]?.reason ?? null)}}`,
    ]),
    "]}",
  ]);
}

function manifestList(manifests: readonly RecordManifest[]): (string | Uint8Array)[] {
  const items = manifests.flatMap((manifest, index) => [
    `${index === 0 ? "" : ","}{"type":${JSON.stringify(manifest.kind)},"form":"${manifest.form}","payload":`,
    payloadOf(manifest),
    `,"hash":${text(manifest.hash, "hex")},"signature":${text(manifest.signature, "base64")}}`,
  ]);
  return ["[", ...items, "]"];
}

function payloadOf({ form, stored }: RecordManifest): string | Uint8Array {
  return form === "json" ? postedPayload(form, stored) : text(stored, "base64");
}

function verificationOf(record: PublishedRecord): object {
  return {
    contentHash: record.contentHash.toString("hex"),
    hashAlgorithm: HASH_ALGORITHM,
    signedAtUtc: record.signedAt.toISOString(),
    signature: record.signature.toString("base64"),
    signatureAlgorithm: SIGNATURE_ALGORITHM,
    publicKey: record.publicKey.toString("base64"),
    leafCertificate: record.leafCertificate,
    certificateChain: record.certificateChain,
    leafCertificateThumbprint: record.leafCertificateThumbprint,
    trustContext: record.trustContext,
    trustVersion: record.trustVersion,
    canonicalVersion: record.canonicalVersion,
    collectionSignature: record.collectionSignature?.toString("base64") ?? null,
  };
}

function text(bytes: Buffer | null, encoding: "hex" | "base64"): string {
  return bytes === null ? "null" : JSON.stringify(bytes.toString(encoding));
}

function join(parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
