import { extensionsDocument, openApiDocument, type Unreadiness } from "@colophon/contract";
import { SERVICE_NAME, VERSION } from "../../version.ts";
import { ok, printedOnce } from "../answers/answer.ts";
import type { OpenHandlers } from "../call.ts";

/**
 * Routes that need no token. None of them asks the database.
 * @param baseUrl where callers reach the service, known once it listens
 * @param unreadiness why this process should get no requests at the moment; empty when it should
 */
export function serviceRoutes(
  baseUrl: () => string,
  unreadiness: () => readonly Unreadiness[],
): OpenHandlers<"Service"> {
  return {
    getHealth: async () => ok({ service: SERVICE_NAME, version: VERSION }),
    getOpenApi: printedOnce(() => openApiDocument({ version: VERSION, baseUrl: baseUrl() })),
    getExtensionsOpenApi: printedOnce(() => extensionsDocument({ version: VERSION, baseUrl: baseUrl() })),
    getReadiness: async () => {
      const reasons = unreadiness();
      return reasons.length === 0
        ? ok({ ready: true })
        : { kind: "json", status: 503, body: { ready: false, reasons } };
    },
  };
}
