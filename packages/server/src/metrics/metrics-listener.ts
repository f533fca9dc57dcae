import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "./metrics.ts";

/** Scrapers at once; one or two are usual. */
const MOST_CONNECTIONS = 32;
const PATH = "/metrics";

/** Answers `GET /metrics` on a listener of its own, which is never the one that the public reaches. */
export class MetricsListener implements AsyncDisposable {
  readonly #metrics: Pick<Metrics, "exposition" | "contentType">;
  readonly #server: Server;

  private constructor(metrics: Pick<Metrics, "exposition" | "contentType">) {
    this.#metrics = metrics;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** Begins to listen. */
  static async open(
    metrics: Pick<Metrics, "exposition" | "contentType">,
    address: { readonly host: string; readonly port: number },
  ): Promise<MetricsListener> {
    const listener = new MetricsListener(metrics);
    listener.#server.listen(address);
    await once(listener.#server, "listening");
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split("?", 1)[0] !== PATH) {
      response.writeHead(404).end();
    } else if (method !== "GET" && method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
    } else {
      const text = await this.#metrics.exposition();
      response.writeHead(200, { "content-type": this.#metrics.contentType }).end(text);
    }
  }
}
