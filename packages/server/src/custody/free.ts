/**
 * Gives a buffer's memory back to the system at once, and not when the collector gets to it. Memory that other buffers
 * share is left as it is.
 */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
