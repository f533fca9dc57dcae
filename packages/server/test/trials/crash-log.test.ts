import { expect, it } from "vitest";
import { runLogCrashes } from "../../../../trials/crash/log.ts";

it("neither forks nor loses or repeats an entry of the log when two processes and their database are killed", async () => {
  const report = await runLogCrashes({ rounds: 2, seed: 3, clients: 4 });
  expect(report.breaches).toEqual([]);
  expect(report.published).toBeGreaterThan(5);
}, 600_000);
