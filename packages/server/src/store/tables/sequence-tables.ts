import type { ManifestForm } from "@colophon/formats";
import type { Generated } from "kysely";
import type { Optional } from "./optional.ts";

export type SequenceState = "open" | "sealed" | "committed" | "abandoned";

export interface SequenceTable {
  sequenceId: string;
  accountId: string;
  state: Generated<SequenceState>;
  expectedSize: number | null;
  openedAt: Generated<Date>;
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
  form: ManifestForm;
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
  recordedAt: Generated<Date>;
}

/** The tables of sequences; the migrations are their source. */
export interface SequenceTables {
  sequence: SequenceTable;
  sequenceManifest: SequenceManifestTable;
  framePacket: FramePacketTable;
  frame: FrameTable;
  sequenceRecord: SequenceRecordTable;
}
