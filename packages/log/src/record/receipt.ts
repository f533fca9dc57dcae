import {
  fromBase64,
  fromUtf8,
  manifestHash,
  readRecordPreimage,
  type RecordStatement,
  sha256,
  toHex,
} from "@colophon/formats";
import { parseLogProof } from "../note/log-proof.ts";
import { commitmentTo, writeEntry } from "./entry.ts";
import { leafHash } from "../tree/hashing.ts";
import { type LogCheck, type LogTrust, verifyProofOf } from "./verify-log-proof.ts";

/**
 * What a receipt of the C2PA Soft Binding Resolution API has of this log: a proof, and what the entry is made of.
 * Nothing of it is verified.
 */
export interface Receipt {
  /** The preimage of the record digest. */
  readonly preimage: Uint8Array;
  /** What that states. */
  readonly statement: RecordStatement;
  /** C2SP tlog-proof; its extra data is the nonce of the entry's commitment. */
  readonly proof: string;
  /** The entry's place in the log. */
  readonly entry: number;
}

/** Names the proof of a receipt. */
export const RECEIPT_ALGORITHM = "c2sp.org/tlog-proof@v1";

/** Reads a receipt, the parsed JSON of an answer. Throws a SyntaxError on any other value. */
export function parseReceipt(value: unknown): Receipt {
  const anchor = member(value, "anchor");
  const proof = member(anchor, "proof");
  if (member(proof, "alg") !== RECEIPT_ALGORITHM) throw new SyntaxError("not a receipt of a log");
  const preimage = bytesOf(member(member(anchor, "parameters"), "recordPreimage"));
  const text = fromUtf8(bytesOf(member(proof, "value")));
  return {
    preimage,
    statement: readRecordPreimage(preimage),
    proof: text,
    entry: parseLogProof(text).index,
  };
}

/**
 * Checks that a manifest was published in a log, with the record that states it; asks nobody, and never throws. It
 * holds if no check failed.
 * @param stored the manifest's bytes, as they were answered
 */
export function verifyReceipt(
  { preimage, statement, proof }: Receipt,
  stored: Uint8Array,
  trust: LogTrust,
): LogCheck[] {
  const hash = manifestHash(stored);
  const states = statement.manifests.some((manifest) => toHex(manifest.hash) === hash);
  return verifyProofOf(
    (nonce) => {
      if (!states) return null;
      const commitment = commitmentTo(sha256(preimage), nonce);
      return leafHash(writeEntry({ kind: "published", at: statement.signedAt, commitment }));
    },
    proof,
    trust,
  );
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== "string") throw new SyntaxError("a receipt without its bytes");
  return fromBase64(value);
}
