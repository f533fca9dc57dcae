import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The trace id of a request: that of its `traceparent` header (W3C Trace Context), else a fresh one. */
export function traceIdOf(request: Pick<IncomingMessage, "headers">): string {
  const header = request.headers["traceparent"];
  const [, id] = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(String(header ?? "")) ?? [];
  return id === undefined || /^0+$/.test(id) ? newTraceId() : id;
}

export function newTraceId(): string {
  return randomBytes(16).toString("hex");
}
