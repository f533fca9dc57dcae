import { randomBytes } from "node:crypto";
import { refuse } from "@colophon/contract";
import { type Selectable, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { isLive } from "../accounts/grants.ts";
import type { SlotTable } from "../tables/slot-tables.ts";

export type SlotKind = SlotTable["kind"];
export type Slot = Selectable<SlotTable>;

/** A slot as a caller names it: whose, of which kind, and the id as sent. */
export interface SlotRef {
  readonly accountId: string;
  readonly kind: SlotKind;
  readonly slotId: string;
}

/** How long a slot lives: seconds since its last command, and seconds since it was opened. */
export interface SlotLifetime {
  readonly idleSeconds: number;
  readonly maxSeconds: number;
}

const SLOT_ID = /^[A-Za-z0-9_-]{24}$/;

/** Opens a slot. */
export function insertSlot(
  write: Write,
  { accountId, kind }: Omit<SlotRef, "slotId">,
  { idleSeconds, maxSeconds }: SlotLifetime,
): Promise<Slot> {
  const shortest = Math.min(idleSeconds, maxSeconds);
  return write
    .insertInto("slot")
    .values({
      slotId: randomBytes(18).toString("base64url"),
      accountId,
      kind,
      openedAt: sql<Date>`statement_timestamp()`,
      expiresAt: sql<Date>`statement_timestamp() + make_interval(secs => ${shortest})`,
      ceilingAt: sql<Date>`statement_timestamp() + make_interval(secs => ${maxSeconds})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A slot that is there for its account. @throws Refusal slotNotFound, the same for every reason it is not */
export async function readSlot(read: Read, { accountId, kind, slotId }: SlotRef): Promise<Slot> {
  if (!SLOT_ID.test(slotId)) throw refuse("slotNotFound");
  const slot = await read
    .selectFrom("slot")
    .selectAll()
    .where("slotId", "=", slotId)
    .where("accountId", "=", accountId)
    .where("kind", "=", kind)
    .where(isLive)
    .executeTakeFirst();
  if (!slot) throw refuse("slotNotFound");
  return slot;
}

/** Pushes the idle window forward, never past the ceiling. @returns when it ends now @throws Refusal slotNotFound */
export async function pushIdleWindow(write: Write, slotId: string, idleSeconds: number): Promise<Date> {
  const { expiresAt } = await write
    .updateTable("slot")
    .set({ expiresAt: idleWindowEnd(idleSeconds) })
    .where("slotId", "=", slotId)
    .returning("expiresAt")
    .executeTakeFirstOrThrow(() => refuse("slotNotFound"));
  return expiresAt;
}

/** Pulls the idle window back to where it ended before it was pushed, unless somebody else has pushed it since. */
export async function pullIdleWindow(
  write: Write,
  slotId: string,
  { before, pushedTo }: { readonly before: Date; readonly pushedTo: Date },
): Promise<void> {
  await write
    .updateTable("slot")
    .set({ expiresAt: before })
    .where("slotId", "=", slotId)
    .where(sql<boolean>`date_trunc('milliseconds', expires_at) = ${pushedTo}`)
    .execute();
}

/** Changes how many units the slot's held entries reserve. The account must be locked. */
export async function changeHeld(write: Write, slotId: string, by: number): Promise<void> {
  if (by === 0) return;
  await write
    .updateTable("slot")
    .set((row) => ({ held: row("held", "+", by) }))
    .where("slotId", "=", slotId)
    .execute();
}

/** Ends a slot's commit: it is committed, reserves nothing, and stays readable for another idle window. */
export async function closeSlot(write: Write, slotId: string, idleSeconds: number): Promise<void> {
  await write
    .updateTable("slot")
    .set({ status: "committed", committingOwner: null, expiresAt: idleWindowEnd(idleSeconds) })
    .where("slotId", "=", slotId)
    .execute();
}

/** Slots that have ceased to exist: abandoned, or past their time with nobody committing them. */
export function endedSlots(read: Read): Promise<readonly Slot[]> {
  return read.selectFrom("slot").selectAll().where(sql<boolean>`not ${isLive}`).orderBy("slotId").execute();
}

/** Ends an open slot of a locked account: from now on it is not there, and reserves nothing. */
export async function endSlot(write: Write, slotId: string): Promise<void> {
  await write.updateTable("slot").set({ purging: true }).where("slotId", "=", slotId).execute();
}

/** `endSlot` for a slot past its time. False when a commit has claimed it, or a command revived it, meanwhile. */
export async function endExpiredSlot(write: Write, slotId: string): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable("slot")
    .set({ purging: true })
    .where("slotId", "=", slotId)
    .where(sql<boolean>`not ${isLive}`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Removes the row of a slot that has ended. */
export async function deleteSlot(write: Write, slotId: string): Promise<void> {
  await write.deleteFrom("slot").where("slotId", "=", slotId).where("purging", "=", true).execute();
}

/** Slots that one statement removes. */
const REMOVED_AT_ONCE = 1_000;

/**
 * Removes slots that ended with nothing in them, no matter whose: no unit, no file and no row of a ledger hangs on one.
 * @returns how many
 */
export async function deleteEmptyEndedSlots(write: Write): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from slot where slot_id in (
      select slot_id from slot
      where not ${isLive} and not exists (select from slot_entry where slot_entry.slot_id = slot.slot_id)
      order by slot_id limit ${REMOVED_AT_ONCE} for update skip locked)`.execute(write);
  return Number(numAffectedRows);
}

function idleWindowEnd(idleSeconds: number): ReturnType<typeof sql<Date>> {
  return sql<Date>`least(ceiling_at, clock_timestamp() + make_interval(secs => ${idleSeconds}))`;
}
