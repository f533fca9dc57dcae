import type { ColumnType, Generated } from "kysely";

export type SequenceState = "open" | "sealed" | "committed" | "abandoned";

/** A column that is null when an insert leaves it out. */
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface SequenceTable {
  sequence_id: string;
  account_id: string;
  state: ColumnType<SequenceState, SequenceState | undefined>;
  expected_size: number | null;
  opened_at: ColumnType<Date, Date | undefined, Date>;
  sequence_hash: Optional<Buffer>;
  outcome: Optional<"registered" | "alreadyRegistered">;
  final_size: Optional<number>;
  committed_at: Optional<Date>;
}

export interface SequenceManifestTable {
  sequence_id: string;
  position: number;
  kind: string;
  form: "json" | "jumbf";
  stored: Buffer;
}

export interface FramePacketTable {
  packet_id: Generated<number>;
  account_id: string;
  sequence_id: string;
  frame_id: number;
  admission_id: string | null;
  image_hash: Buffer;
  original_image_hash: Buffer;
  pixel_hash: Buffer;
  packet_version: number;
  packet: Buffer;
  words: number[];
}

export interface FrameTable {
  sequence_id: string;
  frame_id: number;
  account_id: string;
  type: "HEAD" | "BODY" | "END";
  prev: number | null;
  next: number | null;
  frame_hash: Buffer;
  erratum: Buffer | null;
  original_image_hash: Buffer | null;
  packet_id: number | null;
  image_no: number | null;
}

export interface SequenceRecordTable {
  sequence_hash: Buffer;
  sequence_id: string;
  recorded_at: ColumnType<Date, Date | undefined, Date>;
}

/** The tables of sequences; the migrations are their source. */
export interface SequenceTables {
  sequence: SequenceTable;
  sequence_manifest: SequenceManifestTable;
  frame_packet: FramePacketTable;
  frame: FrameTable;
  sequence_record: SequenceRecordTable;
}
