import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readInstant } from "../src/bytes/instant.ts";

test("an instant as the service writes it is read to the millisecond", () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z") }),
      (date) => {
        expect(readInstant(date.toISOString())).toEqual(date);
      },
    ),
  );
});

test("an instant may be written with fewer digits, or more that are zero", () => {
  const instant = new Date("2026-11-20T12:00:00.500Z");
  for (const fraction of [".5", ".50", ".500", ".500000", ".500000000"]) {
    expect(readInstant(`2026-11-20T12:00:00${fraction}Z`)).toEqual(instant);
  }
  expect(readInstant("2026-11-20T12:00:00Z")).toEqual(new Date("2026-11-20T12:00:00.000Z"));
});

test.each([
  "",
  "yesterday",
  "2026-11-20",
  "2026-11-20T12:00Z",
  "2026-11-20T12:00:00",
  "2026-11-20T12:00:00.Z",
  "2026-11-20T12:00:00.5",
  "2026-11-20T12:00:00.5001Z",
  "2026-11-20T12:00:00.5+00:00",
  "2026-11-20t12:00:00z",
  "2026-11-20 12:00:00Z",
  " 2026-11-20T12:00:00Z",
  "2026-02-29T12:00:00Z",
  "2026-11-20T24:00:00Z",
  "2026-11-20T12:00:60Z",
  "+002026-11-20T12:00:00Z",
  "Fri, 20 Nov 2026 12:00:00 GMT",
])("%j is no instant", (text) => {
  expect(readInstant(text).getTime()).toBeNaN();
});
