import { type ManifestForm, toPem } from "@colophon/formats";
import type { Read, Write } from "./database.ts";

/** A manifest of a published record, as stored. */
export interface RecordManifest {
  readonly kind: string;
  readonly form: ManifestForm;
  readonly stored: Buffer;
  /** Null on a record from before manifest signing. */
  readonly hash: Buffer | null;
  readonly signature: Buffer | null;
}

/** A published record with everything that verifies it. */
export interface PublishedRecord {
  readonly contentHash: Buffer;
  readonly signedAt: Date;
  readonly signature: Buffer;
  readonly publicKey: Buffer;
  readonly leafCertificate: string;
  readonly leafCertificateThumbprint: string;
  /** PEM, leaf issuer first, root last. */
  readonly certificateChain: readonly string[];
  readonly trustContext: string;
  readonly trustVersion: number;
  readonly canonicalVersion: number;
  readonly collectionSignature: Buffer | null;
  readonly manifests: readonly RecordManifest[];
}

/** What the registry knows of an original image hash. */
export type RecordAnswer =
  | { readonly outcome: "published"; readonly record: PublishedRecord }
  | { readonly outcome: "takenDown" }
  | { readonly outcome: "noRecordAnswered" };

/** What a new record stores beyond its original. */
export interface NewRecord {
  readonly imageNo: number;
  readonly signedAt: Date;
  readonly canonicalVersion: number;
  readonly trustVersion: number;
  readonly signature: Buffer;
  readonly publicKey: Buffer;
  readonly leafCertificate: string;
  readonly leafCertificateThumbprint: string;
  readonly collectionSignature: Buffer | null;
  readonly engineRecord: string;
  readonly manifests: readonly RecordManifest[];
}

/** Publishes the records of originals. */
export async function insertRecords(write: Write, records: readonly NewRecord[]): Promise<void> {
  if (records.length === 0) return;
  await write
    .insertInto("record")
    .values(
      records.map((record) => ({
        image_no: record.imageNo,
        signed_at: record.signedAt,
        canonical_version: record.canonicalVersion,
        trust_version: record.trustVersion,
        signature: record.signature,
        public_key: record.publicKey,
        leaf_certificate: record.leafCertificate,
        leaf_certificate_thumbprint: record.leafCertificateThumbprint,
        collection_signature: record.collectionSignature,
        engine_record: record.engineRecord,
      })),
    )
    .execute();
  const manifests = records.flatMap((record) =>
    record.manifests.map((manifest, position) => ({ image_no: record.imageNo, position, ...manifest })),
  );
  if (manifests.length > 0) await write.insertInto("manifest").values(manifests).execute();
}

/** Removes a record and its manifests for good; the original's row stays as the tombstone. */
export async function deleteRecord(write: Write, imageNo: number): Promise<void> {
  await write.deleteFrom("manifest").where("image_no", "=", imageNo).execute();
  await write.deleteFrom("record").where("image_no", "=", imageNo).execute();
}

/** The record under an original image hash: the live one, else the trace of one taken down. */
export async function readRecord(read: Read, originalImageHash: Buffer): Promise<RecordAnswer> {
  const rows = await read
    .selectFrom("original")
    .leftJoin("record", "record.image_no", "original.image_no")
    .leftJoin("trust_chain", "trust_chain.trust_version", "record.trust_version")
    .selectAll("record")
    .select([
      "original.image_no as number",
      "original.taken_down_at",
      "trust_context",
      "root_certificate",
      "intermediate_certificate",
    ])
    .where("original_image_hash", "=", originalImageHash)
    .execute();
  const live = rows.find((row) => row.taken_down_at === null);
  if (!live) return { outcome: rows.length > 0 ? "takenDown" : "noRecordAnswered" };
  const record = requireColumns(live);
  return {
    outcome: "published",
    record: {
      contentHash: originalImageHash,
      signedAt: record.signed_at,
      signature: record.signature,
      publicKey: record.public_key,
      leafCertificate: record.leaf_certificate,
      leafCertificateThumbprint: record.leaf_certificate_thumbprint,
      certificateChain: [toPem(record.intermediate_certificate), toPem(record.root_certificate)],
      trustContext: record.trust_context,
      trustVersion: record.trust_version,
      canonicalVersion: record.canonical_version,
      collectionSignature: live.collection_signature,
      manifests: await readManifests(read, live.number),
    },
  };
}

function readManifests(read: Read, imageNo: number): Promise<readonly RecordManifest[]> {
  return read
    .selectFrom("manifest")
    .select(["kind", "form", "stored", "hash", "signature"])
    .where("image_no", "=", imageNo)
    .orderBy("position")
    .execute();
}

type Present<T, Optional extends keyof T> = { [K in keyof T]: K extends Optional ? T[K] : NonNullable<T[K]> };

/** A live original always has its record: they are written in one transaction. */
function requireColumns<T extends { taken_down_at: unknown; collection_signature: unknown }>(
  row: T,
): Present<T, "taken_down_at" | "collection_signature"> {
  const missing = Object.entries(row).find(
    ([column, value]) => value === null && column !== "taken_down_at" && column !== "collection_signature",
  );
  if (missing) throw new Error(`A live original has no ${missing[0]}.`);
  return row as Present<T, "taken_down_at" | "collection_signature">;
}
