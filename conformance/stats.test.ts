import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { newAccount, operatorOf } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { freshPicture } from "./support/pictures.ts";

let deployment: Deployment;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
});
afterAll(() => deployment[Symbol.asyncDispose]());

describe("GET /account/stats", () => {
  test("tells a new account its grants", async () => {
    const { caller } = await newAccount(deployment, { registrations: 3, lookups: 5 });
    expect(jsonOf(await caller.get("/account/stats"))).toEqual({
      registrations: { grant: 3, consumed: 0, held: 0, remaining: 3 },
      lookups: { grant: 5, consumed: 0, held: 0, remaining: 5 },
      callCount: 1,
    });
  });

  test("counts what was spent and every authenticated call, refused ones included", async () => {
    const { caller } = await newAccount(deployment, { registrations: 3, lookups: 5 });
    const picture = await freshPicture();
    jsonOf(await caller.register(picture));
    expect((await caller.register(picture)).status).toBe(409);
    jsonOf(await caller.lookUp(picture));
    expect((await caller.get("/records/nonsense")).status).toBe(400);
    expect(jsonOf(await caller.get("/account/stats"))).toEqual({
      registrations: { grant: 3, consumed: 1, held: 0, remaining: 2 },
      lookups: { grant: 5, consumed: 2, held: 0, remaining: 3 },
      callCount: 5,
    });
  });

  test("shows nothing of another account", async () => {
    const one = await newAccount(deployment);
    const two = await newAccount(deployment);
    jsonOf(await one.caller.lookUp(await freshPicture()));
    expect(jsonOf(await two.caller.get("/account/stats"))).toMatchObject({
      lookups: { consumed: 0 },
      callCount: 1,
    });
  });

  test("shows a grant lowered below what was spent as used up", async () => {
    const { caller, accountId } = await newAccount(deployment, { lookups: 5 });
    const picture = await freshPicture();
    jsonOf(await caller.lookUp(picture));
    jsonOf(await caller.lookUp(picture));
    jsonOf(await operatorOf(deployment).json("PATCH", `/admin/accounts/${accountId}`, { lookups: 1 }));
    expect(jsonOf(await caller.get("/account/stats"))).toMatchObject({
      lookups: { grant: 1, consumed: 2, held: 0, remaining: 0 },
    });
  });
});
