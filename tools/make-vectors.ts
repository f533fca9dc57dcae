/**
 * Writes the vectors that other implementations check themselves with; the same files on every run.
 *
 *     node tools/make-vectors.ts
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { keyVectors } from "./vectors/keys.ts";
import { ledgerVectors } from "./vectors/ledger.ts";
import { logEntryVectors } from "./vectors/log-entries.ts";
import { logNoteVectors } from "./vectors/log-notes.ts";
import { logProofVectors, logWitnessVectors } from "./vectors/log-proofs.ts";
import { logTileVectors, logTreeVectors } from "./vectors/log-trees.ts";
import {
  jumbfHeaderVectors,
  jumbfVectors,
  manifestsHashVectors,
  preimageVectors,
} from "./vectors/manifests.ts";
import { packetVectors } from "./vectors/packets.ts";
import { pxFrameVectors, pxMalformedVectors, sequenceHashVectors } from "./vectors/px.ts";
import { recordVectors } from "./vectors/records.ts";

/** Where the vectors are kept. */
export const directory: string = join(import.meta.dirname, "..", "vectors");

/** The text of every vector file, by its path in the directory; the same on every run. */
export async function vectorFiles(): Promise<ReadonlyMap<string, string>> {
  const contents: Record<string, object> = {
    "keys.json": keyVectors(),
    "jumbf.json": jumbfVectors(),
    "jumbf-headers.json": jumbfHeaderVectors(),
    "manifests-hash.json": manifestsHashVectors(),
    "preimages.json": preimageVectors(),
    "ledger.json": ledgerVectors(),
    "records.json": recordVectors(),
    "packets.json": await packetVectors(),
    "log/tree.json": await logTreeVectors(),
    "log/tiles.json": logTileVectors(),
    "log/notes.json": logNoteVectors(),
    "log/entries.json": logEntryVectors(),
    "log/proofs.json": await logProofVectors(),
    "log/witness.json": await logWitnessVectors(),
    "px/frames.json": pxFrameVectors(),
    "px/malformed.json": pxMalformedVectors(),
    "px/sequence-hash.json": sequenceHashVectors(),
  };
  return new Map(
    Object.entries(contents).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]),
  );
}

if (import.meta.main) {
  readCommandLine({});
  for (const [path, text] of await vectorFiles()) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}
