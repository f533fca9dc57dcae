import { expect, it } from "vitest";
import { runCrowds } from "../../../../trials/hostile/crowds.ts";

it("lets no stranger hold others up by many connections", async () => {
  const options = { connections: 60, requests: 200, seconds: 0.2, from: "127.0.0.2", seed: 16, only: "" };
  const report = await runCrowds({ ...options, patienceMs: 30_000 });
  expect(report.breaches).toEqual([]);
}, 600_000);

it("lets no stranger hold up others at its address", async () => {
  const options = { connections: 60, requests: 200, seconds: 0.5, from: "127.0.0.1", seed: 17 };
  for (const [only, shapes] of [
    ["pipelined health", 2],
    ["one request for each", 1],
  ] as const) {
    const report = await runCrowds({ ...options, only, patienceMs: 30_000 });
    expect(report.breaches).toEqual([]);
    expect(report.crowds).toHaveLength(shapes);
  }
}, 600_000);
