import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Metrics } from "../metrics/metrics.ts";
import type { GatheredRequest } from "./pace/gathered-request.ts";

/** What stands for the status where the client had gone before any answer; nginx's convention. */
const CLIENT_GONE = 499;
/** Methods that may have an answer; any other is not named, so that nobody makes up series. */
const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What is known of a request before it is answered. */
interface Request {
  readonly request: GatheredRequest;
  readonly response: ServerResponse;
  /** The template of its route. */
  readonly route: string;
  readonly traceId: string;
}

/** Counts requests and logs each in one line, which says nothing of the request but the template of its route. */
export class RequestLog {
  readonly #log: Pick<Logger, "info">;
  readonly #metrics: Pick<Metrics, "answered">;

  constructor(log: Pick<Logger, "info">, metrics: Pick<Metrics, "answered">) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Takes note of a request, and reports it once its answer has ended. */
  open({ request, response, route, traceId }: Request): void {
    const began = performance.now();
    const method = METHODS.includes(request.method ?? "") ? (request.method ?? "") : "other";
    response.once("close", () => {
      const isGone = !response.headersSent || isRefusedForItsEnd(request, response);
      const status = isGone ? CLIENT_GONE : response.statusCode;
      const ms = performance.now() - began;
      this.#metrics.answered({ method, route, status, seconds: ms / 1000 });
      this.#log.info({ route, method, status, ms: Math.round(ms * 10) / 10, traceId });
    });
  }
}

/**
 * Whether a client ended its side before its body did, and was told so if it listened still: nearly all of them have
 * gone.
 */
function isRefusedForItsEnd({ brokenOff }: GatheredRequest, { statusCode }: ServerResponse): boolean {
  return brokenOff === "ended" && statusCode === 400;
}
