import { expect, it } from "vitest";
import { runNeighbour } from "../../../../trials/neighbour.ts";

it("answers an account's look-ups while another misbehaves, and memory goes back", async () => {
  const report = await runNeighbour({
    groups: [["pipelined-flood", "hammered-stats", "trickling-bodies", "empty-parts"]],
    lookups: 2,
    seed: 3,
    // Only collages show more than one.
    pictures: 1,
    rampMs: 2_000,
    // How much slower is for the long run on a quiet machine to say.
    most: Number.POSITIVE_INFINITY,
  });
  expect(report.breaches).toEqual([]);
}, 600_000);
