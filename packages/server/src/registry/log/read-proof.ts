import { inclusionProof, writeLogProof } from "@colophon/log";
import { type Database, type Read, reading } from "../../store/database.ts";
import { bestCheckpointOver } from "../../store/log/checkpoints.ts";
import { entryOf } from "../../store/log/entries.ts";
import { tileReader } from "../../store/log/tree.ts";

/** What the log has for an original image hash. */
export type ProofAnswer =
  | { readonly outcome: "proven"; readonly proof: string }
  /** Its entry waits for a place, or for a checkpoint over it. */
  | { readonly outcome: "waiting" }
  /** Never published, or taken down. */
  | { readonly outcome: "unknown" };

/** The proof that the live record under a hash is in the log, from one snapshot of the database. */
export function readProof(database: Database, originalImageHash: Buffer): Promise<ProofAnswer> {
  return reading(database, (read) => proofOf(read, originalImageHash));
}

/** The same, in a snapshot that the caller reads more from. */
export async function proofOf(read: Read, originalImageHash: Buffer): Promise<ProofAnswer> {
  const entry = await entryOf(read, originalImageHash);
  if (entry === null) return { outcome: "unknown" };
  const { position, nonce } = entry;
  const checkpoint = position === null ? null : await bestCheckpointOver(read, position);
  if (position === null || checkpoint === null) return { outcome: "waiting" };
  const proof = writeLogProof({
    extra: nonce,
    index: position,
    hashes: await inclusionProof(position, checkpoint.size, tileReader(read)),
    checkpoint: checkpoint.note + checkpoint.cosignatures,
  });
  return { outcome: "proven", proof };
}
