import { fromPem, type PublishedRecord, recordDigest, statementOf } from "@colophon/formats";
import { openCheckpoint, type OpenCheckpoint } from "../note/checkpoint.ts";
import { type LogProof, parseLogProof } from "../note/log-proof.ts";
import type { VerifierKey } from "../note/verifier-key.ts";
import { leafHash } from "../tree/hashing.ts";
import { verifyInclusion } from "../tree/proofs.ts";
import { commitmentTo, NONCE_BYTES, writeEntry } from "./entry.ts";

/** What can be checked of a record's proof. */
export type LogCheckName =
  /** The proof can be read. */
  | "logProof"
  /** Its checkpoint is signed by the log whose key the reader has. */
  | "logSignature"
  /** The record is an entry of the log at that checkpoint. */
  | "logEntry"
  /** A witness whose key the reader has saw the checkpoint. */
  | "logWitness";

/** One named check of a record's proof and what came of it, in words; of the same shape as a check of the record. */
export interface LogCheck {
  readonly name: LogCheckName;
  /** Which of the reader's witnesses; null where there is but one. */
  readonly index: number | null;
  readonly result: "passed" | "failed" | "absent";
  readonly sentence: string;
}

/** Whom the reader knows, by keys that came in another way than with the proof. */
export interface LogTrust {
  readonly logKey: VerifierKey;
  readonly witnessKeys?: readonly VerifierKey[];
}

/**
 * Checks that a record is in a log, by a proof (C2SP tlog-proof) whose extra data is the nonce of its commitment; asks
 * nobody, and never throws. It holds if no check failed. That the record itself is sound, `verifyRecord` says.
 */
export function verifyLogProof(record: PublishedRecord, proof: string, trust: LogTrust): LogCheck[] {
  return verifyProofOf((nonce) => recordLeaf(record, nonce), proof, trust);
}

/**
 * Checks a proof of the record whose leaf `leafOf` makes of the nonce of its commitment, 32 bytes; null where there is
 * none.
 */
export function verifyProofOf(
  leafOf: (nonce: Uint8Array) => Uint8Array | null,
  proof: string,
  trust: LogTrust,
): LogCheck[] {
  let read: LogProof;
  try {
    read = parseLogProof(proof);
  } catch {
    return [failed("logProof", "The proof cannot be read.")];
  }
  const passed = check("logProof", "passed", "The proof can be read.");
  let opened: OpenCheckpoint;
  try {
    opened = openCheckpoint(read.checkpoint, trust.logKey, trust.witnessKeys);
  } catch (error) {
    const sentence = error instanceof Error && error.name === "ForgedSignature" ? error.message : UNREADABLE;
    return [passed, failed("logSignature", sentence)];
  }
  return [
    passed,
    check("logSignature", "passed", `The checkpoint is signed by ${trust.logKey.name}.`),
    checkEntry(leafOf, read, opened),
    ...(trust.witnessKeys ?? []).map((key, index) => checkWitness(key, index, opened)),
  ];
}

const UNREADABLE = "The checkpoint cannot be read.";

/**
 * The leaf that a record's entry has in the log; null for a record that has none: not published, or without what the
 * digest is of.
 */
export function recordLeaf(
  { verification, manifests }: PublishedRecord,
  nonce: Uint8Array,
): Uint8Array | null {
  if (verification === null || manifests === null) return null;
  try {
    const statement = statementOf(verification, manifests);
    const digest = recordDigest(statement, fromPem(verification.leafCertificate));
    const commitment = commitmentTo(digest, nonce);
    return leafHash(writeEntry({ kind: "published", at: statement.signedAt, commitment }));
  } catch {
    return null;
  }
}

function checkEntry(
  leafOf: (nonce: Uint8Array) => Uint8Array | null,
  proof: LogProof,
  { checkpoint }: OpenCheckpoint,
): LogCheck {
  const leaf = proof.extra?.length === NONCE_BYTES ? leafOf(proof.extra) : null;
  if (leaf === null || !verifyInclusion(leaf, proof.index, checkpoint, proof.hashes)) {
    return failed("logEntry", "The proof does not show that this record is in the log.");
  }
  const sentence = `The record is entry ${proof.index} of the log, as of its checkpoint of ${checkpoint.size} entries.`;
  return check("logEntry", "passed", sentence);
}

function checkWitness(key: VerifierKey, index: number, { witnesses }: OpenCheckpoint): LogCheck {
  const seen = witnesses.find((witness) => witness.key === key)?.at;
  return seen
    ? check("logWitness", "passed", `${key.name} saw the checkpoint on ${seen.toISOString()}.`, index)
    : check("logWitness", "absent", `${key.name} has not signed the checkpoint.`, index);
}

function check(
  name: LogCheckName,
  result: LogCheck["result"],
  sentence: string,
  index: number | null = null,
): LogCheck {
  return { name, index, result, sentence };
}

function failed(name: LogCheckName, sentence: string): LogCheck {
  return check(name, "failed", sentence);
}
