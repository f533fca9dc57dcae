import { openApiDocument } from "@colophon/contract";
import { SERVICE_NAME, VERSION } from "../../version.ts";
import { ok } from "../answer.ts";
import type { OpenHandlers } from "../call.ts";

/** Routes that need no token. @param baseUrl where callers reach the service, known once it listens */
export function serviceRoutes(baseUrl: () => string): OpenHandlers {
  return {
    getHealth: async () => ok({ service: SERVICE_NAME, version: VERSION }),
    getOpenApi: async () => ok(openApiDocument({ version: VERSION, baseUrl: baseUrl() })),
  };
}
