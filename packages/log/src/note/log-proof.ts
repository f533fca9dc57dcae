import { fromBase64, toBase64 } from "@colophon/formats";
import { HASH_BYTES } from "../tree/hashing.ts";
import { parseDecimal } from "./checkpoint.ts";

/** That an entry is in a log, for who knows the entry and the log's key (C2SP tlog-proof). */
export interface LogProof {
  /** What the entry is made of and the reader has not; null for nothing. */
  readonly extra: Uint8Array | null;
  readonly index: number;
  /** From the leaf's sibling up. */
  readonly hashes: readonly Uint8Array[];
  /** The signed note, as it is. */
  readonly checkpoint: string;
}

const HEAD = "c2sp.org/tlog-proof@v1";
/** No tree is higher. */
const MAX_HASHES = 63;

/** The proof as text, the content of a `.tlog-proof` file. */
export function writeLogProof({ extra, index, hashes, checkpoint }: LogProof): string {
  const lines = [
    HEAD,
    ...(extra === null ? [] : [`extra ${toBase64(extra)}`]),
    `index ${index}`,
    ...hashes.map(toBase64),
  ];
  return `${lines.join("\n")}\n\n${checkpoint}`;
}

/** Reads a proof, believing nothing of it. Throws a SyntaxError on any other text. */
export function parseLogProof(text: string): LogProof {
  const end = text.indexOf("\n\n");
  const [head, ...lines] = text.slice(0, Math.max(end, 0)).split("\n");
  if (head !== HEAD) throw new SyntaxError("not a proof of a log");
  const extra =
    lines[0]?.startsWith("extra ") === true ? fromBase64(lines.shift()!.slice("extra ".length)) : null;
  const index = lines.shift() ?? "";
  if (!index.startsWith("index ")) throw new SyntaxError("a proof without an index");
  return {
    extra,
    index: parseDecimal(index.slice("index ".length)),
    hashes: parseHashes(lines),
    checkpoint: text.slice(end + 2),
  };
}

/** Hashes in base64, a line each. Throws a SyntaxError on any other text, and on more than any proof has. */
export function parseHashes(lines: readonly string[]): Uint8Array[] {
  if (lines.length > MAX_HASHES) throw new SyntaxError("a proof with too many hashes");
  return lines.map((line) => {
    const hash = fromBase64(line);
    if (hash.length !== HASH_BYTES) throw new SyntaxError("not a hash of a proof");
    return hash;
  });
}
