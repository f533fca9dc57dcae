import { Refusal } from "@colophon/contract";
import { ClientGone } from "../../registry/client-gone.ts";
import { Arrivals } from "./arrivals.ts";
import { erase } from "./erase.ts";
import { asksToContinue, type Exchange } from "./exchange.ts";
import type { BodyPace } from "./patience.ts";

/**
 * How much of a body that nobody wants is read before its answer: more bytes than are under way on a connection. It is
 * timed like any other body, but for the silence, in which its client may be waiting for the answer.
 */
export const UNWANTED = { bytes: 16_777_216, silenceMs: 10_000 } as const;
/** How long a body is read that is only thrown away, however well it comes, ms. */
const LONGEST_DISCARD_MS = 600_000;

/** How much of a body is thrown away at most, and how slowly it may come. */
export interface DiscardBounds extends BodyPace {
  readonly bytes: number;
}

/**
 * Reads what is left of a body and throws it away, zeroed, so that a client still sending gets to read its
 * answer. Stops past its bounds, and where the client ends its side before the body's end.
 */
export async function discardBody(
  { request, pace }: Pick<Exchange, "request" | "pace">,
  bounds: DiscardBounds,
): Promise<void> {
  if (request.complete || request.destroyed) return;
  using arrivals = new Arrivals(request, bounds);
  const giveUp = (): void => arrivals.giveUp();
  const timer = setTimeout(giveUp, LONGEST_DISCARD_MS);
  try {
    for (let read = 0; read <= bounds.bytes; ) {
      const chunk = await arrivals.next();
      if (chunk === null) return;
      const { length } = chunk;
      erase(chunk);
      read += length;
      await pace.passed(length);
    }
  } catch (error) {
    if (!(error instanceof ClientGone || error instanceof Refusal)) throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same before the answer to a request of which nobody wanted a body, so that its connection can be used again. A
 * client that waits to hear whether its body is wanted hears the answer instead (RFC 9110 section 10.1.1).
 */
export async function discardUnasked(exchange: Exchange): Promise<void> {
  if (!asksToContinue(exchange.request)) await discardBody(exchange, UNWANTED);
}
