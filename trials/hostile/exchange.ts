import { connect } from "node:net";
import type { Answer } from "./listed-answers.ts";
import type { WireRequest } from "./request-drafts.ts";

const PATIENCE_MS = 120_000;

/** What became of a request: its answer, a connection closed without one, or nothing. */
export type Exchange =
  | ({ readonly outcome: "answered" } & Answer)
  | { readonly outcome: "closed" }
  | { readonly outcome: "hung" };

/**
 * Sends a request over a connection of its own and reads one answer. After one that is not well-framed the sending side
 * ends: more could be expected.
 */
export function exchange(baseUrl: string, { bytes, framed }: WireRequest): Promise<Exchange> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let received = Buffer.alloc(0);
    const settle = (answer: Exchange): void => {
      socket.destroy();
      resolve(answer);
    };
    const finish = (): void => settle(parseAnswer(received, true) ?? { outcome: "closed" });
    socket.setTimeout(PATIENCE_MS, () => settle(parseAnswer(received, true) ?? { outcome: "hung" }));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = parseAnswer(received, false);
      if (answer !== undefined) settle(answer);
    });
    socket.on("end", finish).on("error", finish).on("close", finish);
    if (framed) socket.write(bytes);
    else socket.end(bytes);
  });
}

/** The first final answer in `received`, `undefined` while it is incomplete (unless `ended`). */
function parseAnswer(received: Buffer, ended: boolean): Exchange | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = received.subarray(0, headEnd).toString("latin1");
  const body = received.subarray(headEnd + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  if (status >= 100 && status < 200) return parseAnswer(body, ended);
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim();
  const length = field("content-length");
  const complete = length === undefined ? body.includes("0\r\n\r\n") : body.length >= Number(length);
  if (!complete && !ended && status !== 204) return undefined;
  return {
    outcome: "answered",
    status,
    type: field("content-type") ?? "",
    retryAfter: field("retry-after") ?? null,
    body: body.subarray(0, length === undefined ? body.length : Number(length)).toString("utf8"),
  };
}
