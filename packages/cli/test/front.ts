import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";

/**
 * Stands before a service, passes the first upload on, and holds every other until it is told to let them pass. A
 * commit waits for that as well where it is to.
 */
export class Front implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #server: Server;
  #uploads = 0;
  #holds = true;
  readonly #opened = Promise.withResolvers<void>();

  private constructor(server: Server) {
    const { port } = server.address() as AddressInfo;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.#server = server;
  }

  static async before(service: string, { holdsCommits = false } = {}): Promise<Front> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const front = new Front(server);
    server.on("request", (call: IncomingMessage, answer: ServerResponse) => {
      if (front.#isHeld(call)) return;
      const waits = holdsCommits && call.method === "POST" && call.url?.endsWith("/commit");
      void (waits ? front.#opened.promise : Promise.resolve())
        .then(() => passOn(service, call, answer))
        .catch(() => answer.destroy());
    });
    return front;
  }

  /** From now on every call passes. */
  open(): void {
    this.#holds = false;
    this.#opened.resolve();
  }

  #isHeld({ method, url = "" }: IncomingMessage): boolean {
    if (!this.#holds || method !== "POST" || !url.endsWith("/uploads")) return false;
    this.#uploads += 1;
    return this.#uploads > 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

async function passOn(service: string, call: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { method, headers, url = "" } = call;
  const passed = request(new URL(url, service), { method, headers });
  const answered = once(passed, "response") as Promise<[IncomingMessage]>;
  const [, [response]] = await Promise.all([pipeline(call, passed), answered]);
  answer.writeHead(response.statusCode ?? 502, response.headers);
  await pipeline(response, answer);
}
