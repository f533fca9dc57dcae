import { rename } from "node:fs/promises";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { OwnPostgres } from "./own-postgres.ts";

/**
 * Stands in the place of a server's socket, and hands new connections on late. Disposing it breaks them, and the server
 * takes its own again.
 */
export class SlowSocket implements AsyncDisposable {
  readonly #listener: Server;
  readonly #path: string;
  readonly #open = new Set<Socket>();

  private constructor(listener: Server, path: string) {
    this.#listener = listener;
    this.#path = path;
  }

  /** @param delayMs how long a new connection waits before the server hears of it */
  static async before({ connection: { host, port } }: OwnPostgres, delayMs: number): Promise<SlowSocket> {
    const path = join(host, `.s.PGSQL.${port}`);
    const listener = createServer();
    const slow = new SlowSocket(listener, path);
    listener.on("connection", (near) => void slow.#handOn(near, delayMs));
    await rename(path, `${path}.own`);
    listener.listen(path);
    await once(listener, "listening");
    return slow;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const socket of this.#open) socket.destroy();
    await once(this.#listener, "close");
    await rename(`${this.#path}.own`, this.#path);
  }

  async #handOn(near: Socket, delayMs: number): Promise<void> {
    this.#keep(near);
    await sleep(delayMs);
    if (near.destroyed) return;
    const far = connect(`${this.#path}.own`);
    this.#keep(far);
    near.pipe(far).pipe(near);
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#open.delete(socket));
  }
}
