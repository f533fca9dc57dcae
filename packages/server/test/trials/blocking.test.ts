import { expect, it } from "vitest";
import { runBlocking } from "../../../../trials/blocking.ts";

it("lets nobody block others' pictures by registering what these carry, and refuses what derives from a picture", async () => {
  const report = await runBlocking({
    photographs: null,
    count: 1,
    shares: [0.03, 0.1],
    elements: ["licence badge", "square code", "status bar, middle", "flag", "smiley"],
    parts: [2],
    seed: 6,
  });
  expect(report.breaches).toEqual([]);
  const { carriers, derivatives } = report;
  expect(carriers["square code, 3 %"]).toEqual({ asked: 1, registered: 1, named: 1 });
  for (const name of ["flag, 10 %", "smiley, 10 %"]) {
    expect(carriers[name]).toEqual({ asked: 1, registered: 1, named: 1 });
  }
  expect(carriers["licence badge, 10 %"]).toEqual({ asked: 1, registered: 1, named: 1 });
  expect(carriers["its own middle, 10 %"]).toMatchObject({ asked: 1, registered: 1 });
  for (const name of ["coded again", "crop, 60 %", "pasted, 60 %", "screenshot"]) {
    expect(derivatives[name]).toEqual({ asked: 1, registered: 0, named: 1 });
  }
}, 600_000);
