import type { Route } from "../route.ts";
import { Health, OpenApiDocument } from "../schemas/service.ts";

export const SERVICE_ROUTES = [
  {
    operationId: "getHealth",
    method: "GET",
    path: "/health",
    tag: "Service",
    summary: "Name and version of the service",
    description: "Tells what answers here and which build of it. Takes no token.",
    auth: "none",
    answer: { status: 200, description: "The service is up.", schema: Health },
    refusals: ["malformedRequest"],
    malformed: ["unreadableRequest"],
  },
  {
    operationId: "getOpenApi",
    method: "GET",
    path: "/openapi/v1.json",
    tag: "Service",
    summary: "This document",
    description: "The machine-readable contract. Takes no token and answers a page of any origin.",
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
