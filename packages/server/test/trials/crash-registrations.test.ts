import { expect, it } from "vitest";
import { runCrashes } from "../../../../trials/crash/registrations.ts";

it("loses nothing acknowledged and charges nothing twice when service and database are killed", async () => {
  const report = await runCrashes({ rounds: 2, seed: 11, clients: 3 });
  expect(report.breaches).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(0);
}, 600_000);
