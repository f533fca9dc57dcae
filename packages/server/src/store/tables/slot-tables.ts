import type { LookupVerdict } from "@colophon/contract";
import type { ManifestForm } from "@colophon/formats";
import type { ColumnType, Generated } from "kysely";
import type { Optional } from "./optional.ts";

export interface SlotTable {
  slotId: string;
  accountId: string;
  kind: "registration" | "lookup";
  status: Generated<"open" | "committed">;
  held: Generated<number>;
  openedAt: Generated<Date>;
  expiresAt: Date;
  ceilingAt: Date;
  committingOwner: Optional<number>;
  purging: Generated<boolean>;
}

export type EntryState = "held" | "registered" | "answered" | "failed" | "errata" | "retry";

export interface SlotEntryTable {
  entryId: Generated<number>;
  accountId: string;
  slotId: string;
  imageHash: Buffer;
  uploadId: string | null;
  byteLength: number;
  contentType: string | null;
  createdAt: Generated<Date>;
  state: EntryState;
  reason: Optional<string>;
  registrationId: Optional<string>;
  manifestsHash: Optional<Buffer>;
  manifestsLength: Generated<number>;
  originalImageHash: Optional<Buffer>;
  pixelHash: Optional<Buffer>;
  packetVersion: Optional<number>;
  packet: Optional<Buffer>;
  words: Optional<number[]>;
  width: Optional<number>;
  height: Optional<number>;
  verdict: ColumnType<LookupVerdict | null, string | null | undefined, string | null>;
}

export interface SlotManifestTable {
  entryId: number;
  position: number;
  kind: string;
  form: ManifestForm;
  stored: Buffer;
}

export interface PooledQueryTable {
  fileName: string;
  poolId: string;
  entryId: number | null;
  sealedKey: Buffer | null;
  accountId: string;
  slotId: string;
  imageHash: Buffer;
  byteLength: number;
  unverified: Generated<boolean>;
}

/** The tables of slots, and of the query images that they hold; the migrations are their source. */
export interface SlotTables {
  slot: SlotTable;
  slotEntry: SlotEntryTable;
  slotManifest: SlotManifestTable;
  pooledQuery: PooledQueryTable;
}
