import { canonicalRow, FIRST_PREVIOUS_ROW_HASH, type LedgerRow, rowHash } from "@colophon/formats";

const BODIES: readonly LedgerRow[] = [
  {
    kind: "received",
    subject: "registrationImage",
    byteLength: 123456,
    imageHash: "ab".repeat(32),
    check: null,
  },
  { kind: "derived", subject: "packet", byteLength: 0, imageHash: "ab".repeat(32), check: null },
  { kind: "deleted", subject: "registrationImage", byteLength: 9007199254740991, check: "zeroed" },
  { kind: 'odd "text" \\ / \u007f \u001f \n é€😀', subject: "", byteLength: -1 },
];

/** A ledger of four rows, with the canonical text each row's hash is taken of, and ways of breaking it. */
export function ledgerVectors(): object {
  const rows = chained(BODIES);
  const [first, second, third, fourth] = rows;
  const canonical = rows.map(({ rowHash: _own, ...row }) => canonicalRow(row));
  const altered = { ...second, byteLength: 1 };
  return {
    rows,
    canonical,
    broken: [
      { seq: 2, fault: "altered", rows: [first, altered, third, fourth] },
      { seq: 3, fault: "unlinked", rows: [first, { ...altered, rowHash: rowHash(altered) }, third, fourth] },
      { seq: 3, fault: "unlinked", rows: [first, third, fourth] },
      { seq: 2, fault: "unlinked", rows: [second, third, fourth] },
      { seq: 1, fault: "order", rows: [first, first] },
    ],
  };
}

function chained(bodies: readonly LedgerRow[]): LedgerRow[] {
  let previousRowHash = FIRST_PREVIOUS_ROW_HASH;
  return bodies.map((body, i) => {
    const row = { seq: i + 1, at: `2026-11-20T12:00:0${i}.000Z`, ...body, previousRowHash };
    previousRowHash = rowHash(row);
    return { ...row, rowHash: previousRowHash };
  });
}
