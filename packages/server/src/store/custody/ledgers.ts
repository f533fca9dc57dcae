import type { CustodyRow, UsageRow } from "@colophon/contract";
import type { Insertable, Selectable } from "kysely";
import type { Read, Write } from "../database.ts";
import type { CustodyRowTable, LedgerHeadTable, UsageRowTable } from "../tables.ts";

const PAGE = 1000;

type CustodyEntry = Insertable<CustodyRowTable>;
type UsageEntry = Insertable<UsageRowTable>;

/** What a custody row must say, and what it may. */
export type CustodyEvent = Pick<CustodyEntry, "accountId" | "kind" | "subject" | "byteLength"> &
  Partial<Pick<CustodyEntry, "imageHash" | "sequenceId" | "frameId" | "slotId" | "checkName">>;

/** What a usage row must say, and what it may. */
export type UsageEvent = Pick<UsageEntry, "accountId" | "kind" | "units"> &
  Partial<Pick<UsageEntry, "imageHash" | "originalImageHash" | "registrationId" | "slotId">>;

/** Appends to the custody ledger, in order; the database numbers and chains the rows. */
export async function appendCustody(write: Write, events: readonly CustodyEvent[]): Promise<void> {
  const blank = { imageHash: null, sequenceId: null, frameId: null, slotId: null, checkName: null };
  // A statement takes 65,535 parameters.
  for (let at = 0; at < events.length; at += PAGE) {
    await write
      .insertInto("custodyRow")
      .values(events.slice(at, at + PAGE).map((event) => ({ ...blank, ...event })))
      .execute();
  }
}

/** Appends to the usage ledger, in order; the database numbers and chains the rows. */
export async function appendUsage(write: Write, events: readonly UsageEvent[]): Promise<void> {
  if (events.length === 0) return;
  const blank = { imageHash: null, originalImageHash: null, registrationId: null, slotId: null };
  await write
    .insertInto("usageRow")
    .values(events.map((event) => ({ ...blank, ...event })))
    .execute();
}

/** Where the ledgers of all accounts end, by account. */
export function ledgerHeads(read: Read): Promise<readonly Selectable<LedgerHeadTable>[]> {
  return read.selectFrom("ledgerHead").selectAll().orderBy("accountId").execute();
}

/** An account's custody ledger in order, a page in memory at a time. */
export function custodyLedger(read: Read, accountId: string): AsyncGenerator<CustodyRow> {
  const page = (after: number): Promise<Selectable<CustodyRowTable>[]> =>
    read
      .selectFrom("custodyRow")
      .selectAll()
      .where("accountId", "=", accountId)
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
      .selectFrom("usageRow")
      .selectAll()
      .where("accountId", "=", accountId)
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
    imageHash: hex(row.imageHash),
    sequenceId: row.sequenceId,
    frameId: row.frameId,
    slotId: row.slotId,
    byteLength: row.byteLength,
    check: row.checkName,
    previousRowHash: row.previousRowHash.toString("hex"),
    rowHash: row.rowHash.toString("hex"),
  };
}

function usageRow(row: Selectable<UsageRowTable>): UsageRow {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    kind: row.kind,
    units: row.units,
    imageHash: hex(row.imageHash),
    originalImageHash: hex(row.originalImageHash),
    registrationId: row.registrationId,
    slotId: row.slotId,
    previousRowHash: row.previousRowHash.toString("hex"),
    rowHash: row.rowHash.toString("hex"),
  };
}
