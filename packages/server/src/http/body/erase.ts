import type { Socket } from "node:net";
import { free } from "../../custody/free.ts";

/**
 * Erases what arrives on a connection once the HTTP parser has copied the bodies out of it. Without a listener
 * the parser would read the socket itself, into a buffer of its own that keeps the last bytes of some upload.
 */
export function eraseOnceParsed(socket: Socket): void {
  socket.on("data", erase);
}

/**
 * Zeroes a buffer of some read, for it may hold pixels, and gives it back: a large body passes through a thousand of
 * them.
 */
export function erase(bytes: Uint8Array): void {
  bytes.fill(0);
  free(bytes);
}
