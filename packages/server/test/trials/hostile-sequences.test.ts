import { expect, it } from "vitest";
import { runHostileSequences } from "../../../../trials/hostile/sequences.ts";

it("answers mutated frames as the contract lists, and lives", async () => {
  const report = await runHostileSequences({ requests: 90, seed: 7, clients: 2 });
  expect(report.breaches).toEqual([]);
}, 300_000);
