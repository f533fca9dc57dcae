import { invertedIndex, mirroredIndex } from "../features/binarise.ts";
import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { CENTRES, PART_LENGTH, PARTS, VOCABULARY_OFFSETS } from "../learned/vocabulary-file.ts";

/** Numbers of a projected descriptor. */
export const PROJECTED: number = PARTS * PART_LENGTH;

/** Permutations of a descriptor when the picture is mirrored, or light and dark exchanged. */
export const mirrored: Uint8Array = Uint8Array.from({ length: DESCRIPTOR_LENGTH }, (_, i) =>
  mirroredIndex(i),
);
export const inverted: Uint8Array = Uint8Array.from({ length: DESCRIPTOR_LENGTH }, (_, i) =>
  invertedIndex(i),
);

/** Rows become columns, so that neighbouring results lie side by side. */
export function transposed(matrix: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from(matrix, (_, i) => matrix[(i % rows) * columns + Math.floor(i / rows)]!);
}

/** The learned numbers, laid out for use. */
export interface VocabularyTables {
  readonly inversionFold: Float32Array;
  readonly mirrorFold: Float32Array;
  /** `projection[k * 48 + row]`. */
  readonly projection: Float32Array;
  /** The projection of the mean descriptor. */
  readonly offset: Float32Array;
  /** Per part `centres[component * 1024 + centre]`. */
  readonly centres: readonly Float32Array[];
  /** Ascending. */
  readonly stopWords: Uint32Array;
}

/** Projects a descriptor, in float32 steps. */
export function project(projection: Float32Array, from: Float32Array, into: Float32Array): void {
  into.fill(0);
  for (let k = 0; k < DESCRIPTOR_LENGTH; k += 1) {
    const value = from[k]!;
    const at = k * PROJECTED;
    for (let row = 0; row < PROJECTED; row += 1) {
      into[row] = into[row]! + Math.fround(projection[at + row]! * value);
    }
  }
}

/** Lays the learned numbers out. `shared`: what `loadVocabulary` gives. */
export function vocabularyTables(shared: SharedArrayBuffer): VocabularyTables {
  const floats = (at: number, length: number): Float32Array => new Float32Array(shared, at, length);
  const rows = floats(VOCABULARY_OFFSETS.projection, PROJECTED * DESCRIPTOR_LENGTH);
  const projection = transposed(rows, PROJECTED, DESCRIPTOR_LENGTH);
  const offset = new Float32Array(PROJECTED);
  project(projection, floats(VOCABULARY_OFFSETS.mean, DESCRIPTOR_LENGTH), offset);
  return {
    inversionFold: floats(VOCABULARY_OFFSETS.inversionFold, DESCRIPTOR_LENGTH),
    mirrorFold: floats(VOCABULARY_OFFSETS.mirrorFold, DESCRIPTOR_LENGTH),
    projection,
    offset,
    centres: Array.from({ length: PARTS }, (_, part) => {
      const at = VOCABULARY_OFFSETS.centres + 4 * part * CENTRES * PART_LENGTH;
      return transposed(floats(at, CENTRES * PART_LENGTH), CENTRES, PART_LENGTH);
    }),
    stopWords: new Uint32Array(shared, VOCABULARY_OFFSETS.stopWords),
  };
}
