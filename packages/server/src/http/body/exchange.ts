import type { ServerResponse } from "node:http";
import type { GatheredRequest } from "../pace/gathered-request.ts";
import type { RequestPace } from "../pace/request-pace.ts";

/** A request, its answer, and its turns on the event loop. */
export interface Exchange {
  readonly request: GatheredRequest;
  readonly response: ServerResponse;
  readonly pace: RequestPace;
}

/** Whether the client waits to hear that its body is wanted (RFC 9110 section 10.1.1). */
export function asksToContinue({ headers, httpVersion, complete }: GatheredRequest): boolean {
  return httpVersion === "1.1" && !complete && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? "");
}
