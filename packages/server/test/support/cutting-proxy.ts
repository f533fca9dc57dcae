import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { StatementsSent } from "./statements-sent.ts";

/**
 * Where connections are cut around a COMMIT: before it arrives, or once it was carried out, before that is answered.
 */
export type Cut = "before" | "after";

interface Wait {
  readonly statement: string;
  readonly cut: Cut;
  readonly awayMs: number;
  readonly onCut: () => void;
}

/** Stands between a service and its PostgreSQL, and cuts all connections around the COMMIT of a chosen transaction. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #socketPath: string;
  readonly #open = new Set<Socket>();
  #wait: Wait | null = null;
  #awayUntil = 0;

  private constructor(socketPath: string) {
    this.#socketPath = socketPath;
    this.#server = createServer((client) => this.#join(client));
  }

  static async before(socketPath: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(socketPath);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Cuts at the COMMIT of the next transaction that has sent `statement`; nobody can connect for `awayMs` after that.
   * @param onCut called before the server's side of it is closed
   */
  cutNext(statement: string, cut: Cut, awayMs: number, onCut = (): void => {}): void {
    this.#wait = { statement, cut, awayMs, onCut };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    if (performance.now() < this.#awayUntil) {
      client.destroy();
      return;
    }
    const server = createConnection(this.#socketPath);
    const statements = new StatementsSent();
    let isNear = false;
    let isLast = false;
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      this.#open.add(from);
      from.on("error", () => from.destroy());
      from.once("close", () => {
        this.#open.delete(from);
        to.destroy();
      });
    }
    client.on("data", (sent) => {
      const wait = this.#wait;
      for (const text of statements.read(sent)) {
        if (text.startsWith("begin")) isNear = false;
        if (wait !== null && text.includes(wait.statement)) isNear = true;
        isLast = isNear && text === "commit";
      }
      if (wait !== null && isLast && wait.cut === "before") this.#cut(wait);
      else server.write(sent);
    });
    server.on("data", (answered) => {
      if (isLast && this.#wait?.cut === "after") this.#cut(this.#wait);
      else client.write(answered);
    });
  }

  #cut({ awayMs, onCut }: Wait): void {
    this.#wait = null;
    onCut();
    this.#awayUntil = performance.now() + awayMs;
    for (const socket of this.#open) socket.destroy();
  }
}
