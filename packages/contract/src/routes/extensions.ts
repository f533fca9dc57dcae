import type { Route } from "../route.ts";
import { Readiness } from "../schemas/readiness.ts";

/** Routes beyond version 1 of the contract, which its document does not list. */
export const EXTENSION_ROUTES = [
  {
    operationId: "getReadiness",
    method: "GET",
    path: "/ready",
    tag: "Service",
    summary: "Whether this process can answer requests",
    description:
      "For load balancers and supervisors: 200 while the database answers, the engine works and the disk has room, else 503 with the reasons. Takes no token.",
    auth: "none",
    answer: { status: 200, description: "Requests can be answered.", schema: Readiness },
    refusals: ["malformedRequest"],
    malformed: ["unreadableRequest"],
  },
] as const satisfies readonly Route[];
