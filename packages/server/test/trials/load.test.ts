import { expect, it } from "vitest";
import { runLoad } from "../../../../trials/load.ts";

it("answers overload with 503 and Retry-After within bounded memory, and recovers", async () => {
  const report = await runLoad({ seconds: 0.05, clients: [1, 4], parallel: 150, side: 360, seed: 14 });
  expect(report.breaches).toEqual([]);
  expect(report.parallelLookups.statuses).toMatchObject({ 200: expect.any(Number), 503: expect.any(Number) });
}, 600_000);
