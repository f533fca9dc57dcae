import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "./support/answer.ts";
import { Caller, newAccount, operatorOf, type TestAccount } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { problem, refusalIn, UNAUTHORIZED } from "./support/problem.ts";

const SOME_ID = "91e4b7c0-5d2a-4836-9c7f-0b3e6a1d8f25";
const ACCOUNT_ROUTES = [
  ["POST", "/registrations"],
  ["DELETE", `/registrations/${SOME_ID}`],
  ["POST", "/lookup"],
  ["GET", `/records/${"0".repeat(64)}`],
  ["POST", "/records"],
  ["GET", "/account/stats"],
] as const;
const OPERATOR_ROUTES = [
  ["POST", "/admin/accounts"],
  ["GET", "/admin/accounts"],
  ["GET", `/admin/accounts/${SOME_ID}`],
  ["PATCH", `/admin/accounts/${SOME_ID}`],
  ["POST", `/admin/accounts/${SOME_ID}/tokens`],
  ["GET", `/admin/accounts/${SOME_ID}/tokens`],
  ["DELETE", `/admin/accounts/${SOME_ID}/tokens/${SOME_ID}`],
  ["GET", `/admin/accounts/${SOME_ID}/custody`],
  ["GET", `/admin/accounts/${SOME_ID}/usage`],
] as const;

let deployment: Deployment;
let account: TestAccount;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  account = await newAccount(deployment);
});
afterAll(() => deployment[Symbol.asyncDispose]());

/** What a refusal says, its trace apart. */
function said({ text }: Answer): object {
  const { traceId, ...rest }: { traceId: string } = JSON.parse(text);
  expect(traceId).toMatch(/./);
  return rest;
}

describe.each([...ACCOUNT_ROUTES, ...OPERATOR_ROUTES])("%s %s", (method, path) => {
  test("answers alike whatever is wrong with the token", async () => {
    const anybody = new Caller(deployment.baseUrl, null);
    const missing = await anybody.send(method, path);
    expect(refusalIn(missing)).toEqual(problem(UNAUTHORIZED));
    expect(missing.headers.get("www-authenticate")).toMatch(/^Bearer/);
    const values = [
      "",
      "Bearer",
      "Bearer ",
      "Basic YTpi",
      "Bearer nonsense",
      "Bearer clp_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJK",
      `Bearer ${"a".repeat(5000)}`,
    ];
    for (const authorization of values) {
      const answer = await anybody.send(method, path, { headers: { authorization } });
      expect(refusalIn(answer)).toEqual(problem(UNAUTHORIZED));
      expect(said(answer)).toEqual(said(missing));
    }
  });
});

describe("tokens", () => {
  test("of an account open no operator's route", async () => {
    for (const [method, path] of OPERATOR_ROUTES) {
      expect(refusalIn(await account.caller.send(method, path))).toEqual(problem(UNAUTHORIZED));
    }
  });

  test("of the operator open no account's route", async () => {
    for (const [method, path] of ACCOUNT_ROUTES) {
      expect(refusalIn(await operatorOf(deployment).send(method, path))).toEqual(problem(UNAUTHORIZED));
    }
  });

  test("open nothing once they are revoked, while the account's others do", async () => {
    const { accountId, tokenId, caller } = await newAccount(deployment);
    const operator = operatorOf(deployment);
    const minted = await operator.json("POST", `/admin/accounts/${accountId}/tokens`, {});
    const other = new Caller(deployment.baseUrl, JSON.parse(minted.text).token);
    expect((await caller.get("/account/stats")).status).toBe(200);
    expect((await operator.delete(`/admin/accounts/${accountId}/tokens/${tokenId}`)).status).toBe(204);
    expect(refusalIn(await caller.get("/account/stats"))).toEqual(problem(UNAUTHORIZED));
    expect((await other.get("/account/stats")).status).toBe(200);
  });
});
