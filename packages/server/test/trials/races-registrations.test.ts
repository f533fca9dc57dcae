import { expect, it } from "vitest";
import { runRaces } from "../../../../trials/races/registrations.ts";

it("keeps grants and originals right when two processes share a database", async () => {
  const report = await runRaces({ rounds: 1, seed: 12, clients: 16 });
  expect(report.breaches).toEqual([]);
  expect(report.statuses).toMatchObject({ "same image: 200": 1, "same image: 409": 15 });
  expect(report.statuses).toMatchObject({
    "same image, one account: 200": 1,
    "same image, one account: 409": 3,
  });
}, 600_000);
