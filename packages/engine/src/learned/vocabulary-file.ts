import { readFileSync } from "node:fs";

/** Centres of each part of a projected descriptor, numbers of a part, and parts. */
export const CENTRES = 1024;
export const PART_LENGTH = 16;
export const PARTS = 3;

const DESCRIPTOR = 128;
const PROJECTED = PARTS * PART_LENGTH;
const MAGIC = "CLV";
const LAYOUT = 1;
const HEADER = 16;

/*
 * All that the engine has learned, one file, little-endian: "CLV", u8 layout, u16 version, zeros up to byte 16; then
 * float32: a median for each of a descriptor's 128 values, their mean, 48 rows of projection, the mirror and the
 * inversion fold, three times 1,024 centres of 16; last, ascending, the stop words as uint32.
 */

type Group =
  | "version"
  | "medians"
  | "mean"
  | "projection"
  | "mirrorFold"
  | "inversionFold"
  | "centres"
  | "stopWords";

/** Where each group of numbers starts in the file, bytes. */
export const VOCABULARY_OFFSETS: Readonly<Record<Group, number>> = {
  version: 4,
  medians: HEADER,
  mean: HEADER + 4 * DESCRIPTOR,
  projection: HEADER + 4 * DESCRIPTOR * 2,
  mirrorFold: HEADER + 4 * DESCRIPTOR * (2 + PROJECTED),
  inversionFold: HEADER + 4 * DESCRIPTOR * (3 + PROJECTED),
  centres: HEADER + 4 * DESCRIPTOR * (4 + PROJECTED),
  stopWords: HEADER + 4 * DESCRIPTOR * (4 + PROJECTED) + 4 * PARTS * CENTRES * PART_LENGTH,
};

/** The first bytes of a vocabulary file of a version. */
export function vocabularyHeader(version: number): Uint8Array {
  const header = new Uint8Array(HEADER);
  header.set([...new TextEncoder().encode(MAGIC), LAYOUT]);
  new DataView(header.buffer).setUint16(VOCABULARY_OFFSETS.version, version, true);
  return header;
}

/**
 * Reads the engine's vocabulary file.
 *
 * @throws {Error} when it is not one of this layout
 */
function readVocabularyFile(): Buffer {
  const file = readFileSync(new URL("../../data/vocabulary.bin", import.meta.url));
  const known = file.length >= VOCABULARY_OFFSETS.stopWords && file.length % 4 === 0;
  if (!known || file.toString("latin1", 0, MAGIC.length) !== MAGIC || file[MAGIC.length] !== LAYOUT) {
    throw new Error("data/vocabulary.bin is not a vocabulary of this engine.");
  }
  return file;
}

/** What the file says of itself, and the thresholds' medians. */
export const learned: { readonly version: number; readonly medians: Float32Array } = readLearned();

function readLearned(): { version: number; medians: Float32Array } {
  const file = readVocabularyFile();
  return {
    version: file.readUInt16LE(VOCABULARY_OFFSETS.version),
    medians: Float32Array.from({ length: DESCRIPTOR }, (_, i) =>
      file.readFloatLE(VOCABULARY_OFFSETS.medians + 4 * i),
    ),
  };
}

/** Version of the learned numbers; words of different versions do not compare. */
export const VOCABULARY_VERSION: number = learned.version;

/** Reads the file into memory that all workers of the process can share. */
export function loadVocabulary(): SharedArrayBuffer {
  const file = readVocabularyFile();
  const shared = new SharedArrayBuffer(file.length);
  new Uint8Array(shared).set(file);
  return shared;
}
