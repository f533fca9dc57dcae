import { Socket } from "node:net";
import { LENGTH_BYTES } from "./messages.ts";

/** What a decoder does with what it is sent. */
export interface RequestHandler {
  /** Memory for an image of so many bytes. */
  readonly memory: (length: number) => Uint8Array;
  /** The image is in the memory. Returns whether a command about it is awaited. */
  readonly image: (bytes: Uint8Array) => boolean;
  /** What to do with the image. */
  readonly command: (command: number) => void;
  /** The service is gone. Called whatever the decoder is at: something is always being read. */
  readonly ended: () => void;
}

/**
 * Reads a length, an image, a command, and so on, from a pipe, straight to where each belongs: no other copy of an
 * image is made.
 *
 * @param fd the pipe's descriptor
 */
export function readRequests(fd: number, handler: RequestHandler): void {
  const length = new Uint8Array(LENGTH_BYTES);
  const command = new Uint8Array(1);
  let target: Uint8Array = length;
  let filled = 0;
  const next = (): Uint8Array => {
    if (target === length) return handler.memory(new DataView(length.buffer).getUint32(0, true));
    if (target === command) {
      handler.command(command[0]!);
      return length;
    }
    return handler.image(target) ? command : length;
  };
  const socket = new Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: () => target.subarray(filled),
      callback: (count) => {
        filled += count;
        if (filled < target.length) return true;
        target = next();
        filled = 0;
        return true;
      },
    },
  });
  socket.on("error", handler.ended);
  socket.on("close", handler.ended);
}
