import type { Route } from "../../route.ts";
import { Readiness } from "../../schemas/extensions/readiness.ts";
import { OpenApiDocument } from "../../schemas/service.ts";

export const SERVICE_EXTENSIONS = [
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
    otherwise: { status: 503, description: "Requests cannot be answered.", schema: Readiness },
    refusals: ["malformedRequest"],
    malformed: ["unreadableRequest"],
  },
  {
    operationId: "getExtensionsOpenApi",
    method: "GET",
    path: "/openapi/extensions.json",
    tag: "Service",
    summary: "This document",
    description:
      "Every route beyond the contract, also those that this deployment has switched off. Takes no token and answers a page of any origin.",
    auth: "none",
    answer: {
      status: 200,
      description: "The OpenAPI document.",
      schema: OpenApiDocument,
      anyOrigin: true,
    },
    refusals: ["malformedRequest"],
    malformed: ["unreadableRequest"],
  },
] as const satisfies readonly Route[];
