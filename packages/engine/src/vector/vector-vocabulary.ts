import { DESCRIPTOR_LENGTH } from "../sift/descriptor.ts";
import { inverted, mirrored, NEAREST_WORDS, Vocabulary } from "../vocabulary.ts";
import { bytesAt, floatsAt, integersAt, kernels, Room, roomFor } from "./kernel-memory.ts";

/** A vocabulary that looks words up with the vector kernels. One a thread; made before any other room is opened. */
export class VectorVocabulary extends Vocabulary {
  constructor(shared: SharedArrayBuffer) {
    super(shared);
    const { inversionFold, mirrorFold, projection, offset, centres } = this.tables;
    const parts = [inversionFold, mirrorFold, projection, offset, ...centres];
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const room = new Room(roomFor(4 * length) + roomFor(2 * DESCRIPTOR_LENGTH));
    const [tables, moves] = [room.take(4 * length), room.take(2 * DESCRIPTOR_LENGTH)];
    let at = 0;
    for (const part of parts) {
      floatsAt(tables, length).set(part, at);
      at += part.length;
    }
    bytesAt(moves, DESCRIPTOR_LENGTH).set(inverted);
    bytesAt(moves + DESCRIPTOR_LENGTH, DESCRIPTOR_LENGTH).set(mirrored);
    kernels.setVocabulary(tables, moves);
  }

  override nearestWords(descriptors: Float32Array): Int32Array {
    const count = descriptors.length / DESCRIPTOR_LENGTH;
    const wordBytes = 4 * NEAREST_WORDS * count;
    using room = new Room(
      roomFor(descriptors.byteLength) + roomFor(wordBytes) + roomFor(4 * DESCRIPTOR_LENGTH),
    );
    const from = room.take(descriptors.byteLength);
    const words = room.take(wordBytes);
    floatsAt(from, descriptors.length).set(descriptors);
    kernels.nearestWords(from, count, words, room.take(4 * DESCRIPTOR_LENGTH));
    return integersAt(words, NEAREST_WORDS * count).slice();
  }
}
