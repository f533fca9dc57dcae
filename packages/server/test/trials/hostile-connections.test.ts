import { expect, it } from "vitest";
import { runConnections } from "../../../../trials/hostile/connections.ts";

it("lets nobody hold others up by what is sent on connections", async () => {
  const options = { requests: 1_000, connections: 8, seconds: 0.5, alone: 5, imageMiB: 8, seed: 15 };
  const report = await runConnections(options);
  expect(report.breaches).toEqual([]);
}, 600_000);
