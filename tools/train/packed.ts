/** Whole numbers as `readWholeNumbers` of the engine takes them, in lines of 100 characters. */
export function packed(numbers: ArrayLike<number>): string {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (let k = 0; k < numbers.length; k += 1) bytes.writeInt16LE(numbers[k]!, 2 * k);
  return bytes.toString("base64").replaceAll(/.{100}/g, "$&\n");
}
