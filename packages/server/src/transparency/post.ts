import { Readable } from "node:stream";

const PATIENCE_MS = 10_000;

/** Bounds of a request to somebody else. */
export interface PostLimits {
  /** Bytes of an answer that are read. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Posts bytes to a server of somebody else, follows no redirect, and reads a bounded answer within ten seconds.
 * @throws Error when there is no answer, or a longer one
 */
export async function post(
  url: string,
  contentType: string,
  body: Uint8Array<ArrayBuffer>,
  { limit, signal }: PostLimits,
): Promise<{ readonly status: number; readonly body: Buffer }> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": contentType },
    body,
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer.body === null ? [] : Readable.fromWeb(answer.body)) {
    length += chunk.length;
    if (length > limit) throw new RangeError("an answer that is too long");
    chunks.push(chunk);
  }
  return { status: answer.status, body: Buffer.concat(chunks) };
}
