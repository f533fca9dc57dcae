import { expect, it } from "vitest";
import { runRaces } from "../../../bench/races.ts";

it("keeps grants and originals right when two processes share a database", async () => {
  const report = await runRaces({ rounds: 1, seed: 12, clients: 16 });
  expect(report.breaches).toEqual([]);
  expect(report.statuses).toMatchObject({ "same image: 200": 1, "same image: 409": 15 });
}, 600_000);
