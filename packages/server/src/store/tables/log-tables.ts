import type { ColumnType, Generated } from "kysely";

export interface LogPendingTable {
  entryNo: Generated<number>;
  at: Date;
  commitment: Buffer | null;
  ends: number | null;
}

export interface LogNonceTable {
  imageNo: number;
  entryNo: number;
  nonce: Buffer;
  commitment: Buffer;
}

export interface LogEntryTable {
  entryNo: number;
  position: number;
}

export interface LogTreeTable {
  origin: string;
  generation: number;
  size: number;
  root: Buffer;
}

export interface LogTileTable {
  level: number;
  tileNo: number;
  hashes: Buffer;
}

export interface LogBundleTable {
  tileNo: number;
  entries: Buffer;
}

export interface LogCheckpointTable {
  size: number;
  note: string;
  cosignatures: ColumnType<string, string | undefined, string>;
  signedAt: ColumnType<Date, Date | undefined, never>;
  timestampReply: ColumnType<Buffer | null, Buffer | null | undefined, Buffer>;
  timestampedAt: ColumnType<Date | null, Date | null | undefined, Date>;
}

/** The tables of the transparency log. */
export interface LogTables {
  logPending: LogPendingTable;
  logNonce: LogNonceTable;
  logEntry: LogEntryTable;
  logTree: LogTreeTable;
  logTile: LogTileTable;
  logBundle: LogBundleTable;
  logCheckpoint: LogCheckpointTable;
}
