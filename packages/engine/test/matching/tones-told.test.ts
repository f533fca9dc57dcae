import { describe, expect, test } from "vitest";
import fc from "fast-check";
import type { Tones } from "../../src/matching/compare/tones.ts";
import { Signs } from "../../src/matching/decide/sign-list.ts";
import { addTones } from "../../src/matching/decide/tones-told.ts";
import { COSINE_TERMS } from "../../src/signature/whole-signature.ts";

const NOTHING = new Float64Array(COSINE_TERMS);

/** Terms as a picture has: some great ones, many small ones; the mean left out. */
const terms = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: COSINE_TERMS,
    maxLength: COSINE_TERMS,
  })
  .map((values) => Float64Array.from(values, (value, k) => (k === 0 ? 0 : value)));

const signsOfTerms = (of: Float64Array): Int8Array => Int8Array.from(of, (term) => (term >= 0 ? 1 : -1));
const together = (some: Float64Array, others: Float64Array): Float64Array =>
  some.map((term, k) => term + others[k]!);

function told(tones: Tones | null): (name: string) => number {
  const signs = new Signs();
  addTones(signs.under("tones"), tones);
  return (name) => signs.values[signs.names.indexOf(`tones.${name}`)]!;
}

describe("what tones tell", () => {
  test("nothing without a closer look", () => {
    const signs = new Signs();
    addTones(signs.under("tones"), null);
    expect(signs.values.every((value) => value === 0)).toBe(true);
    expect(new Set(signs.names).size).toBe(signs.names.length);
  });

  test("all of each band, or nothing, or by halves", () => {
    fc.assert(
      fc.property(terms, (all) => {
        const tones = { covered: 0.5, all, open: NOTHING, differing: NOTHING };
        const same = told({ ...tones, original: signsOfTerms(all) });
        const against = told({ ...tones, original: signsOfTerms(all).map((sign) => -sign) });
        expect(same("covered")).toBe(127);
        for (const band of ["all", "low", "middle", "high"]) {
          expect([same(band), against(band)]).toEqual([255, 0]);
        }
      }),
    );
  });

  test("of a part whether the original has it, or something else in its place", () => {
    fc.assert(
      fc.property(terms, terms, terms, (rest, part, another) => {
        const tones = { covered: 1, all: together(rest, part), open: part, differing: part };
        const has = told({ ...tones, original: signsOfTerms(tones.all) });
        const lacks = told({ ...tones, original: signsOfTerms(together(rest, another)) });
        for (const name of ["open", "differing"]) {
          expect(has(`${name}.turned`)).toBe(255);
          for (const sign of ["turned", "explained", "fine", "odds"]) {
            expect(has(`${name}.${sign}`)).toBeGreaterThan(lacks(`${name}.${sign}`));
          }
        }
      }),
    );
  });
});
