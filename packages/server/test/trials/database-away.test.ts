import { expect, it } from "vitest";
import { runDatabaseAway } from "../../../../trials/database-away.ts";

it("answers 503 on every route while the database is away, and charges nothing twice", async () => {
  const report = await runDatabaseAway({ rounds: 2, clients: 2, seed: 41, answerMs: 15_000 });
  expect(report.breaches).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(0);
}, 300_000);
