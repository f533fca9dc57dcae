import { toUtf8 } from "./bytes/encoding.ts";
import { sha256Hex } from "./bytes/hashes.ts";

/** A row of an append-only ledger as it is exported: flat, every value a string, a safe integer or null. */
export type LedgerRow = Readonly<Record<string, string | number | null>>;

/** `previousRowHash` of a ledger's first row. */
export const FIRST_PREVIOUS_ROW_HASH: string = "0".repeat(64);

/** What `verifyLedger` found: an unbroken chain with its last hash, or the first row that breaks it and how. */
export type LedgerVerdict =
  | { readonly intact: true; readonly rows: number; readonly lastRowHash: string }
  | {
      readonly intact: false;
      /** Rows before the break. */
      readonly rows: number;
      /** `seq` of the row at fault, null when it carries none. */
      readonly seq: number | null;
      readonly fault: "malformed" | "order" | "altered" | "unlinked";
      readonly message: string;
    };

/**
 * The canonical form of a row (RFC 8785): keys in order of their UTF-16 code units, no whitespace. Throws a TypeError
 * on a value that is no string, safe integer or null, and on text with a lone surrogate, which has no UTF-8 form.
 */
export function canonicalRow(row: LedgerRow): string {
  const members = Object.keys(row)
    .toSorted()
    .map((key) => `${canonicalValue(key)}:${canonicalValue(row[key])}`);
  return `{${members.join(",")}}`;
}

/** SHA-256, lowercase hex, over the canonical form of a row without its `rowHash`. */
export function rowHash(row: LedgerRow): string {
  const { rowHash: _own, ...rest } = row;
  return sha256Hex(toUtf8(canonicalRow(rest)));
}

/**
 * Walks a ledger in order and re-derives every row's hash and link; stops at the first break. Rows cut off the end
 * leave an intact chain: compare `lastRowHash` with one noted earlier.
 */
export async function verifyLedger(rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<LedgerVerdict> {
  let previous = { seq: Number.NEGATIVE_INFINITY, hash: FIRST_PREVIOUS_ROW_HASH };
  let count = 0;
  for await (const row of rows) {
    const link = checkRow(row, previous);
    if ("fault" in link) return { intact: false, rows: count, ...link };
    previous = link;
    count += 1;
  }
  return { intact: true, rows: count, lastRowHash: previous.hash };
}

type Link = { readonly seq: number; readonly hash: string };
type Fault = Omit<Extract<LedgerVerdict, { intact: false }>, "intact" | "rows">;

function checkRow(row: unknown, previous: Link): Link | Fault {
  if (!isLedgerRow(row)) {
    return {
      seq: null,
      fault: "malformed",
      message: "A row is no flat object of strings, integers and nulls.",
    };
  }
  const seq = row["seq"];
  if (typeof seq !== "number") return { seq: null, fault: "malformed", message: "A row carries no seq." };
  if (seq <= previous.seq) {
    return { seq, fault: "order", message: `Row ${seq} comes after row ${previous.seq}.` };
  }
  const hash = rowHash(row);
  if (row["rowHash"] !== hash) {
    return { seq, fault: "altered", message: `Row ${seq} is not the row its hash was taken of.` };
  }
  if (row["previousRowHash"] !== previous.hash) {
    return {
      seq,
      fault: "unlinked",
      message: `Row ${seq} does not follow the row before it: one is missing or altered.`,
    };
  }
  return { seq, hash };
}

function isLedgerRow(row: unknown): row is LedgerRow {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return false;
  return Object.entries(row).every(([key, value]) => isCanonical(key) && isCanonical(value));
}

function isCanonical(value: unknown): value is string | number | null {
  if (typeof value === "string") return value.isWellFormed();
  return value === null || Number.isSafeInteger(value);
}

function canonicalValue(value: unknown): string {
  if (!isCanonical(value)) throw new TypeError("a ledger value is a string, a safe integer or null");
  // For these types JSON.stringify is RFC 8785's form, but for negative zero, which it prints as 0 as well.
  return JSON.stringify(value);
}
