import type { CustodyRow, OperationRow, UsageRow } from "@colophon/contract";
import { FIRST_PREVIOUS_ROW_HASH } from "@colophon/formats";
import { type Insertable, type Selectable, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { type Part, together } from "../together.ts";
import type {
  CustodyRowTable,
  LedgerHeadTable,
  OperationRowTable,
  UsageRowTable,
} from "../tables/custody-tables.ts";
import type { Tables } from "../tables/tables.ts";

/** Rows of one statement. */
const PAGE = 1000;

type CustodyEntry = Insertable<CustodyRowTable>;
type UsageEntry = Insertable<UsageRowTable>;

/** What a custody row must say, and what it may. */
export type CustodyEvent = Pick<CustodyEntry, "accountId" | "kind" | "subject" | "byteLength"> &
  Partial<Pick<CustodyEntry, "imageHash" | "sequenceId" | "frameId" | "slotId" | "checkName">>;

/** What a usage row must say, and what it may. */
export type UsageEvent = Pick<UsageEntry, "accountId" | "kind" | "units"> &
  Partial<Pick<UsageEntry, "imageHash" | "originalImageHash" | "registrationId" | "slotId">>;

/** What an operator did. */
export type OperationEvent = Pick<
  Insertable<OperationRowTable>,
  "accountId" | "kind" | "originalImageHash" | "reason"
>;

const NO_CUSTODY_DETAIL = { imageHash: null, sequenceId: null, frameId: null, slotId: null, checkName: null };
const NO_USAGE_DETAIL = { imageHash: null, originalImageHash: null, registrationId: null, slotId: null };

/** Appends to the custody ledger, in order; the database numbers and chains the rows. */
export async function appendCustody(write: Write, events: readonly CustodyEvent[]): Promise<void> {
  await together(write, await custodyRows(write, events));
}

/** Appends to the usage ledger, in order; the database numbers and chains the rows. */
export async function appendUsage(write: Write, events: readonly UsageEvent[]): Promise<void> {
  await together(write, await usageRows(write, events));
}

/** As `appendCustody`, but that the last rows are yet to be written, together with other changes. */
export async function custodyRows(write: Write, events: readonly CustodyEvent[]): Promise<readonly Part[]> {
  return lastOf(
    write,
    events.map((event) => ({ ...NO_CUSTODY_DETAIL, ...event })),
    (rows) => write.insertInto("custodyRow").values(rows),
  );
}

/** As `appendUsage`, but that the last rows are yet to be written, together with other changes. */
export async function usageRows(write: Write, events: readonly UsageEvent[]): Promise<readonly Part[]> {
  return lastOf(
    write,
    events.map((event) => ({ ...NO_USAGE_DETAIL, ...event })),
    (rows) => write.insertInto("usageRow").values(rows),
  );
}

/** Writes all rows but the last page of them, which is answered. A statement takes 65,535 parameters. */
async function lastOf<Row>(
  write: Write,
  rows: readonly Row[],
  inserting: (page: readonly Row[]) => Part,
): Promise<readonly Part[]> {
  let at = 0;
  for (; rows.length - at > PAGE; at += PAGE) await together(write, [inserting(rows.slice(at, at + PAGE))]);
  return rows.length === 0 ? [] : [inserting(rows.slice(at))];
}

/** Appends to the ledger of operations; the database numbers and chains the row. */
export async function appendOperation(write: Write, event: OperationEvent): Promise<void> {
  await write.insertInto("operationRow").values(event).execute();
}

/** A ledger of an account; `seq` and `rowHash` are where it ends, null where that is not noted. */
export type LedgerEnd = Pick<Selectable<LedgerHeadTable>, "accountId" | "ledger"> &
  ({ readonly seq: number; readonly rowHash: Buffer } | { readonly seq: null; readonly rowHash: null });

/**
 * The ledgers that accounts have, by account: those of custody and usage, and the one of operations once it has a row.
 */
export async function ledgerEnds(read: Read): Promise<readonly LedgerEnd[]> {
  const { rows } = await sql<LedgerEnd>`
    select account_id, ledger, seq, row_hash from (
      select account_id, ledger from account cross join (values ('custody'), ('usage')) as own (ledger)
      union select account_id, 'operation' from operation_row
      union select account_id, ledger from ledger_head
    ) as kept left join ledger_head using (account_id, ledger)
    order by account_id, ledger`.execute(read);
  return rows;
}

/** An account's custody ledger in order, a page in memory at a time. */
export function custodyLedger(read: Read, accountId: string): AsyncGenerator<CustodyRow> {
  return ledger(read, "custodyRow", accountId, custodyRow);
}

/** An account's usage ledger in order, a page in memory at a time. */
export function usageLedger(read: Read, accountId: string): AsyncGenerator<UsageRow> {
  return ledger(read, "usageRow", accountId, usageRow);
}

/** What operators did to originals of an account, in order, a page in memory at a time. */
export function operationLedger(read: Read, accountId: string): AsyncGenerator<OperationRow> {
  return ledger(read, "operationRow", accountId, operationRow);
}

async function* ledger<Name extends "custodyRow" | "usageRow" | "operationRow", Row>(
  read: Read,
  table: Name,
  accountId: string,
  row: (stored: Selectable<Tables[Name]>, previousRowHash: string) => Row,
): AsyncGenerator<Row> {
  let previousRowHash = FIRST_PREVIOUS_ROW_HASH;
  for (let after = 0; ; ) {
    const { rows } = await sql<
      Selectable<Tables[Name]> & { readonly seq: number; readonly rowHash: Buffer }
    >`select * from ${sql.table(table)}
      where account_id = ${accountId} and seq > ${after} order by seq limit ${PAGE}`.execute(read);
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const stored of rows) {
      yield row(stored, previousRowHash);
      previousRowHash = stored.rowHash.toString("hex");
    }
    after = last.seq;
  }
}

const hex = (bytes: Buffer | null): string | null => bytes?.toString("hex") ?? null;

function custodyRow(row: Selectable<CustodyRowTable>, previousRowHash: string): CustodyRow {
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
    previousRowHash,
    rowHash: row.rowHash.toString("hex"),
  };
}

function usageRow(row: Selectable<UsageRowTable>, previousRowHash: string): UsageRow {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    kind: row.kind,
    units: row.units,
    imageHash: hex(row.imageHash),
    originalImageHash: hex(row.originalImageHash),
    registrationId: row.registrationId,
    slotId: row.slotId,
    previousRowHash,
    rowHash: row.rowHash.toString("hex"),
  };
}

function operationRow(row: Selectable<OperationRowTable>): OperationRow {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    kind: row.kind,
    originalImageHash: hex(row.originalImageHash),
    reason: row.reason,
    previousRowHash: row.previousRowHash.toString("hex"),
    rowHash: row.rowHash.toString("hex"),
  };
}
