/**
 * Reads what was learned and is kept in a source file: signed 16 bits, little-endian, in base64.
 *
 * @throws {RangeError} where the bytes are no whole numbers
 */
export function readWholeNumbers(text: string): Int16Array {
  const bytes = Buffer.from(text, "base64");
  const numbers = new Int16Array(bytes.length >> 1);
  if (bytes.length !== 2 * numbers.length) throw new RangeError("The bytes are no whole numbers.");
  for (let k = 0; k < numbers.length; k += 1) numbers[k] = bytes.readInt16LE(2 * k);
  return numbers;
}
