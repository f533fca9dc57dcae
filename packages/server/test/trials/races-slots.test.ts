import { expect, it } from "vitest";
import { runSlotRaces } from "../../../../trials/races/slots.ts";

it("lets exactly one of two commands win a slot, through two processes and under the sweeps", async () => {
  const report = await runSlotRaces({ rounds: 4, lanes: 2, seed: 21 });
  expect(report.breaches).toEqual([]);
  expect(Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)).toBe(4 * 12);
}, 300_000);
