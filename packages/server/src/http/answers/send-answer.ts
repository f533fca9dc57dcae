import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { NamedRoute } from "@colophon/contract";
import type { Exchange } from "../body/exchange.ts";
import type { RequestPace } from "../pace/request-pace.ts";
import { isLarge, type Printed } from "./answer.ts";

export const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" } as const;

/**
 * Sends what a handler answered to a request that has been read to its end; of what may be large, resolves once the
 * client has taken it.
 */
export async function sendAnswer(
  { response, pace }: Pick<Exchange, "response" | "pace">,
  answer: Exclude<Printed, { kind: "last" }>,
  route: NamedRoute,
): Promise<void> {
  const { anyOrigin, mediaType } = route.answer;
  const cacheControl = route.answer.cacheControl ?? (route.auth === "none" ? undefined : "no-store");
  if (anyOrigin === true) response.setHeader("access-control-allow-origin", "*");
  if (cacheControl !== undefined) response.setHeader("cache-control", cacheControl);
  switch (answer.kind) {
    case "none":
      response.writeHead(204).end();
      return;
    case "json":
      if (answer.location !== undefined) response.setHeader("location", answer.location);
      sendBytes(response, answer.status, answer.body, mediaType);
      if (isLarge(answer)) await taken(response);
      return;
    case "bytes":
      sendBytes(response, 200, answer.body, mediaType);
      await taken(response);
      return;
    case "lines":
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      await new Promise<void>((resolve, reject) => {
        const lines = Readable.from(ndjson(answer.rows, pace)).on("error", reject);
        lines.pipe(response).on("finish", resolve).on("close", resolve);
      });
      return;
    default:
      answer satisfies never;
  }
}

/** Resolves once the client has taken an answer; one that goes away before its end needs nothing more. */
async function taken(response: ServerResponse): Promise<void> {
  await finished(response).catch(() => {});
}

function sendBytes(response: ServerResponse, status: number, body: Uint8Array, mediaType?: string): void {
  const type = mediaType === undefined ? JSON_HEADERS : { "content-type": mediaType };
  response.writeHead(status, { ...type, "content-length": body.length }).end(body);
}

async function* ndjson(rows: AsyncIterable<object>, pace: RequestPace): AsyncGenerator<string> {
  for await (const row of rows) {
    const line = `${JSON.stringify(row)}\n`;
    yield line;
    await pace.passed(line.length);
  }
}
