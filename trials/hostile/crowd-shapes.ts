import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What many connections of one stranger do, each for itself, until the signal. */
export type Shape = (crowd: Crowd) => Promise<void>;

export interface Crowd {
  /** Opens a connection from the stranger's address. */
  readonly open: () => Promise<Socket>;
  readonly signal: AbortSignal;
  /** Requests that a connection pipelines. */
  readonly requests: number;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const CHUNKED = "POST /lookup HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n";
/** A TLS ClientHello as it begins, and noise. */
const CLIENT_HELLO = Buffer.concat([
  Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]),
  Buffer.alloc(505, 0xa5),
]);

export const SHAPES: Readonly<Record<string, Shape>> = {
  "pipelined documents, unread": pipelined(get("/openapi/v1.json"), "unread"),
  "pipelined documents": pipelined(get("/openapi/v1.json"), "read"),
  "pipelined health checks": pipelined(get("/health"), "read"),
  "pipelined health checks, unread": pipelined(get("/health"), "unread"),
  "pipelined pages": pipelined(get("/docs/"), "read"),
  "pipelined addresses that nothing answers": pipelined(get("/nowhere"), "read"),
  "pipelined unknown tokens": pipelined(
    "GET /account/stats HTTP/1.1\r\nhost: x\r\nauthorization: Bearer clp_nobody\r\n\r\n",
    "read",
  ),
  "pipelined requests without a host": pipelined("GET / HTTP/1.1\r\n\r\n", "read"),
  "pipelined bodies of a byte": pipelined(
    "POST /lookup HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\nx",
    "read",
  ),
  "empty lines": pipelined("\r\n\r\n", "read"),
  "long heads": pipelined(`GET /health HTTP/1.1\r\nhost: x\r\nx-a: ${"a".repeat(15_000)}\r\n\r\n`, "read"),
  "heads of many lines": pipelined(
    `GET /health HTTP/1.1\r\nhost: x\r\n${"a: b\r\n".repeat(1_500)}\r\n`,
    "read",
  ),
  "chunks of a byte": pipelined(`${CHUNKED}${"1\r\nx\r\n".repeat(2_000)}0\r\n\r\n`, "read"),
  "one request for each connection": repeated(get("/health"), "answered"),
  "bytes that are no request": repeated("NONSENSE\r\n\r\n", "answered"),
  "another protocol": repeated(CLIENT_HELLO, "answered"),
  "connections without a byte": repeated("", "at once"),
  "requests that nobody waits for": repeated(get("/openapi/v1.json"), "at once"),
  "heads of a byte at a time": trickled(`GET /health HTTP/1.1\r\nhost: x\r\nx-a: ${"a".repeat(4_000)}\r\n`),
};

/** Many requests at once on one connection, over and over; nobody reads the answers, or somebody does. */
function pipelined(request: string, reading: "read" | "unread"): Shape {
  return ({ open, signal, requests }) =>
    again(signal, async () => {
      const socket = await open();
      if (reading === "read") socket.resume();
      const bytes = Buffer.from(request.repeat(Math.min(requests, Math.ceil(1_048_576 / request.length))));
      while (!signal.aborted && !socket.destroyed) {
        if (!socket.write(bytes)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
      }
      socket.destroy();
    });
}

/** Connections that send one thing and are closed, once they are answered or at once, and opened again. */
function repeated(bytes: string | Uint8Array, closing: "answered" | "at once"): Shape {
  return ({ open, signal }) =>
    again(signal, async () => {
      const socket = await open();
      if (bytes.length > 0) socket.write(bytes);
      if (closing === "answered") await Promise.race([once(socket, "data"), once(socket, "close")]);
      socket.destroy();
    });
}

/** A request of which each byte is sent by itself. */
function trickled(bytes: string): Shape {
  return ({ open, signal }) =>
    again(signal, async () => {
      const socket = await open();
      socket.resume();
      socket.setNoDelay(true);
      for (const byte of bytes) {
        if (signal.aborted || socket.destroyed) break;
        socket.write(byte);
        await sleep(20);
      }
      socket.destroy();
    });
}

async function again(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch {
      await sleep(50);
    }
  }
}

/** Opens connections from one of the machine's addresses. */
export function opener(baseUrl: string, localAddress: string): Crowd["open"] {
  const { hostname, port } = new URL(baseUrl);
  return async () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  };
}
