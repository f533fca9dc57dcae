import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { type Caller, newAccount } from "./support/caller.ts";
import { type Deployment, startDeployment } from "./support/deployment.ts";
import { problem, refusalIn } from "./support/problem.ts";
import { freshPicture } from "./support/pictures.ts";

const AT_ONCE = 160;

let deployment: Deployment;
let caller: Caller;

// Overload would be felt by whoever else uses a deployment, so this one is always started here.
beforeAll(async () => {
  deployment = await startDeployment({});
  caller = (await newAccount(deployment)).caller;
});
afterAll(() => deployment[Symbol.asyncDispose]());

describe("more at once than the engine can take", () => {
  test("is told when to come again, and pays for answers only", async () => {
    const picture = await freshPicture();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => caller.lookUp(picture)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(AT_ONCE);
    for (const answer of refused) {
      expect(refusalIn(answer)).toEqual(
        problem({
          status: 503,
          title: "Image could not be checked yet",
          condition: "image-could-not-be-checked-yet",
          detail:
            "This image could not be checked against registered originals yet. Nothing was registered, answered or charged; send it again.",
        }),
      );
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
    expect(jsonOf(await caller.get("/account/stats"))).toMatchObject({
      lookups: { consumed: AT_ONCE - refused.length, held: 0 },
    });
  });

  test("is served again once it has passed", async () => {
    expect((await caller.register(await freshPicture())).status).toBe(200);
  });
});
