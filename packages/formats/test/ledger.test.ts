import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalRow,
  FIRST_PREVIOUS_ROW_HASH,
  type LedgerRow,
  rowHash,
  verifyLedger,
} from "../src/index.ts";

function ledger(bodies: LedgerRow[]): LedgerRow[] {
  let previousRowHash = FIRST_PREVIOUS_ROW_HASH;
  return bodies.map((body, i) => {
    const row = { ...body, seq: i + 1, previousRowHash };
    previousRowHash = rowHash(row);
    return { ...row, rowHash: previousRowHash };
  });
}

const rows = ledger(
  [1, 2, 3, 4].map((n) => ({ kind: "received", byteLength: n * 1000, check: null, subject: 'é"\\\n\u001f' })),
);

test("the canonical form is RFC 8785's", () => {
  expect(canonicalRow({ b: null, a: -5, "": "\u20ac$\u000f\nA'B\"\\\u007f", B: 9007199254740991 })).toBe(
    '{"":"\u20ac$\\u000f\\nA\'B\\"\\\\\u007f","B":9007199254740991,"a":-5,"b":null}',
  );
  expect(canonicalRow({ "\u{1f600}": 1, "\ufb33": 2, "\u0080": 3 })).toBe(
    '{"\u0080":3,"\u{1f600}":1,"\ufb33":2}',
  );
  for (const value of [0.5, 2 ** 53, Number.NaN, "\ud800"]) {
    expect(() => canonicalRow({ value })).toThrow(TypeError);
  }
});

test("the hash does not depend on the order of keys, nor on the row's own hash", () => {
  const value = fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger(), fc.constant(null));
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme", maxLength: 5 }), value), (row) => {
      const reversed = Object.fromEntries(Object.entries(row).toReversed());
      expect(rowHash({ ...reversed, rowHash: "x" })).toBe(rowHash(row));
      expect(JSON.parse(canonicalRow(row))).toEqual(row);
    }),
  );
});

test("an untouched ledger is intact, as a list and as a stream", async () => {
  const intact = { intact: true, rows: 4, lastRowHash: rows[3]?.["rowHash"] };
  expect(await verifyLedger(rows)).toEqual(intact);
  async function* stream(): AsyncGenerator {
    for (const row of rows) yield await Promise.resolve(JSON.parse(JSON.stringify(row)));
  }
  expect(await verifyLedger(stream())).toEqual(intact);
  expect(await verifyLedger([])).toEqual({ intact: true, rows: 0, lastRowHash: FIRST_PREVIOUS_ROW_HASH });
});

test.each<[string, unknown[], number | null, string]>([
  ["an altered value", rows.with(1, { ...rows[1], byteLength: 1 }), 2, "altered"],
  ["an altered value, rehashed", rows.with(1, rehashed({ ...rows[1], byteLength: 1 })), 3, "unlinked"],
  ["a missing row", rows.toSpliced(1, 1), 3, "unlinked"],
  ["a missing first row", rows.slice(1), 2, "unlinked"],
  ["two rows exchanged", rows.with(1, rows[2]!).with(2, rows[1]!), 3, "unlinked"],
  ["a repeated row", rows.toSpliced(2, 0, rows[1]!), 2, "order"],
  ["an added field", rows.with(0, { ...rows[0], note: "x" }), 1, "altered"],
  ["a nested value", [{ ...rows[0], kind: [] }], null, "malformed"],
  ["a row without seq", rows.with(0, { kind: "received" }), null, "malformed"],
  ["no row at all", [null], null, "malformed"],
])("%s is found", async (_name, changed, seq, fault) => {
  expect(await verifyLedger(changed)).toMatchObject({ intact: false, seq, fault });
});

function rehashed(row: LedgerRow): LedgerRow {
  return { ...row, rowHash: rowHash(row) };
}
