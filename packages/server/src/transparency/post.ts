import { Readable } from "node:stream";
import { errorCode } from "../error-code.ts";
import { reasonOf } from "../store/database-fault.ts";

const PATIENCE_MS = 10_000;

/** Somebody else gave no answer that can be read; the message says why in a few words. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** What went wrong where somebody else was to sign: why there was no answer, or a failure of this service's own. */
export function faultOf(error: unknown): string {
  return error instanceof NoAnswer ? error.message : reasonOf(error);
}

/** Bounds of a request to somebody else. */
export interface PostLimits {
  /** Bytes of an answer that are read. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Posts bytes to a server of somebody else, follows no redirect, and reads a bounded answer within ten seconds.
 * @throws NoAnswer when there is none, or a longer one
 */
export async function post(
  url: string,
  contentType: string,
  body: Uint8Array<ArrayBuffer>,
  { limit, signal }: PostLimits,
): Promise<{ readonly status: number; readonly body: Buffer }> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": contentType },
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, patience]),
    });
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of answer.body === null ? [] : Readable.fromWeb(answer.body)) {
      length += chunk.length;
      if (length > limit) throw new NoAnswer("an answer that is too long");
      chunks.push(chunk);
    }
    return { status: answer.status, body: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer(patience.aborted ? "no answer within 10 s" : causeOf(error), { cause: error });
  }
}

/** Why a fetch failed. It says only that it did; its cause has a code, or a message. */
function causeOf(error: unknown): string {
  const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  return errorCode(cause) ?? (cause instanceof Error ? cause.message : "unknown");
}
