import { expect, it } from "vitest";
import { runSlotCrashes } from "../../../../trials/crash/slots.ts";

it("loses nothing acknowledged and leaves nothing behind when killed amid uploads and commits", async () => {
  const report = await runSlotCrashes({ rounds: 2, clients: 2, seed: 31 });
  expect(report.breaches).toEqual([]);
  expect(report.acknowledgedImages + report.acknowledgedQueries).toBeGreaterThan(0);
}, 300_000);
