import { expect, it } from "vitest";
import { runLogCrashes } from "../../../../trials/crash/log.ts";
import { runLogSize } from "../../../../trials/log-size.ts";

it("neither forks nor loses or repeats an entry of the log when two processes and their database are killed", async () => {
  const report = await runLogCrashes({ rounds: 2, seed: 3, clients: 4 });
  expect(report.breaches).toEqual([]);
  expect(report.published).toBeGreaterThan(5);
}, 600_000);

it("walks a log of entries that only the sequencer has seen, and is served the same tiles again", async () => {
  const report = await runLogSize({ entries: 700, seed: 3 });
  expect(report.breaches).toEqual([]);
  expect(report.tiles).toMatchObject({ hashes: { bytes: 8_192 }, entries: { bytes: expect.any(Number) } });
}, 600_000);
