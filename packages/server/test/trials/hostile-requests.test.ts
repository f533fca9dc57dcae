import { expect, it } from "vitest";
import { runHostile } from "../../../../trials/hostile/requests.ts";

it("answers hostile requests as the contract lists, and lives", async () => {
  const report = await runHostile({ requests: 300, seed: 13, clients: 4 });
  expect(report.breaches).toEqual([]);
}, 600_000);
