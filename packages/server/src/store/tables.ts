import type { LookupVerdict } from "@colophon/contract";
import type { ColumnType, Generated } from "kysely";
import type { SequenceTables } from "./sequence-tables.ts";

/** A time the database writes when none is given. */
type WrittenAt = ColumnType<Date, Date | undefined, Date>;

export interface AccountTable {
  account_id: Generated<string>;
  name: string | null;
  registration_grant: ColumnType<number, number | undefined>;
  registration_consumed: ColumnType<number, number | undefined>;
  lookup_grant: ColumnType<number, number | undefined>;
  lookup_consumed: ColumnType<number, number | undefined>;
  sequences_enabled: ColumnType<boolean, boolean | undefined>;
  max_request_bytes: number;
  max_frames_per_sequence: number;
  created_at: WrittenAt;
}

export interface AccountCallTable {
  account_id: string;
  call_count: ColumnType<number, number | undefined>;
}

export interface TokenTable {
  token_id: Generated<string>;
  account_id: string;
  label: string | null;
  token_hash: Buffer;
  created_at: WrittenAt;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

export interface SlotTable {
  slot_id: string;
  account_id: string;
  kind: "registration" | "lookup";
  status: ColumnType<"open" | "committed", "open" | "committed" | undefined>;
  held: ColumnType<number, number | undefined>;
  opened_at: WrittenAt;
  expires_at: Date;
  ceiling_at: Date;
  committing_owner: ColumnType<number | null, number | null | undefined>;
  purging: ColumnType<boolean, boolean | undefined>;
}

export type EntryState = "held" | "registered" | "answered" | "failed" | "errata" | "retry";

export interface SlotEntryTable {
  entry_id: Generated<number>;
  account_id: string;
  slot_id: string;
  image_hash: Buffer;
  upload_id: string | null;
  byte_length: number;
  content_type: string | null;
  created_at: WrittenAt;
  state: EntryState;
  reason: ColumnType<string | null, string | null | undefined>;
  registration_id: ColumnType<string | null, string | null | undefined>;
  manifests_hash: ColumnType<Buffer | null, Buffer | null | undefined>;
  manifests_length: ColumnType<number, number | undefined>;
  original_image_hash: ColumnType<Buffer | null, Buffer | null | undefined>;
  pixel_hash: ColumnType<Buffer | null, Buffer | null | undefined>;
  packet_version: ColumnType<number | null, number | null | undefined>;
  packet: ColumnType<Buffer | null, Buffer | null | undefined>;
  words: ColumnType<number[] | null, number[] | null | undefined>;
  verdict: ColumnType<LookupVerdict | null, string | null | undefined, string | null>;
}

export interface SlotManifestTable {
  entry_id: number;
  position: number;
  kind: string;
  form: "json" | "jumbf";
  stored: Buffer;
}

export interface PooledQueryTable {
  file_name: string;
  pool_id: string;
  entry_id: number | null;
  sealed_key: Buffer | null;
  account_id: string;
  slot_id: string;
  image_hash: Buffer;
  byte_length: number;
  unverified: ColumnType<boolean, boolean | undefined>;
}

export type PixelSubject = "registrationImage" | "queryImage" | "frame";

export interface EngineIntentTable {
  intent_id: string;
  owner: number;
  account_id: string;
  registrations: number;
  lookups: number;
  subject: PixelSubject | null;
  image_hash: Buffer | null;
  byte_length: number | null;
  slot_id: string | null;
  sequence_id: string | null;
  frame_id: number | null;
  created_at: WrittenAt;
}

export interface LedgerHeadTable {
  account_id: string;
  ledger: "custody" | "usage";
  seq: ColumnType<number, number | undefined>;
  row_hash: ColumnType<Buffer, Buffer | undefined>;
}

/** Columns the chaining trigger fills on insert, and nobody may change. */
type Chained<T> = ColumnType<T, never, never>;

export interface CustodyRowTable {
  account_id: string;
  seq: Chained<number>;
  at: Chained<Date>;
  kind: "received" | "derived" | "deleted" | "deleteUnverified";
  subject: PixelSubject | "packet";
  image_hash: Buffer | null;
  sequence_id: string | null;
  frame_id: number | null;
  slot_id: string | null;
  byte_length: number;
  check_name: string | null;
  previous_row_hash: Chained<Buffer>;
  row_hash: Chained<Buffer>;
}

export interface UsageRowTable {
  account_id: string;
  seq: Chained<number>;
  at: Chained<Date>;
  kind: "registration" | "preCheck" | "lookup" | "record";
  units: number;
  image_hash: Buffer | null;
  original_image_hash: Buffer | null;
  registration_id: string | null;
  slot_id: string | null;
  previous_row_hash: Chained<Buffer>;
  row_hash: Chained<Buffer>;
}

export interface SealedKeyTable {
  name: string;
  sealed: Buffer;
  created_at: WrittenAt;
}

export interface TrustChainTable {
  trust_version: number;
  trust_context: string;
  root_certificate: Buffer;
  intermediate_certificate: Buffer;
  sealed_root_key: Buffer;
  sealed_intermediate_key: Buffer;
  sealed_provenance_key: Buffer;
  created_at: WrittenAt;
}

export interface OriginalTable {
  image_no: Generated<number>;
  original_image_hash: Buffer;
  image_hash: Buffer;
  pixel_hash: Buffer;
  account_id: string;
  published_at: WrittenAt;
  taken_down_at: Date | null;
  sequence_id: ColumnType<string | null, string | null | undefined>;
  frame_id: ColumnType<number | null, number | null | undefined>;
}

export interface RegistrationTable {
  registration_id: string;
  account_id: string;
  image_no: number;
  registered_at: WrittenAt;
  taken_down_at: Date | null;
}

export interface RecordTable {
  image_no: number;
  signed_at: Date;
  canonical_version: number;
  trust_version: number;
  signature: Buffer;
  public_key: Buffer;
  leaf_certificate: string;
  leaf_certificate_thumbprint: string;
  collection_signature: Buffer | null;
  engine_record: string;
}

export interface ManifestTable {
  image_no: number;
  position: number;
  kind: string;
  form: "json" | "jumbf";
  /** Null on the record of a frame: the bytes are those of its sequence's manifest. */
  stored: Buffer | null;
  hash: Buffer | null;
  signature: Buffer | null;
}

export interface FeatureTable {
  image_no: number;
  packet_version: number;
  packet: Buffer;
  words: number[];
}

export interface PostingTable {
  word: number;
  image_no: number;
}

/** The database as the queries see it; the migrations are its source. */
export interface Tables extends SequenceTables {
  account: AccountTable;
  account_call: AccountCallTable;
  token: TokenTable;
  slot: SlotTable;
  slot_entry: SlotEntryTable;
  slot_manifest: SlotManifestTable;
  pooled_query: PooledQueryTable;
  engine_intent: EngineIntentTable;
  ledger_head: LedgerHeadTable;
  custody_row: CustodyRowTable;
  usage_row: UsageRowTable;
  sealed_key: SealedKeyTable;
  trust_chain: TrustChainTable;
  original: OriginalTable;
  registration: RegistrationTable;
  record: RecordTable;
  manifest: ManifestTable;
  feature: FeatureTable;
  posting: PostingTable;
}
