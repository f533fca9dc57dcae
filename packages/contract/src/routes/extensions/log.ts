import type { Answer, Route } from "../../route.ts";
import { LogCheckpoint, LogProof, LogTile, LogTimestamp, LogVkey } from "../../schemas/extensions/log.ts";

const TEXT = "text/plain; charset=utf-8";
const BYTES = "application/octet-stream";
/** What never changes under its address. */
const FOR_GOOD = "public, max-age=31536000, immutable";
const BRIEFLY = "public, max-age=1";

const shared = {
  method: "GET",
  tag: "Log",
  auth: "none",
  setting: "COLOPHON_LOG",
  refusals: ["notFound", "serviceUnavailable"],
} as const satisfies Partial<Route>;

const open = { status: 200, anyOrigin: true } as const satisfies Partial<Answer>;

/** The log: C2SP tlog-tiles, tlog-checkpoint and tlog-proof. */
export const LOG_EXTENSIONS = [
  {
    ...shared,
    operationId: "getLogCheckpoint",
    path: "/log/checkpoint",
    summary: "Read the latest checkpoint",
    description:
      "The latest signed checkpoint (c2sp.org/tlog-checkpoint) with the cosignatures of witnesses so far. Takes no token.",
    answer: {
      ...open,
      description: "The checkpoint.",
      schema: LogCheckpoint,
      mediaType: TEXT,
      cacheControl: BRIEFLY,
    },
  },
  {
    ...shared,
    operationId: "getLogVkey",
    path: "/log/vkey",
    summary: "Read the log's public key",
    description:
      "The key that signs checkpoints, as a vkey (c2sp.org/signed-note). Anyone who verifies should have it from the operator, not from here. Takes no token.",
    answer: { ...open, description: "The key.", schema: LogVkey, mediaType: TEXT, cacheControl: BRIEFLY },
  },
  {
    ...shared,
    operationId: "getLogTile",
    path: "/log/tile/{logLevel}/{logTile}",
    tail: true,
    summary: "Read a tile of the log",
    description:
      "A tile of up to 256 hashes, or with `entries` for a level up to 256 entries, each after its length as a uint16 (c2sp.org/tlog-tiles). Takes no token.",
    answer: { ...open, description: "The tile.", schema: LogTile, mediaType: BYTES, cacheControl: FOR_GOOD },
  },
  {
    ...shared,
    operationId: "getLogTimestamp",
    path: "/log/timestamps/{logTimestamp}",
    summary: "Read a checkpoint's timestamp",
    description:
      "The answer of the authority that the operator named (RFC 3161), as it came, over the checkpoint of that size as the log signed it, without cosignatures. Takes no token.",
    answer: {
      status: 200,
      description: "The timestamp.",
      schema: LogTimestamp,
      mediaType: "application/timestamp-reply",
    },
  },
  {
    ...shared,
    operationId: "getLogProof",
    path: "/log/proofs/{originalImageHash}",
    auth: "account",
    public: "records",
    summary: "Read the proof that a record is in the log",
    description:
      "A proof (c2sp.org/tlog-proof) that the published record under this hash is an entry of the log; its extra data is the nonce of the entry's commitment. Any token reads any proof; nothing is charged. A record is in the log within seconds of its publication.",
    answer: { status: 200, description: "The proof.", schema: LogProof, mediaType: TEXT },
    refusals: ["invalidDeclaredHash", "proofNotFound", "tooManyRequests", "proofNotReady"],
  },
] as const satisfies readonly Route[];
