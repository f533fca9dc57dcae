import { fromBase64, toBase64 } from "@colophon/formats";
import { HASH_BYTES } from "../tree/hashing.ts";
import type { TreeHead } from "../tree/proofs.ts";
import { type Note, parseNote } from "./note.ts";
import { ForgedSignature, type VerifiedSignature, verifySignatures } from "./signatures.ts";
import type { VerifierKey } from "./verifier-key.ts";

/** What a log says of its tree (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  /** The log's identity: its address without the scheme. */
  readonly origin: string;
}

const DECIMAL = /^(?:0|[1-9]\d{0,15})$/;

/** The text of a checkpoint, to be signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** Reads the text of a checkpoint; lines after the third are passed over. Throws a SyntaxError on any other text. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = "", size = "", root = "", ...extensions] = text.split("\n");
  const isWhole = extensions.at(-1) === "" && !extensions.slice(0, -1).includes("");
  if (origin === "" || !isWhole) throw new SyntaxError("not a checkpoint");
  const hash = fromBase64(root);
  if (hash.length !== HASH_BYTES) throw new SyntaxError("a checkpoint without a root");
  return { origin, size: parseDecimal(size), root: hash };
}

/** A whole number from 0 to 2^53 - 1 in its one notation. Throws a SyntaxError on any other text. */
export function parseDecimal(text: string): number {
  const value = DECIMAL.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw new SyntaxError("not a number of entries");
  return value;
}

/** A checkpoint that its log has signed, and which of the known witnesses have seen it. */
export interface OpenCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly note: Note;
  readonly witnesses: readonly VerifiedSignature[];
}

/**
 * Reads a signed checkpoint and believes it once `logKey` has signed it, in whose name it speaks.
 * @throws SyntaxError on what is no checkpoint
 * @throws ForgedSignature when the log has not signed it, or a signature in the name of a known witness is not that
 * witness's
 */
export function openCheckpoint(
  text: string,
  logKey: VerifierKey,
  witnessKeys: readonly VerifierKey[] = [],
): OpenCheckpoint {
  const note = parseNote(text);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin !== logKey.name) {
    throw new ForgedSignature(`The checkpoint is of ${checkpoint.origin}, not of ${logKey.name}.`);
  }
  if (verifySignatures(note, [logKey]).length === 0) {
    throw new ForgedSignature(`${logKey.name} has not signed the checkpoint.`);
  }
  return { checkpoint, note, witnesses: verifySignatures(note, witnessKeys) };
}
