/*
 * How the index keeps the words of an original, as the functions `packed_words` and `filed_words` of the database do:
 * ascending, each as what it is above the one before, the first above the least number there is. Steps of 23 bits take
 * three bytes, big-endian; of a larger one the lowest 23 bits follow three bytes with the rest, whose highest bit is
 * set.
 */
const LEAST = -(2 ** 31);
const STEP_BYTES = 3;
const CONTINUED = 2 ** 23;

/** Packs words in any order. */
export function packWords(words: Int32Array): Buffer {
  const packed = Buffer.allocUnsafe(2 * STEP_BYTES * words.length);
  let at = 0;
  let before = LEAST;
  for (const word of words.toSorted()) {
    const step = word - before;
    if (step >= CONTINUED) at = packed.writeUIntBE(CONTINUED + Math.floor(step / CONTINUED), at, STEP_BYTES);
    at = packed.writeUIntBE(step % CONTINUED, at, STEP_BYTES);
    before = word;
  }
  return packed.subarray(0, at);
}

/** The words, ascending. */
export function unpackWords(packed: Buffer): Int32Array {
  const words = new Int32Array(packed.length / STEP_BYTES);
  let count = 0;
  let word = LEAST;
  for (let at = 0; at < packed.length; at += STEP_BYTES) {
    const step = packed.readUIntBE(at, STEP_BYTES);
    if (step >= CONTINUED) {
      word += (step - CONTINUED) * CONTINUED;
      continue;
    }
    word += step;
    words[count] = word;
    count += 1;
  }
  return words.slice(0, count);
}
