import { type OperationId, REFUSALS, type RefusalCode, routeOf } from "@colophon/contract";
import type { Reply } from "@colophon/testing/api-client.ts";

/** Refusals that any request may meet, whatever its route. */
const COMMON: readonly RefusalCode[] = [
  "unauthorized",
  "notFound",
  "methodNotAllowed",
  "malformedRequest",
  "serviceUnavailable",
];
const SUCCESSES: readonly number[] = [200, 201, 204];
/** Faults of the service have this status; no request may bring one about. */
const FAULT = 500;

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  /** Its Content-Type. */
  readonly type: string;
  readonly body: string;
  readonly retryAfter: string | null;
}

/** A client's reply as it came over the wire. */
export function answerOf({ status, headers, body }: Reply<object | null>): Answer {
  return {
    status,
    type: headers.get("content-type") ?? "",
    body: body === null ? "" : JSON.stringify(body),
    retryAfter: headers.get("retry-after"),
  };
}

/**
 * Why an answer is not one the contract lists, `undefined` when it is.
 *
 * @param route `null` where the request addresses no route for sure: any refusal will do then
 */
export function faultOfAnswer(route: OperationId | null, answer: Answer): string | undefined {
  const { status, type, body, retryAfter } = answer;
  if (SUCCESSES.includes(status)) return undefined;
  const said = `${status}: ${body.slice(0, 300)}`;
  if (type !== "application/problem+json") return `no problem, but ${type}, ${said}`;
  if (body === "") return route === null ? undefined : `a problem without a body, ${status}`;
  const problem: Record<string, unknown> = JSON.parse(body);
  const known = Object.entries(REFUSALS).find(([, refusal]) => refusal.title === problem["title"]);
  if (known === undefined || known[1].status !== status || problem["status"] !== status) {
    return `unlisted problem ${said}`;
  }
  const [code] = known;
  if (status === FAULT) return `a fault of the service, ${said}`;
  if (typeof problem["traceId"] !== "string" || typeof problem["type"] !== "string") {
    return `no envelope, ${said}`;
  }
  if (code === "imageCouldNotBeCheckedYet" && !/^[1-9]\d*$/.test(retryAfter ?? "")) return "no Retry-After";
  if (route === null) return undefined;
  const expected: readonly string[] = [...COMMON, ...routeOf(route).refusals];
  return expected.includes(code) ? undefined : `the route lists no ${code}`;
}
