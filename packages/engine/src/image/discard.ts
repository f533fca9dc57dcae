/**
 * Zeroes what shows a picture and gives its memory back now, not when the collector gets to it: megabytes of every
 * picture would call it again and again. The array is empty afterwards, unless its buffer has other bytes, too; an
 * empty one stays as it is.
 */
export function discard(bytes: Uint8Array | Float32Array): void {
  if (bytes.length === 0) return;
  bytes.fill(0);
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) buffer.transfer(0);
}
