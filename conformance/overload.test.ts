import { availableParallelism } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, jsonOf } from "./support/answer.ts";
import { newAccount } from "./support/caller.ts";
import { type Deployment, startDeployment } from "./support/deployment.ts";
import { problem, refusalIn } from "./support/problem.ts";
import { freshPicture, vastScene } from "./support/pictures.ts";

/**
 * More than the workers of this machine take and queue, of a picture that keeps one longer than a call takes to arrive.
 */
const AT_ONCE = 80 + 40 * availableParallelism();

let deployment: Deployment;

// Overload would be felt by whoever else uses a deployment, so this one is always started here.
beforeAll(async () => {
  deployment = await startDeployment({});
});
afterAll(() => deployment[Symbol.asyncDispose]());

const NOT_YET = problem({
  status: 503,
  title: "Image could not be checked yet",
  condition: "image-could-not-be-checked-yet",
  detail:
    "This image could not be checked against registered originals yet. Nothing was registered, answered or charged; send it again.",
});

/** The answers that are verdicts; proves that each of the others says when to come again. */
function servedOf(answers: readonly Answer[]): readonly Answer[] {
  for (const answer of answers.filter(({ status }) => status === 503)) {
    expect(refusalIn(answer)).toEqual(NOT_YET);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  }
  return answers.filter(({ status }) => status !== 503);
}

/** The same of more calls than the engine takes: some are verdicts, and some are not. */
function servedOfTooMany(answers: readonly Answer[]): readonly Answer[] {
  const served = servedOf(answers);
  expect(served.length).toBeGreaterThan(0);
  expect(served.length).toBeLessThan(answers.length);
  return served;
}

describe("more at once than the engine can take", () => {
  test("is told when to come again, and pays for verdicts only", async () => {
    const { caller } = await newAccount(deployment);
    const picture = await vastScene();
    const served = servedOfTooMany(
      await Promise.all(Array.from({ length: AT_ONCE }, () => caller.lookUp(picture))),
    );
    expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
    expect(jsonOf(await caller.get("/account/stats"))).toMatchObject({
      lookups: { consumed: served.length, held: 0 },
    });
  });

  test("registers an image once, and pays for that and for the matches", async () => {
    const { caller } = await newAccount(deployment);
    // Once registered, it is told by its bytes: only what matches nothing is sure to keep the workers busy.
    const [picture, unknown] = [await vastScene(), await vastScene()];
    const first = caller.register(picture);
    const both = Array.from({ length: AT_ONCE }, () =>
      Promise.all([caller.lookUp(unknown), caller.register(picture)]),
    );
    const answers = await Promise.all(both);
    const lookedUp = servedOfTooMany(answers.map(([answer]) => answer));
    // The last one is sent when the others are answered: it is served, and registers the picture if none of them did.
    const last = await caller.register(picture);
    const registered = servedOf([await first, ...answers.map(([, answer]) => answer), last]);
    const matched = registered.filter(({ status }) => status === 409);
    expect(registered.length - matched.length).toBe(1);
    expect(jsonOf(await caller.get("/account/stats"))).toMatchObject({
      registrations: { consumed: 1, held: 0 },
      lookups: { consumed: lookedUp.length + matched.length, held: 0 },
    });
  });

  test("is served again once it has passed", async () => {
    const { caller } = await newAccount(deployment);
    expect((await caller.register(await freshPicture())).status).toBe(200);
  });
});
