import type { ByteBudget } from "../../custody/body-budget.ts";
import {
  type ManifestForm,
  readCertificate,
  type RecordStatement,
  sha256Hex,
  toPem,
} from "@colophon/formats";
import { sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { enterPublished, enterTakenDown } from "../log/entries.ts";
import { together } from "../together.ts";
import { forgetStores, indexStores, type StorePlace } from "./c2pa-stores.ts";

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
  | { readonly outcome: "noRecordAnswered" }
  /** The original is live, but its stored record is not whole. */
  | { readonly outcome: "unreadable" }
  /** Its manifests would not fit the answer any more. */
  | { readonly outcome: "retry" };

/** What a new record stores beyond its original. */
export interface NewRecord {
  readonly imageNo: number;
  readonly signedAt: Date;
  readonly canonicalVersion: number;
  readonly trustVersion: number;
  readonly signature: Buffer;
  /** DER. */
  readonly leafCertificate: Buffer;
  readonly collectionSignature: Buffer | null;
  readonly manifests: readonly RecordManifest[];
  /** The C2PA stores among them. */
  readonly stores: readonly StorePlace[];
  /** Of the record's entry in the log. */
  readonly nonce: Buffer;
  readonly commitment: Buffer;
}

/** Publishes the records of originals, and has them entered in the log. */
export async function insertRecords(write: Write, records: readonly NewRecord[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map((record) => {
    const { manifests: _, stores: __, nonce: ___, commitment: ____, ...columns } = record;
    return columns;
  });
  const manifests = records.flatMap(({ imageNo, manifests: own }) =>
    own.map((manifest, position) => ({ imageNo, position, ...manifest })),
  );
  await together(write, [
    write.insertInto("record").values(rows),
    ...(manifests.length > 0 ? [write.insertInto("manifest").values(manifests)] : []),
  ]);
  await indexStores(write, records);
  await enterPublished(write, records);
}

/**
 * Removes a record and its manifests for good, and has that entered in the log; the original's row stays as the
 * tombstone.
 */
export async function deleteRecord(write: Write, imageNo: number): Promise<void> {
  await enterTakenDown(write, imageNo);
  await forgetStores(write, imageNo);
  await write.deleteFrom("manifest").where("imageNo", "=", imageNo).execute();
  await write.deleteFrom("record").where("imageNo", "=", imageNo).execute();
}

/**
 * The records under original image hashes (lowercase hex), one for each in their order: of each the live one, else the
 * trace of one taken down. Manifests are answered as far as `manifestBytes` goes, repeated ones each time; the first
 * always, later ones that would pass it are answered `retry`, so that a long list of heavy records stays within bounded
 * memory.
 *
 * @param budget where the bytes of the manifests are counted before they are read
 * @throws Refusal serviceUnavailable when there is no room for them
 */
export async function readRecords(
  read: Read,
  hashes: readonly string[],
  manifestBytes: number,
  budget: Pick<ByteBudget, "take">,
): Promise<readonly RecordAnswer[]> {
  const rows = await recordRows(read, [...new Set(hashes)]);
  const lives = hashes.map((hash) => liveRow(rows.get(hash) ?? []));
  const { count, bytes } = affordable(lives, manifestBytes);
  budget.take(bytes);
  const numbers = new Set(lives.slice(0, count).flatMap((live) => (live ? [live.number] : [])));
  const manifests = await readManifests(read, [...numbers]);
  return hashes.map((hash, at) => answerOf(rows.get(hash) ?? [], at < count ? manifests : NONE));
}

const NONE: ReadonlyMap<number, readonly RecordManifest[]> = new Map();

/**
 * What the live record under a hash states, and its leaf certificate in DER; null without one, and for one from before
 * manifest signing.
 */
export async function readStatement(
  read: Read,
  originalImageHash: Buffer,
): Promise<{ readonly statement: RecordStatement; readonly leafCertificate: Buffer } | null> {
  const record = await read
    .selectFrom("original")
    .innerJoin("record", "record.imageNo", "original.imageNo")
    .select(["original.imageNo", "signedAt", "canonicalVersion", "leafCertificate"])
    .where("originalImageHash", "=", originalImageHash)
    .where("takenDownAt", "is", null)
    .executeTakeFirst();
  if (record === undefined) return null;
  const { imageNo, signedAt, canonicalVersion, leafCertificate } = record;
  const rows = await read
    .selectFrom("manifest")
    .select(["kind", "hash"])
    .where("imageNo", "=", imageNo)
    .orderBy("position")
    .execute();
  const manifests = rows.flatMap(({ kind, hash }) => (hash === null ? [] : [{ kind, hash }]));
  if (manifests.length < rows.length) return null;
  return {
    statement: { canonicalVersion, contentHash: originalImageHash, manifests, signedAt },
    leafCertificate,
  };
}

/** The stored bytes of a manifest: its own, or on the record of a frame those of the sequence. */
const storedManifest = sql<Buffer>`coalesce(manifest.stored, sequence_manifest.stored)`;

type RecordRow = Awaited<ReturnType<typeof selectRows>>[number];

function selectRows(read: Read, hashes: readonly string[]) {
  return read
    .selectFrom("original")
    .leftJoin("record", "record.imageNo", "original.imageNo")
    .leftJoin("trustChain", "trustChain.trustVersion", "record.trustVersion")
    .selectAll("record")
    .select([
      "original.imageNo as number",
      "original.originalImageHash",
      "original.takenDownAt",
      "trustContext",
      "rootCertificate",
      "intermediateCertificate",
    ])
    .select(
      sql<number>`(select coalesce(sum(length(${storedManifest})), 0) from manifest
        left join sequence_manifest
          on sequence_manifest.sequence_id = original.sequence_id and sequence_manifest.position = manifest.position
        where manifest.image_no = original.image_no)`.as("manifestBytes"),
    )
    .where(
      sql<boolean>`original_image_hash = any(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[])`,
    )
    .execute();
}

async function recordRows(
  read: Read,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly RecordRow[]>> {
  const rows = hashes.length === 0 ? [] : await selectRows(read, hashes);
  return Map.groupBy(rows, (row) => row.originalImageHash.toString("hex"));
}

function liveRow(rows: readonly RecordRow[]): RecordRow | undefined {
  return rows.find((row) => row.takenDownAt === null);
}

/** How many of the records asked for fit, from the first on, and the bytes of their manifests. */
function affordable(
  lives: readonly (RecordRow | undefined)[],
  manifestBytes: number,
): { readonly count: number; readonly bytes: number } {
  let bytes = 0;
  for (const [count, live] of lives.entries()) {
    const more = bytes + (live?.manifestBytes ?? 0);
    if (bytes > 0 && more > manifestBytes) return { count, bytes };
    bytes = more;
  }
  return { count: lives.length, bytes };
}

async function readManifests(
  read: Read,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly RecordManifest[]>> {
  const byOriginal = new Map<number, RecordManifest[]>(numbers.map((number) => [number, []]));
  if (numbers.length === 0) return byOriginal;
  const rows = await read
    .selectFrom("manifest")
    .innerJoin("original", "original.imageNo", "manifest.imageNo")
    .leftJoin("sequenceManifest", (join) =>
      join
        .onRef("sequenceManifest.sequenceId", "=", "original.sequenceId")
        .onRef("sequenceManifest.position", "=", "manifest.position"),
    )
    .select(["manifest.imageNo", "manifest.kind", "manifest.form", "hash", "signature"])
    .select(storedManifest.as("stored"))
    .where(sql<boolean>`manifest.image_no = any(${numbers}::int[])`)
    .orderBy("manifest.position")
    .execute();
  for (const { imageNo, ...manifest } of rows) byOriginal.get(imageNo)?.push(manifest);
  return byOriginal;
}

function answerOf(
  rows: readonly RecordRow[],
  manifests: ReadonlyMap<number, readonly RecordManifest[]>,
): RecordAnswer {
  const live = liveRow(rows);
  if (!live) return { outcome: rows.length > 0 ? "takenDown" : "noRecordAnswered" };
  if (!isWhole(live)) return { outcome: "unreadable" };
  const leaf = leafOf(live);
  if (leaf === null) return { outcome: "unreadable" };
  const own = manifests.get(live.number);
  if (!own) return { outcome: "retry" };
  return {
    outcome: "published",
    record: {
      ...leaf,
      contentHash: live.originalImageHash,
      signedAt: live.signedAt,
      signature: live.signature,
      certificateChain: [toPem(live.intermediateCertificate), toPem(live.rootCertificate)],
      trustContext: live.trustContext,
      trustVersion: live.trustVersion,
      canonicalVersion: live.canonicalVersion,
      collectionSignature: live.collectionSignature,
      manifests: own,
    },
  };
}

type Leaf = Pick<PublishedRecord, "publicKey" | "leafCertificate" | "leafCertificateThumbprint">;

/** What a record answers of its leaf certificate; null when the stored bytes are not one. */
function leafOf({ leafCertificate }: Whole): Leaf | null {
  try {
    return {
      publicKey: Buffer.from(readCertificate(leafCertificate).publicKey),
      leafCertificate: toPem(leafCertificate),
      leafCertificateThumbprint: sha256Hex(leafCertificate),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

type Whole = {
  [K in keyof RecordRow]: K extends "collectionSignature" ? RecordRow[K] : NonNullable<RecordRow[K]>;
};

/** Whether a live original has its record: they are written in one transaction, so only damage parts them. */
function isWhole(row: RecordRow): row is Whole & RecordRow {
  return row.signature !== null && row.rootCertificate !== null;
}
