import type { ManifestForm } from "@colophon/formats";
import type { ColumnType, Generated } from "kysely";
import type { C2paTables } from "./c2pa-tables.ts";
import type { CustodyTables } from "./custody-tables.ts";
import type { LogTables } from "./log-tables.ts";
import type { Optional } from "./optional.ts";
import type { SequenceTables } from "./sequence-tables.ts";
import type { SlotTables } from "./slot-tables.ts";

export interface AccountTable {
  accountId: Generated<string>;
  name: string | null;
  registrationGrant: Generated<number>;
  registrationConsumed: Generated<number>;
  lookupGrant: Generated<number>;
  lookupConsumed: Generated<number>;
  sequencesEnabled: Generated<boolean>;
  maxRequestBytes: number;
  maxFramesPerSequence: number;
  createdAt: Generated<Date>;
  /** Its tokens open nothing. */
  suspendedAt: ColumnType<Date | null, never, Date | null>;
}

export interface AccountCallTable {
  accountId: string;
  callCount: Generated<number>;
}

export interface OperatorTokenTable {
  tokenHash: Buffer;
}

export interface PacketKeyRotationTable {
  keyNumber: number;
  begunAt: Generated<Date>;
  endedAt: Date | null;
  lastImageNo: number;
  sealedTo: Generated<number>;
}

export interface TokenTable {
  tokenId: Generated<string>;
  accountId: string;
  label: string | null;
  tokenHash: Buffer;
  createdAt: Generated<Date>;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  expiresAt: Optional<Date>;
}

export interface CommitMarkTable {
  mark: string;
  madeAt: Generated<Date>;
}

export interface SealedKeyTable {
  name: string;
  sealed: Buffer;
  createdAt: Generated<Date>;
}

export interface TrustChainTable {
  trustVersion: number;
  trustContext: string;
  rootCertificate: Buffer;
  intermediateCertificate: Buffer;
  sealedRootKey: Buffer;
  sealedIntermediateKey: Buffer;
  sealedProvenanceKey: Buffer;
  createdAt: Generated<Date>;
}

export interface OriginalTable {
  imageNo: Generated<number>;
  originalImageHash: Buffer;
  imageHash: Buffer;
  pixelHash: Buffer;
  accountId: string;
  publishedAt: Generated<Date>;
  takenDownAt: Date | null;
  /** Since when it answers equal bytes alone; null of one that matches by content. */
  setAsideAt: ColumnType<Date | null, never, Date | null>;
  sequenceId: Optional<string>;
  frameId: Optional<number>;
  width: number | null;
  height: number | null;
}

export interface RegistrationTable {
  registrationId: string;
  accountId: string;
  imageNo: number;
  registeredAt: Generated<Date>;
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
  form: ManifestForm;
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
export interface Tables extends SlotTables, CustodyTables, SequenceTables, LogTables, C2paTables {
  account: AccountTable;
  accountCall: AccountCallTable;
  token: TokenTable;
  commitMark: CommitMarkTable;
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
