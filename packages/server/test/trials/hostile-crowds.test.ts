import { expect, it } from "vitest";
import { runCrowds } from "../../../../trials/hostile/crowds.ts";

const CROWD = { connections: 60, requests: 200, alone: 1, patienceMs: 30_000 };

it("lets no stranger hold others up by many connections", async () => {
  const report = await runCrowds({ ...CROWD, seconds: 0.2, from: "127.0.0.2", seed: 16, only: [""] });
  expect(report.breaches).toEqual([]);
}, 600_000);

it("lets no stranger hold up others at its address", async () => {
  const only = ["pipelined health", "one request for each"];
  const report = await runCrowds({ ...CROWD, seconds: 0.5, from: "127.0.0.1", seed: 17, only });
  expect(report.breaches).toEqual([]);
  expect(report.crowds).toHaveLength(3);
}, 600_000);
