import { expect, it } from "vitest";
import { runEndpointRaces } from "../../../../trials/races/endpoints.ts";

it("answers all endpoints of an account that race with the operator as the contract lists", async () => {
  const report = await runEndpointRaces({ calls: 200, clients: 6, seed: 29 });
  expect(report.breaches).toEqual([]);
  expect(Object.keys(report.answers).length).toBeGreaterThan(30);
}, 600_000);
