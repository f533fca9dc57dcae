import type { CustodyRow, UsageRow } from "@colophon/contract";
import type { Insertable, Selectable } from "kysely";
import type { Read, Write } from "../database.ts";
import type { CustodyRowTable, UsageRowTable } from "../tables.ts";

const PAGE = 1000;

type CustodyEntry = Insertable<CustodyRowTable>;
type UsageEntry = Insertable<UsageRowTable>;

/** What a custody row must say, and what it may. */
export type CustodyEvent = Pick<CustodyEntry, "account_id" | "kind" | "subject" | "byte_length"> &
  Partial<Pick<CustodyEntry, "image_hash" | "sequence_id" | "frame_id" | "slot_id" | "check_name">>;

/** What a usage row must say, and what it may. */
export type UsageEvent = Pick<UsageEntry, "account_id" | "kind" | "units"> &
  Partial<Pick<UsageEntry, "image_hash" | "original_image_hash" | "registration_id" | "slot_id">>;

/** Appends to the custody ledger, in order; the database numbers and chains the rows. */
export async function appendCustody(write: Write, events: readonly CustodyEvent[]): Promise<void> {
  const blank = { image_hash: null, sequence_id: null, frame_id: null, slot_id: null, check_name: null };
  // A statement takes 65,535 parameters.
  for (let at = 0; at < events.length; at += PAGE) {
    await write
      .insertInto("custody_row")
      .values(events.slice(at, at + PAGE).map((event) => ({ ...blank, ...event })))
      .execute();
  }
}

/** Appends to the usage ledger, in order; the database numbers and chains the rows. */
export async function appendUsage(write: Write, events: readonly UsageEvent[]): Promise<void> {
  if (events.length === 0) return;
  const blank = { image_hash: null, original_image_hash: null, registration_id: null, slot_id: null };
  await write
    .insertInto("usage_row")
    .values(events.map((event) => ({ ...blank, ...event })))
    .execute();
}

/** An account's custody ledger in order, a page in memory at a time. */
export function custodyLedger(read: Read, accountId: string): AsyncGenerator<CustodyRow> {
  const page = (after: number): Promise<Selectable<CustodyRowTable>[]> =>
    read
      .selectFrom("custody_row")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(PAGE)
      .execute();
  return inPages(page, custodyRow);
}

/** An account's usage ledger in order, a page in memory at a time. */
export function usageLedger(read: Read, accountId: string): AsyncGenerator<UsageRow> {
  const page = (after: number): Promise<Selectable<UsageRowTable>[]> =>
    read
      .selectFrom("usage_row")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(PAGE)
      .execute();
  return inPages(page, usageRow);
}

async function* inPages<Stored extends { seq: number }, Row>(
  page: (after: number) => Promise<readonly Stored[]>,
  row: (stored: Stored) => Row,
): AsyncGenerator<Row> {
  let rows = await page(0);
  while (rows.length > 0) {
    yield* rows.map(row);
    rows = await page(rows.at(-1)?.seq ?? 0);
  }
}

const hex = (bytes: Buffer | null): string | null => bytes?.toString("hex") ?? null;

function custodyRow(row: Selectable<CustodyRowTable>): CustodyRow {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    kind: row.kind,
    subject: row.subject,
    imageHash: hex(row.image_hash),
    sequenceId: row.sequence_id,
    frameId: row.frame_id,
    slotId: row.slot_id,
    byteLength: row.byte_length,
    check: row.check_name,
    previousRowHash: row.previous_row_hash.toString("hex"),
    rowHash: row.row_hash.toString("hex"),
  };
}

function usageRow(row: Selectable<UsageRowTable>): UsageRow {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    kind: row.kind,
    units: row.units,
    imageHash: hex(row.image_hash),
    originalImageHash: hex(row.original_image_hash),
    registrationId: row.registration_id,
    slotId: row.slot_id,
    previousRowHash: row.previous_row_hash.toString("hex"),
    rowHash: row.row_hash.toString("hex"),
  };
}
