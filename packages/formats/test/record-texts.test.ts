import { recordTexts } from "@colophon/formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("recordTexts", () => {
  it("gives back the exact text of each record", () => {
    const json = fc
      .json()
      .chain((text) => fc.constantFrom(`{"payload":${text} }`, `{ "a":"]}\\"", "b":${text}}`));
    fc.assert(
      fc.property(fc.array(json), (records) => {
        expect(recordTexts(`{"records":[${records.join(",\n ")}]}`)).toEqual(records);
      }),
    );
  });

  it("refuses what is no list of records", () => {
    for (const text of ["", "[]", "{}", '{"records":{}}', '{"records":[}']) {
      expect(() => recordTexts(text)).toThrow(SyntaxError);
    }
  });
});
