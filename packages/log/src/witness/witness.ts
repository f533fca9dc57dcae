import { type Checkpoint, parseCheckpoint } from "../note/checkpoint.ts";
import { type Note, parseNote } from "../note/note.ts";
import { verifySignatures } from "../note/signatures.ts";
import type { VerifierKey } from "../note/verifier-key.ts";
import { EMPTY_ROOT } from "../tree/hashing.ts";
import { type TreeHead, verifyConsistency } from "../tree/proofs.ts";
import { type AddCheckpoint, parseAddCheckpoint } from "./add-checkpoint.ts";

/** What a witness makes of a request, by the status that C2SP tlog-witness gives it. */
export type WitnessVerdict =
  /** Keep `checkpoint`, then cosign the text of `note`, both before another request for this log is judged. */
  | { readonly status: 200; readonly checkpoint: Checkpoint; readonly note: Note }
  /** The witness has seen another size last. */
  | { readonly status: 409; readonly size: number }
  /** Cannot be read; not signed by its log; of an unknown log; not the tree seen last, with more behind it. */
  | { readonly status: 400 | 403 | 404 | 422 };

/**
 * Judges the body of an add-checkpoint request.
 *
 * @param logs the keys of the logs that this witness watches; several may be of one log
 * @param seen the tree of a log, by its origin, that this witness signed last; null for none
 */
export function judgeCheckpoint(
  body: string,
  logs: readonly VerifierKey[],
  seen: (origin: string) => TreeHead | null,
): WitnessVerdict {
  let request: AddCheckpoint;
  let note: Note;
  let claimed: Checkpoint;
  try {
    request = parseAddCheckpoint(body);
    note = parseNote(request.checkpoint);
    claimed = parseCheckpoint(note.text);
  } catch {
    return { status: 400 };
  }
  const keys = logs.filter(({ name }) => name === claimed.origin);
  if (keys.length === 0) return { status: 404 };
  if (!isSigned(note, keys)) return { status: 403 };
  if (request.oldSize > claimed.size) return { status: 400 };
  const last = seen(claimed.origin) ?? { size: 0, root: EMPTY_ROOT };
  if (request.oldSize !== last.size) return { status: 409, size: last.size };
  if (!verifyConsistency(last, claimed, request.hashes)) return { status: 422 };
  return { status: 200, checkpoint: claimed, note };
}

function isSigned(note: Note, keys: readonly VerifierKey[]): boolean {
  try {
    return verifySignatures(note, keys).length > 0;
  } catch {
    return false;
  }
}
