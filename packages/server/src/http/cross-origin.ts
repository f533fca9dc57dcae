import type { IncomingMessage, ServerResponse } from "node:http";
import type { Router } from "./router.ts";

/** Every other site's pages. */
const ANY_ORIGIN = "*";

const REQUEST_HEADERS = "authorization, content-type, x-sequence-ticket";
const ANSWER_HEADERS = "location, retry-after, www-authenticate";
const PREFLIGHT_SECONDS = 7200;

/**
 * Lets pages of the origins the operator named call the account's routes from a browser (Fetch standard, CORS). Nothing
 * is ambient: without a token in the request such a page is as much a stranger as anybody. The operator's routes,
 * however their address is spelled, are not among them.
 *
 * @returns whether the request was a preflight, which this has answered
 */
export function admitOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
  router: Router,
): boolean {
  const { origin } = request.headers;
  const url = request.url ?? "";
  if (allowed.length === 0 || router.isOperators(url)) return false;
  const anyOrigin = allowed.includes(ANY_ORIGIN);
  if (!anyOrigin) response.setHeader("vary", "origin");
  if (origin === undefined || !(anyOrigin || allowed.includes(origin))) return false;
  response.setHeader("access-control-allow-origin", anyOrigin ? ANY_ORIGIN : origin);
  response.setHeader("access-control-expose-headers", ANSWER_HEADERS);
  const methods = router.methodsAt(url);
  const asked = request.headers["access-control-request-method"];
  if (request.method !== "OPTIONS" || asked === undefined || methods.length === 0) return false;
  response
    .writeHead(204, {
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": REQUEST_HEADERS,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    })
    .end();
  return true;
}
