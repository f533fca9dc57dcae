import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { Caller } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";

let deployment: Deployment;
let anybody: Caller;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  anybody = new Caller(deployment.baseUrl, null);
});
afterAll(() => deployment[Symbol.asyncDispose]());

describe("GET /health", () => {
  test("names the service and its version, without a token", async () => {
    expect(jsonOf(await anybody.get("/health"))).toEqual({
      service: expect.stringMatching(/./),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  test("takes no notice of a token that opens nothing", async () => {
    expect((await new Caller(deployment.baseUrl, "nonsense").get("/health")).status).toBe(200);
  });
});

describe("GET /openapi/v1.json", () => {
  interface Document {
    readonly openapi: string;
    readonly info: { readonly version: string };
    readonly servers: readonly { readonly url: string }[];
    readonly paths: Record<string, Record<string, unknown>>;
  }

  test("is an OpenAPI 3.1 document of this deployment, without a token", async () => {
    const document = jsonOf<Document>(await anybody.get("/openapi/v1.json"));
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.servers).toHaveLength(1);
    expect(document.servers[0]?.url).toMatch(/^https?:\/\/.*[^/]$/);
    expect(document.info.version).toBe(jsonOf<{ version: string }>(await anybody.get("/health")).version);
  });

  test("can be loaded by a page of any origin", async () => {
    const answer = await anybody.send("GET", "/openapi/v1.json", {
      headers: { origin: "https://viewer.example" },
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("names every route of the contract", async () => {
    const { paths } = jsonOf<Document>(await anybody.get("/openapi/v1.json"));
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.toSorted()).toEqual(
      [
        "GET /health",
        "POST /registrations",
        "DELETE /registrations/{registrationId}",
        "POST /slots",
        "GET /slots/{slotId}",
        "DELETE /slots/{slotId}",
        "POST /slots/{slotId}/uploads",
        "POST /slots/{slotId}/uploads/missing",
        "GET /slots/{slotId}/manifest",
        "PUT /slots/{slotId}/entries/{imageHash}/manifests",
        "DELETE /slots/{slotId}/entries/{imageHash}",
        "POST /slots/{slotId}/commit",
        "GET /slots/{slotId}/progress",
        "POST /lookup",
        "POST /lookup/slots",
        "DELETE /lookup/slots/{lookupSlotId}",
        "POST /lookup/slots/{lookupSlotId}/queries",
        "POST /lookup/slots/{lookupSlotId}/queries/missing",
        "GET /lookup/slots/{lookupSlotId}/manifest",
        "DELETE /lookup/slots/{lookupSlotId}/entries/{imageHash}",
        "POST /lookup/slots/{lookupSlotId}/commit",
        "GET /lookup/slots/{lookupSlotId}/progress",
        "GET /lookup/slots/{lookupSlotId}/results",
        "GET /records/{originalImageHash}",
        "POST /records",
        "GET /account/stats",
        "POST /sequences",
        "POST /sequences/{sequenceId}/frames",
        "DELETE /sequences/{sequenceId}/frames/{frameId}",
        "POST /sequences/{sequenceId}/commit",
        "GET /sequences/{sequenceId}/gaps",
        "GET /sequences/{sequenceId}/progress",
        "GET /sequences/{sequenceId}/results",
        "PUT /sequences/{sequenceId}/expected-size",
        "DELETE /sequences/{sequenceId}",
        "GET /openapi/v1.json",
        "POST /admin/accounts",
        "GET /admin/accounts",
        "GET /admin/accounts/{accountId}",
        "PATCH /admin/accounts/{accountId}",
        "POST /admin/accounts/{accountId}/tokens",
        "GET /admin/accounts/{accountId}/tokens",
        "DELETE /admin/accounts/{accountId}/tokens/{tokenId}",
        "GET /admin/accounts/{accountId}/custody",
        "GET /admin/accounts/{accountId}/usage",
        "GET /admin/trust-root",
      ].toSorted(),
    );
  });
});
