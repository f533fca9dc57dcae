import { randomBytes } from "node:crypto";
import type { SignedRecord } from "@colophon/engine";
import { fromBase64, fromHex, fromPem, type StoredManifest } from "@colophon/formats";
import { commitmentTo, NONCE_BYTES } from "@colophon/log";
import { storesAmong } from "../../store/originals/c2pa-stores.ts";
import type { NewRecord } from "../../store/originals/records.ts";
import { manifestRows } from "../../store/stored-manifests.ts";

/** A record whose original has no number yet. */
export type RecordToPublish = Omit<NewRecord, "imageNo">;

/**
 * A signed record with the manifests it attests, as the store takes it once its original has a number. Reading the C2PA
 * stores among them takes its time, so it is made before the transaction that publishes it.
 */
export function recordToPublish(record: SignedRecord, manifests: readonly StoredManifest[]): RecordToPublish {
  const { verification } = record;
  const nonce = randomBytes(NONCE_BYTES);
  return {
    signedAt: new Date(verification.signedAtUtc),
    canonicalVersion: verification.canonicalVersion,
    trustVersion: verification.trustVersion,
    signature: bytes(verification.signature),
    leafCertificate: Buffer.from(fromPem(verification.leafCertificate)),
    collectionSignature:
      verification.collectionSignature === null ? null : bytes(verification.collectionSignature),
    nonce,
    commitment: Buffer.from(commitmentTo(record.digest, nonce)),
    stores: storesAmong(manifests),
    manifests: manifestRows(manifests).map(({ position, ...row }) => {
      const attestation = record.manifests[position];
      return {
        ...row,
        hash: attestation?.hash == null ? null : Buffer.from(fromHex(attestation.hash)),
        signature: attestation?.signature == null ? null : bytes(attestation.signature),
      };
    }),
  };
}

function bytes(base64: string): Buffer {
  return Buffer.from(fromBase64(base64));
}
