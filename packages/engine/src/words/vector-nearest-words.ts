import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { Arena, arenaBytes, bytesAt, floatsAt, integersAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { NEAREST_WORDS, type NearestWords } from "./nearest-words.ts";
import { inverted, mirrored, type VocabularyTables } from "./vocabulary-tables.ts";

/** Hands the tables to the kernels, for good: one vocabulary a thread, before any other arena is opened. */
function shareTables({ inversionFold, mirrorFold, projection, offset, centres }: VocabularyTables): void {
  const parts = [inversionFold, mirrorFold, projection, offset, ...centres];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const arena = new Arena(arenaBytes(4 * length) + arenaBytes(2 * DESCRIPTOR_LENGTH));
  const [numbers, moves] = [arena.allocate(4 * length), arena.allocate(2 * DESCRIPTOR_LENGTH)];
  let at = 0;
  for (const part of parts) {
    floatsAt(numbers, length).set(part, at);
    at += part.length;
  }
  bytesAt(moves, DESCRIPTOR_LENGTH).set(inverted);
  bytesAt(moves + DESCRIPTOR_LENGTH, DESCRIPTOR_LENGTH).set(mirrored);
  kernels.setVocabulary(numbers, moves);
}

/** `NearestWords` with the vector kernels. One a thread; made before any other arena is opened. */
export function vectorNearestWords(tables: VocabularyTables): NearestWords {
  shareTables(tables);
  return (descriptors) => {
    const count = descriptors.length / DESCRIPTOR_LENGTH;
    const wordBytes = 4 * NEAREST_WORDS * count;
    using arena = new Arena(
      arenaBytes(descriptors.byteLength) + arenaBytes(wordBytes) + arenaBytes(4 * DESCRIPTOR_LENGTH),
    );
    const from = arena.allocate(descriptors.byteLength);
    const words = arena.allocate(wordBytes);
    floatsAt(from, descriptors.length).set(descriptors);
    kernels.nearestWords(from, count, words, arena.allocate(4 * DESCRIPTOR_LENGTH));
    return integersAt(words, NEAREST_WORDS * count).slice();
  };
}
