import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The most the event loop reads from a socket at once. */
const READ_SIZE = 65_536;

/**
 * The buffer the event loop reads sockets into. A read that does not fill it is handed on as a copy, and the
 * buffer keeps the original for the next read: the tail of some upload. It cannot be reached from here, but it
 * can be read over: this holds a socket to itself and sends zeroes through it.
 */
export class ReadBuffer implements AsyncDisposable {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #zeroes = Buffer.alloc(READ_SIZE);
  #erasing: Promise<void> = Promise.resolve();
  /** The next pass, which everybody shares who asks before it begins. */
  #next: Promise<void> | null = null;

  private constructor(near: Socket, far: Socket) {
    this.#near = near;
    this.#far = far;
  }

  static async open(): Promise<ReadBuffer> {
    const name = `colophon-${randomBytes(12).toString("hex")}`;
    const path = { linux: `\0${name}`, win32: `\\\\.\\pipe\\${name}` }[process.platform as string];
    const address = path ?? join(tmpdir(), name);
    const listener = createServer().listen(address);
    await once(listener, "listening");
    const near = connect(address);
    const [far] = (await once(listener, "connection")) as [Socket];
    listener.close();
    if (path === undefined) await rm(address, { force: true });
    for (const socket of [near, far]) socket.unref();
    return new ReadBuffer(near, far);
  }

  /** Reads zeroes over whatever the last reads left. */
  erase(): Promise<void> {
    this.#next ??= this.#erasing.then(() => this.#pass());
    return this.#next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#next ?? this.#erasing);
    this.#near.destroy();
    this.#far.destroy();
  }

  #pass(): Promise<void> {
    this.#next = null;
    this.#erasing = this.#sendZeroes();
    return this.#erasing;
  }

  #sendZeroes(): Promise<void> {
    return new Promise((resolve) => {
      let arrived = 0;
      const count = (bytes: Buffer): void => {
        arrived += bytes.length;
        if (arrived < READ_SIZE) return;
        this.#far.off("data", count);
        resolve();
      };
      this.#far.on("data", count);
      this.#near.write(this.#zeroes);
    });
  }
}
