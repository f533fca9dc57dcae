const ZEROES = Buffer.alloc(1 << 16);

/** Zeroes bytes and reads them back. @throws {Error} when one of them is still there */
export function erase(bytes: Uint8Array): void {
  bytes.fill(0);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < view.length; at += ZEROES.length) {
    const end = Math.min(view.length, at + ZEROES.length);
    if (view.compare(ZEROES, 0, end - at, at, end) !== 0) throw new Error("Memory was not erased.");
  }
}
