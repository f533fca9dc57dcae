import type { ColumnType, Generated } from "kysely";

export type SequenceState = "open" | "sealed" | "committed" | "abandoned";

/** A column that is null when an insert leaves it out. */
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface SequenceTable {
  sequenceId: string;
  accountId: string;
  state: ColumnType<SequenceState, SequenceState | undefined>;
  expectedSize: number | null;
  openedAt: ColumnType<Date, Date | undefined, Date>;
  sequenceHash: Optional<Buffer>;
  outcome: Optional<"registered" | "alreadyRegistered">;
  finalSize: Optional<number>;
  committedAt: Optional<Date>;
  /** What its frames take of the disk, kept by triggers. */
  frameBytes: Generated<number>;
}

export interface SequenceManifestTable {
  sequenceId: string;
  position: number;
  kind: string;
  form: "json" | "jumbf";
  stored: Buffer;
}

export interface FramePacketTable {
  packetId: Generated<number>;
  accountId: string;
  sequenceId: string;
  frameId: number;
  admissionId: string | null;
  imageHash: Buffer;
  originalImageHash: Buffer;
  pixelHash: Buffer;
  width: number | null;
  height: number | null;
  packetVersion: number;
  packet: Buffer;
  words: number[];
}

export interface FrameTable {
  sequenceId: string;
  frameId: number;
  accountId: string;
  type: "HEAD" | "BODY" | "END";
  prev: number | null;
  next: number | null;
  frameHash: Buffer;
  erratum: Buffer | null;
  originalImageHash: Buffer | null;
  packetId: number | null;
  imageNo: number | null;
}

export interface SequenceRecordTable {
  sequenceHash: Buffer;
  sequenceId: string;
  recordedAt: ColumnType<Date, Date | undefined, Date>;
}

/** The tables of sequences; the migrations are their source. */
export interface SequenceTables {
  sequence: SequenceTable;
  sequenceManifest: SequenceManifestTable;
  framePacket: FramePacketTable;
  frame: FrameTable;
  sequenceRecord: SequenceRecordTable;
}
