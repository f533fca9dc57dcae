import { type Cipheriv, createCipheriv, createHmac, createSecretKey } from "node:crypto";

/** The deployment's 32 secret bytes and the original's 16 of a packet. */
export interface Keyed {
  readonly packetKey: Uint8Array;
  readonly packetId: Uint8Array;
}

/**
 * The secret stream of one original for one purpose: ChaCha20 (RFC 8439) under HMAC-SHA256(packet key, `purpose` ||
 * packet id), its nonce `nonce`, its counter from 0.
 */
export function keyStream(purpose: string, { packetKey, packetId }: Keyed, nonce: number): Cipheriv {
  const secret = createSecretKey(packetKey);
  const key = createHmac("sha256", secret).update(purpose).update(packetId).digest();
  const start = new Uint8Array(16);
  start[4] = nonce;
  const cipher = createCipheriv("chacha20", createSecretKey(key), start);
  key.fill(0);
  return cipher;
}
