import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import type { OwnPostgres } from "./own-postgres.ts";

/** Stands between a service and its PostgreSQL, and hands on every new connection as late as it is told to. */
export class DatabaseRelay implements AsyncDisposable {
  /** How long a new connection waits before the server hears of it. */
  delayMs = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start({ connection }: OwnPostgres): Promise<DatabaseRelay> {
    const server = createServer();
    const relay = new DatabaseRelay(server);
    server.on("connection", (near) =>
      relay.#relay(near, join(connection.host, `.s.PGSQL.${connection.port}`)),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return relay;
  }

  /** What a service is given as `COLOPHON_DATABASE_URL`. */
  urlOf({ connection: { user, database } }: OwnPostgres): string {
    const { port } = this.#server.address() as AddressInfo;
    return `postgresql://${user}@127.0.0.1:${port}/${database}`;
  }

  /** Breaks every connection that there is. */
  breakAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.breakAll();
    this.#server.close();
    await once(this.#server, "close");
  }

  #relay(near: Socket, path: string): void {
    this.#keep(near);
    setTimeout(() => {
      if (near.destroyed) return;
      const far = connect(path);
      this.#keep(far);
      near.pipe(far).pipe(near);
      near.once("close", () => far.destroy());
      far.once("close", () => near.destroy());
    }, this.delayMs);
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#open.delete(socket));
  }
}
