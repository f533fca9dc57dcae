import { fromUtf8, toHex, toUtf8 } from "@colophon/formats";
import { commitmentTo, leafHash, type LogEntry, writeEntry } from "@colophon/log";
import { SIGNED_AT } from "./answers.ts";
import { vectorBytes } from "./log-trees.ts";

/** Commitments, entries with their leaf hashes, and texts that are no entry. */
export function logEntryVectors(): object {
  const nonce = vectorBytes("nonce");
  const recordDigest = vectorBytes("record digest");
  const commitment = commitmentTo(recordDigest, nonce);
  const entries: readonly LogEntry[] = [
    { kind: "published", at: SIGNED_AT, commitment },
    { kind: "takenDown", at: new Date("2026-11-21T00:00:00Z"), ends: 0 },
    { kind: "takenDown", at: new Date("2026-12-31T23:59:59.999Z"), ends: 1_234_567 },
  ];
  const [published, takenDown] = entries.map((entry) => fromUtf8(writeEntry(entry))) as [string, string];
  return {
    commitments: [{ recordDigest: toHex(recordDigest), nonce: toHex(nonce), commitment: toHex(commitment) }],
    entries: entries.map((entry) => ({
      kind: entry.kind,
      at: entry.at.toISOString(),
      ...(entry.kind === "published" ? { commitment: toHex(entry.commitment) } : { ends: entry.ends }),
      entry: fromUtf8(writeEntry(entry)),
      leafHash: toHex(leafHash(writeEntry(entry))),
    })),
    refused: [
      "",
      published.trimEnd(),
      `${published}\n`,
      published.replace("@v1", "@v2"),
      published.replaceAll("\n", "\r\n"),
      published.replace("Z", ".250Z"),
      published.replace("2026-11-20", "2026-11-31"),
      published.replace("=", ""),
      published.replace("published", "takenDown"),
      takenDown.replace("takenDown", "published"),
      takenDown.replace("\n0\n", "\n00\n"),
      takenDown.replace("\n0\n", "\n-1\n"),
      takenDown.replace("\n0\n", "\n9007199254740992\n"),
    ].map((text) => ({ entry: text, bytes: toHex(toUtf8(text)) })),
  };
}
