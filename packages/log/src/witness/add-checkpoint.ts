import { toBase64 } from "@colophon/formats";
import { parseDecimal } from "../note/checkpoint.ts";
import { parseHashes } from "../note/log-proof.ts";

/**
 * What a log sends a witness (C2SP tlog-witness): its checkpoint, and the proof that it begins with the tree the
 * witness saw last.
 */
export interface AddCheckpoint {
  readonly oldSize: number;
  /** A consistency proof from `oldSize`. */
  readonly hashes: readonly Uint8Array[];
  /** The signed note. */
  readonly checkpoint: string;
}

/** The body of the request. */
export function writeAddCheckpoint({ oldSize, hashes, checkpoint }: AddCheckpoint): string {
  return `${[`old ${oldSize}`, ...hashes.map(toBase64)].join("\n")}\n\n${checkpoint}`;
}

/** Reads the body of the request, believing nothing of it. Throws a SyntaxError on any other text. */
export function parseAddCheckpoint(body: string): AddCheckpoint {
  const end = body.indexOf("\n\n");
  const [old = "", ...lines] = body.slice(0, Math.max(end, 0)).split("\n");
  if (!old.startsWith("old ")) throw new SyntaxError("not a checkpoint for a witness");
  return {
    oldSize: parseDecimal(old.slice("old ".length)),
    hashes: parseHashes(lines),
    checkpoint: body.slice(end + 2),
  };
}
