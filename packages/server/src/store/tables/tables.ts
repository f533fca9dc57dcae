import type { LookupVerdict } from "@colophon/contract";
import type { ColumnType, Generated } from "kysely";
import type { C2paTables } from "./c2pa-tables.ts";
import type { LogTables } from "./log-tables.ts";
import type { SequenceTables } from "./sequence-tables.ts";

/** A time the database writes when none is given. */
type WrittenAt = ColumnType<Date, Date | undefined, Date>;

export interface AccountTable {
  accountId: Generated<string>;
  name: string | null;
  registrationGrant: ColumnType<number, number | undefined>;
  registrationConsumed: ColumnType<number, number | undefined>;
  lookupGrant: ColumnType<number, number | undefined>;
  lookupConsumed: ColumnType<number, number | undefined>;
  sequencesEnabled: ColumnType<boolean, boolean | undefined>;
  maxRequestBytes: number;
  maxFramesPerSequence: number;
  createdAt: WrittenAt;
  /** Its tokens open nothing. */
  suspendedAt: ColumnType<Date | null, never, Date | null>;
}

export interface AccountCallTable {
  accountId: string;
  callCount: ColumnType<number, number | undefined>;
}

export interface OperatorTokenTable {
  tokenHash: Buffer;
}

export interface PacketKeyRotationTable {
  keyNumber: number;
  begunAt: WrittenAt;
  endedAt: Date | null;
  lastImageNo: number;
  sealedTo: ColumnType<number, number | undefined>;
}

export interface TokenTable {
  tokenId: Generated<string>;
  accountId: string;
  label: string | null;
  tokenHash: Buffer;
  createdAt: WrittenAt;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  expiresAt: ColumnType<Date | null, Date | null | undefined>;
}

export interface SlotTable {
  slotId: string;
  accountId: string;
  kind: "registration" | "lookup";
  status: ColumnType<"open" | "committed", "open" | "committed" | undefined>;
  held: ColumnType<number, number | undefined>;
  openedAt: WrittenAt;
  expiresAt: Date;
  ceilingAt: Date;
  committingOwner: ColumnType<number | null, number | null | undefined>;
  purging: ColumnType<boolean, boolean | undefined>;
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
  createdAt: WrittenAt;
  state: EntryState;
  reason: ColumnType<string | null, string | null | undefined>;
  registrationId: ColumnType<string | null, string | null | undefined>;
  manifestsHash: ColumnType<Buffer | null, Buffer | null | undefined>;
  manifestsLength: ColumnType<number, number | undefined>;
  originalImageHash: ColumnType<Buffer | null, Buffer | null | undefined>;
  pixelHash: ColumnType<Buffer | null, Buffer | null | undefined>;
  packetVersion: ColumnType<number | null, number | null | undefined>;
  packet: ColumnType<Buffer | null, Buffer | null | undefined>;
  words: ColumnType<number[] | null, number[] | null | undefined>;
  width: ColumnType<number | null, number | null | undefined>;
  height: ColumnType<number | null, number | null | undefined>;
  verdict: ColumnType<LookupVerdict | null, string | null | undefined, string | null>;
}

export interface SlotManifestTable {
  entryId: number;
  position: number;
  kind: string;
  form: "json" | "jumbf";
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
  unverified: ColumnType<boolean, boolean | undefined>;
}

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
  createdAt: WrittenAt;
}

export interface CommitMarkTable {
  mark: string;
  madeAt: WrittenAt;
}

export interface LedgerHeadTable {
  accountId: string;
  ledger: "custody" | "usage" | "operation";
  seq: ColumnType<number, number | undefined>;
  rowHash: ColumnType<Buffer, Buffer | undefined>;
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

export interface SealedKeyTable {
  name: string;
  sealed: Buffer;
  createdAt: WrittenAt;
}

export interface TrustChainTable {
  trustVersion: number;
  trustContext: string;
  rootCertificate: Buffer;
  intermediateCertificate: Buffer;
  sealedRootKey: Buffer;
  sealedIntermediateKey: Buffer;
  sealedProvenanceKey: Buffer;
  createdAt: WrittenAt;
}

export interface OriginalTable {
  imageNo: Generated<number>;
  originalImageHash: Buffer;
  imageHash: Buffer;
  pixelHash: Buffer;
  accountId: string;
  publishedAt: WrittenAt;
  takenDownAt: Date | null;
  /** Since when it answers equal bytes alone; null of one that matches by content. */
  setAsideAt: ColumnType<Date | null, never, Date | null>;
  sequenceId: ColumnType<string | null, string | null | undefined>;
  frameId: ColumnType<number | null, number | null | undefined>;
  width: number | null;
  height: number | null;
}

export interface RegistrationTable {
  registrationId: string;
  accountId: string;
  imageNo: number;
  registeredAt: WrittenAt;
  /** Registered by the commit of a slot. */
  fromSlot: boolean;
  takenDownAt: Date | null;
}

export interface RecordTable {
  imageNo: number;
  signedAt: Date;
  canonicalVersion: number;
  trustVersion: number;
  signature: Buffer;
  /** DER. */
  leafCertificate: Buffer;
  collectionSignature: Buffer | null;
}

export interface ManifestTable {
  imageNo: number;
  position: number;
  kind: string;
  form: "json" | "jumbf";
  /** Null on the record of a frame: the bytes are those of its sequence's manifest. */
  stored: Buffer | null;
  hash: Buffer | null;
  signature: Buffer | null;
}

export interface FeatureTable {
  imageNo: number;
  packetVersion: number;
  packet: Buffer;
  /** As `packWords` makes them. */
  words: Buffer;
}

export interface RankingPartTable {
  imageNo: number;
  part: Buffer;
}

export interface PostingTable {
  word: number;
  imageNo: number;
}

export interface IndexPartTable {
  /** Of its schema on the other server, and of the foreign server on this one. */
  name: string;
  beginsAt: number;
  endsAt: number;
  address: string;
  /** Null while its postings are copied. */
  countedAt: Date | null;
}

/** The database as the queries see it; the migrations are its source. */
export interface Tables extends SequenceTables, LogTables, C2paTables {
  account: AccountTable;
  accountCall: AccountCallTable;
  token: TokenTable;
  slot: SlotTable;
  slotEntry: SlotEntryTable;
  slotManifest: SlotManifestTable;
  pooledQuery: PooledQueryTable;
  engineIntent: EngineIntentTable;
  commitMark: CommitMarkTable;
  ledgerHead: LedgerHeadTable;
  custodyRow: CustodyRowTable;
  usageRow: UsageRowTable;
  operationRow: OperationRowTable;
  operatorToken: OperatorTokenTable;
  packetKeyRotation: PacketKeyRotationTable;
  sealedKey: SealedKeyTable;
  trustChain: TrustChainTable;
  original: OriginalTable;
  registration: RegistrationTable;
  record: RecordTable;
  manifest: ManifestTable;
  feature: FeatureTable;
  rankingPart: RankingPartTable;
  posting: PostingTable;
  indexPart: IndexPartTable;
}
