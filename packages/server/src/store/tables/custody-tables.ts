import type { ColumnType, Generated } from "kysely";

export type PixelSubject = "registrationImage" | "queryImage" | "frame";

export interface EngineIntentTable {
  intentId: string;
  owner: number;
  accountId: string;
  registrations: number;
  lookups: number;
  subject: PixelSubject | null;
  imageHash: Buffer | null;
  byteLength: number | null;
  slotId: string | null;
  sequenceId: string | null;
  frameId: number | null;
  createdAt: Generated<Date>;
}

export interface LedgerHeadTable {
  accountId: string;
  ledger: "custody" | "usage" | "operation";
  seq: Generated<number>;
  rowHash: Generated<Buffer>;
}

/** Columns the chaining trigger fills on insert, and nobody may change. */
type Chained<T> = ColumnType<T, never, never>;

export interface CustodyRowTable {
  accountId: string;
  seq: Chained<number>;
  at: Chained<Date>;
  kind: "received" | "derived" | "deleted" | "deleteUnverified";
  subject: PixelSubject | "packet";
  imageHash: Buffer | null;
  sequenceId: string | null;
  frameId: number | null;
  slotId: string | null;
  byteLength: number;
  checkName: string | null;
  rowHash: Chained<Buffer>;
}

export interface UsageRowTable {
  accountId: string;
  seq: Chained<number>;
  at: Chained<Date>;
  kind: "registration" | "preCheck" | "lookup" | "record";
  units: number;
  imageHash: Buffer | null;
  originalImageHash: Buffer | null;
  registrationId: string | null;
  slotId: string | null;
  rowHash: Chained<Buffer>;
}

export interface OperationRowTable {
  accountId: string;
  seq: Chained<number>;
  at: Chained<Date>;
  kind: "setAside" | "reinstated" | "takenDown" | "suspended" | "resumed";
  originalImageHash: Buffer | null;
  reason: string;
  previousRowHash: Chained<Buffer>;
  rowHash: Chained<Buffer>;
}

/** The tables of engine calls under way, and of the ledgers; the migrations are their source. */
export interface CustodyTables {
  engineIntent: EngineIntentTable;
  ledgerHead: LedgerHeadTable;
  custodyRow: CustodyRowTable;
  usageRow: UsageRowTable;
  operationRow: OperationRowTable;
}
