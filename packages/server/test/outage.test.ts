import { expect, it } from "vitest";
import { Outage } from "../src/outage.ts";

it("an outage is said once for each reason, and once when it is over", () => {
  const said: string[] = [];
  const outage = new Outage(
    (reason) => said.push(reason),
    () => said.push("works again"),
  );
  for (const reason of [null, "a", "a", "b", "b", "a", null, null, "a"]) outage.note(reason);
  expect(said).toEqual(["a", "b", "a", "works again", "a"]);
});
