import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, type Socket, Server as TcpServer } from "node:net";
import type { AddressRanges } from "../config/address-ranges.ts";
import { type BrokenOff, GatheredRequest } from "./pace/gathered-request.ts";
import { Connections } from "./connections.ts";
import type { Edge } from "./edge.ts";
import { unreadableAnswer } from "./answers/problem-answer.ts";
import { newTraceId } from "./trace-id.ts";

/** How long a connection without a request is kept; longer than common proxies keep theirs. */
const KEEP_ALIVE_MS = 72_000;
/** How long the head of a request may take. */
const HEADERS_MS = 60_000;
/**
 * Bytes of a body that wait to be read before its socket rests. They may have come in chunks of one byte, each an
 * object of some hundred.
 */
const UNREAD_BYTES = 4_096;
/**
 * Connections that wait to be accepted; the system's bound where that is lower. Past it the system of a client tries
 * again after a second, and then after two, four and so on.
 */
const BACKLOG = 4_096;
/** What the parser says where a client ended its side within a request. */
const ENDED = "HPE_INVALID_EOF_STATE";

/** The HTTP server (RFC 9112): connections, the turns of their requests, and what is no request. */
export class HttpServer implements AsyncDisposable {
  readonly #edge: Edge;
  readonly #server: Server<typeof GatheredRequest>;
  readonly #connections: Connections;

  /** @param proxies that are trusted: each of their connections may be somebody else's */
  constructor(edge: Edge, proxies: AddressRanges) {
    this.#edge = edge;
    this.#connections = new Connections(proxies);
    const enter = (request: GatheredRequest, response: ServerResponse): void =>
      this.#connections.enter(request, response, () => void edge.answer(request, response));
    const fail = (socket: Socket, why: BrokenOff = "unreadable"): void =>
      this.#connections.fail(socket, why, unreadableAnswer(newTraceId()));
    const server = createServer({
      IncomingMessage: GatheredRequest,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      highWaterMark: UNREAD_BYTES,
      // Bodies are timed as they are read.
      requestTimeout: 0,
      // A request without Host, or with two, is refused like any other that cannot be read.
      requireHostHeader: false,
    });
    // A client that ends its side once it has asked is answered, and the last answer ends the connection. One that went
    // away altogether ends its side, too: it shows when the answer is sent.
    this.#server = Object.assign(server, { httpAllowHalfOpen: true });
    this.#server.on("connection", (socket: Socket) => this.#connections.open(socket));
    this.#server.on("request", enter);
    // The client hears whether to go on once its body is wanted.
    this.#server.on("checkContinue", enter);
    // An expectation that nobody knows does not refuse a request: it is answered like any other.
    this.#server.on("checkExpectation", enter);
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
      fail(socket as Socket, error.code === ENDED ? "ended" : "unreadable"),
    );
    this.#server.on("connect", (_request, socket) => fail(socket as Socket));
  }

  /** Begins to listen. Returns the port. */
  async listen(host: string, port: number): Promise<number> {
    this.#server.listen({ host, port, backlog: BACKLOG });
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends every connection, whatever is under way on it. */
  cutOff(): void {
    this.#connections.cutOff();
  }

  /** Takes no more connections, ends the idle ones, and waits for the requests under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#edge.close();
    // That of HTTP would end new connections too, whose first request may be on its way.
    const closed = new Promise<void>((resolve) =>
      TcpServer.prototype.close.call(this.#server, () => resolve()),
    );
    this.#connections.endIdle();
    await closed;
  }
}
