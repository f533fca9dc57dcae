import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller, newAccount } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { problem, refusalIn, type ExpectedProblem, MALFORMED } from "./support/problem.ts";
import { speak } from "./support/raw.ts";

const NOT_FOUND: ExpectedProblem = { status: 404, title: "Not found", condition: "not-found" };
const METHOD_NOT_ALLOWED: ExpectedProblem = {
  status: 405,
  title: "Method not allowed",
  condition: "method-not-allowed",
};

const names = (list: string | null): string[] => (list ?? "").split(/\s*,\s*/).toSorted();

let deployment: Deployment;
let anybody: Caller;
let account: Caller;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  anybody = new Caller(deployment.baseUrl, null);
  account = (await newAccount(deployment)).caller;
});
afterAll(() => deployment[Symbol.asyncDispose]());

describe("an address that no route answers", () => {
  test.each([
    "/",
    "/registration",
    "/registrations/",
    "/Registrations",
    "/records/a/b",
    "/account",
    "/admin",
    "/openapi/v2.json",
    "/%",
    "/registrations/%zz",
    `/records/${"a".repeat(3000)}/more`,
  ])("%s is a problem", async (path) => {
    expect(refusalIn(await account.get(path))).toEqual(problem(NOT_FOUND));
    expect(refusalIn(await account.send("POST", path))).toEqual(problem(NOT_FOUND));
  });

  test("answers whoever asks alike", async () => {
    expect(refusalIn(await anybody.get("/nowhere"))).toEqual(problem(NOT_FOUND));
    expect(refusalIn(await account.get("/nowhere"))).toEqual(problem(NOT_FOUND));
  });
});

describe("a method that an address does not answer", () => {
  test.each([
    ["POST", "/health", "GET"],
    ["DELETE", "/openapi/v1.json", "GET"],
    ["GET", "/registrations", "POST"],
    ["GET", "/registrations/6f2c1d7e-90ab-4c35-8e12-3d4f5a6b7c8d", "DELETE"],
    ["PUT", "/lookup", "POST"],
    ["GET", "/records", "POST"],
    ["DELETE", `/records/${"0".repeat(64)}`, "GET"],
    ["POST", "/account/stats", "GET"],
    ["DELETE", "/admin/accounts", "POST, GET"],
    ["POST", "/admin/accounts/91e4b7c0-5d2a-4836-9c7f-0b3e6a1d8f25", "GET, PATCH"],
    ["PUT", "/admin/accounts/91e4b7c0-5d2a-4836-9c7f-0b3e6a1d8f25/tokens", "POST, GET"],
    ["POST", "/admin/accounts/91e4b7c0-5d2a-4836-9c7f-0b3e6a1d8f25/custody", "GET"],
    ["PATCH", "/registrations", "POST"],
    ["PROPFIND", "/lookup", "POST"],
  ])("%s %s is a problem that names %s", async (method, path, allowed) => {
    const answer = await account.send(method, path);
    expect(refusalIn(answer)).toEqual(problem(METHOD_NOT_ALLOWED));
    expect(names(answer.headers.get("allow"))).toEqual(names(allowed));
  });
});

describe("every problem", () => {
  test("has a trace id of its own", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => anybody.get("/nowhere")));
    const traces = answers.map(({ text }) => JSON.parse(text).traceId);
    expect(new Set(traces).size).toBe(3);
  });

  test("takes up the trace of the request", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const answer = await anybody.send("GET", "/nowhere", { headers });
    expect(JSON.parse(answer.text).traceId).toBe(trace);
  });

  test("quotes nothing of the request", async () => {
    const marker = "marker-7f3a9";
    for (const answer of [
      await anybody.get(`/${marker}`),
      await account.delete(`/registrations/${marker}`),
      await account.get(`/records/${marker}`),
      await account.json("POST", "/records", { [marker]: marker }),
      await new Caller(deployment.baseUrl, marker).get("/account/stats"),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(marker);
    }
  });

  test("is what bytes that are no HTTP get as well", async () => {
    const said = await speak(deployment.baseUrl, "NOT HTTP AT ALL\r\n\r\n");
    const [head = "", body = ""] = said.split("\r\n\r\n");
    expect(
      refusalIn({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
        headers: new Headers({ "content-type": /^content-type: (.*)$/im.exec(head)?.[1] ?? "" }),
        bytes: Uint8Array.from(Buffer.from(body)),
        text: body,
      }),
    ).toEqual(problem(MALFORMED));
  });
});
