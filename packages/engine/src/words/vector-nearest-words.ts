import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { CENTRES, PART_LENGTH } from "../learned/vocabulary-file.ts";
import { Arena, bytesAt, floatsAt, integersAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { NEAREST_WORDS, type NearestWords } from "./nearest-words.ts";
import { inverted, mirrored, transposed, type VocabularyTables } from "./vocabulary-tables.ts";
import { quantiseCentres, stepsPerUnit } from "./quantised-centres.ts";

function lengthOf(parts: readonly { readonly length: number }[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Hands the tables to the kernels, for good: one vocabulary a thread, before any other arena is opened. */
function shareTables(tables: VocabularyTables): void {
  const { inversionFold, mirrorFold, projection, offset, centres } = tables;
  const rows = centres.map((part) => transposed(part, PART_LENGTH, CENTRES));
  const steps = stepsPerUnit(tables);
  const whole = rows.map((part) => quantiseCentres(part, steps));
  const numbers = [inversionFold, mirrorFold, projection, offset, ...rows];
  const { at } = new Arena({
    numbers: 4 * lengthOf(numbers),
    quantised: 4 * lengthOf(whole),
    moves: 2 * DESCRIPTOR_LENGTH,
  });
  let next = at.numbers;
  for (const part of numbers) {
    floatsAt(next, part.length).set(part);
    next += 4 * part.length;
  }
  next = at.quantised;
  for (const part of whole) {
    integersAt(next, part.length).set(part);
    next += 4 * part.length;
  }
  bytesAt(at.moves, DESCRIPTOR_LENGTH).set(inverted);
  bytesAt(at.moves + DESCRIPTOR_LENGTH, DESCRIPTOR_LENGTH).set(mirrored);
  kernels.setVocabulary(at.numbers, at.quantised, steps, at.moves);
}

/** `NearestWords` with the vector kernels. One a thread; made before any other arena is opened. */
export function vectorNearestWords(tables: VocabularyTables): NearestWords {
  shareTables(tables);
  return (descriptors) => {
    const count = descriptors.length / DESCRIPTOR_LENGTH;
    using arena = new Arena({
      from: descriptors.byteLength,
      words: 4 * NEAREST_WORDS * count,
      scratch: 4 * DESCRIPTOR_LENGTH,
    });
    const { from, words, scratch } = arena.at;
    floatsAt(from, descriptors.length).set(descriptors);
    kernels.nearestWords(from, count, words, scratch);
    return integersAt(words, NEAREST_WORDS * count).slice();
  };
}
