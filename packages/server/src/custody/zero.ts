const ZEROES = Buffer.alloc(1 << 16);

/** Zeroes memory and reads it back. True when every byte is gone. */
export function zero(bytes: Buffer): boolean {
  bytes.fill(0);
  for (let at = 0; at < bytes.length; at += ZEROES.length) {
    const end = Math.min(bytes.length, at + ZEROES.length);
    if (bytes.compare(ZEROES, 0, end - at, at, end) !== 0) return false;
  }
  return true;
}
