import type { IncomingMessage } from "node:http";
import { problemOf, type Refusal, refuse } from "@colophon/contract";
import { discardBody, type DiscardBounds, UNWANTED } from "../body/discard.ts";
import type { Exchange } from "../body/exchange.ts";

/**
 * Answers a refusal. While the client is still sending, the answer goes out at once, what it sends is thrown
 * away as long as it comes as any body has to, and the connection closes: a client that is cut off while sending
 * would lose the answer.
 * @param bounds of what is thrown away, its bytes if they are more than are read of any body that nobody wants
 */
export async function sendRefusal(
  exchange: Exchange,
  refusal: Refusal,
  traceId: string,
  bounds: DiscardBounds,
): Promise<void> {
  const { status, headers, body } = problemOf(refusal, traceId);
  await sendUnread(exchange, { status, headers, body }, bounds);
}

/** Sends a JSON answer to a request that may not be read to its end; see `sendRefusal`. */
export async function sendUnread(
  exchange: Exchange,
  { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body: object },
  { bytes, silenceMs }: DiscardBounds,
): Promise<void> {
  const { request, response } = exchange;
  const text = Buffer.from(JSON.stringify(body));
  const pending = hasBody(request) && !request.complete;
  response.writeHead(status, {
    ...headers,
    "content-length": text.length,
    ...(pending ? { connection: "close" } : {}),
  });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  response.write(text);
  if (pending) await discardBody(exchange, { bytes: Math.max(bytes, UNWANTED.bytes), silenceMs });
  response.end();
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0
  );
}

/** The answer to bytes that are no HTTP request, with its head; the connection ends with it. */
export function unreadableAnswer(traceId: string): string {
  const { status, headers, body } = problemOf(refuse("malformedRequest", "unreadableRequest"), traceId);
  const text = JSON.stringify(body);
  return (
    `HTTP/1.1 ${status} Bad Request\r\ncontent-type: ${headers["content-type"]}\r\n` +
    `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`
  );
}
