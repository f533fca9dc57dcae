import { expect, it } from "vitest";
import { runSequenceCrashes } from "../../../../trials/crash/sequences.ts";

it("leaves every chain whole, and goes on where it was cut off, when service and database are killed", async () => {
  const report = await runSequenceCrashes({ rounds: 2, seed: 5, clients: 2 });
  expect(report.breaches).toEqual([]);
  expect(report.committed).toBe(4);
}, 300_000);
