import { type RawBuilder, sql } from "kysely";
import type { Read, Write } from "./database.ts";
import { LOCKS } from "./locks.ts";

const FIRST_KEY = "packet encryption";

/** The tables that hold sealed packets, but for those of originals, each with its key. */
const UNPUBLISHED = { slotEntry: "entryId", framePacket: "packetId" } as const;

/** A rotation that has not come to its end. */
export interface PacketKeyRotation {
  readonly keyNumber: number;
  /** The last original that an earlier key sealed. */
  readonly lastImageNo: number;
  /** The last that is sealed under this one. */
  readonly sealedTo: number;
}

/** What is sealed of an original. */
export interface SealedOriginal {
  readonly imageNo: number;
  readonly packet: Buffer;
  readonly part: Buffer | null;
}

/** The name under which a key of packets is sealed. */
export function packetKeyName(keyNumber: number): string {
  return keyNumber === 1 ? FIRST_KEY : `${FIRST_KEY} ${keyNumber}`;
}

function numberOf({ name }: { readonly name: string }): number {
  return Number(name.slice(FIRST_KEY.length)) || 1;
}

/** The sealed keys of packets, in the order in which they came. */
export async function sealedPacketKeys(
  read: Read,
): Promise<readonly { readonly name: string; readonly sealed: Buffer }[]> {
  const rows = await read
    .selectFrom("sealedKey")
    .select(["name", "sealed"])
    .where((where) => where.or([where("name", "=", FIRST_KEY), where("name", "like", `${FIRST_KEY} %`)]))
    .execute();
  return rows.toSorted((a, b) => numberOf(a) - numberOf(b));
}

/** How many keys packets have; none comes before the transaction ends. */
export async function packetKeysInUse(write: Write): Promise<number> {
  const { rows } = await sql<{ keys: number }>`select packet_keys_in_use() as keys`.execute(write);
  return rows[0]?.keys ?? 0;
}

/** Waits until no transaction publishes under the keys of now; none does until this one ends. */
export async function lockPacketKeys(write: Write): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.packetKeys})`.execute(write);
}

/** The rotation under way, its row locked; null when there is none. */
export async function rotationUnderWay(write: Write): Promise<PacketKeyRotation | null> {
  const row = await write
    .selectFrom("packetKeyRotation")
    .select(["keyNumber", "lastImageNo", "sealedTo"])
    .where("endedAt", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Notes that a rotation has begun, of all originals that there are. */
export async function insertRotation(write: Write, keyNumber: number): Promise<void> {
  await sql`insert into packet_key_rotation (key_number, last_image_no)
    select ${keyNumber}::int, coalesce(max(image_no), 0) from feature`.execute(write);
}

/**
 * The next originals of a rotation, in order of their numbers, kept from being taken down until the transaction ends.
 */
export async function nextSealed(
  write: Write,
  { sealedTo, lastImageNo }: PacketKeyRotation,
  limit: number,
): Promise<readonly SealedOriginal[]> {
  const { rows } = await sql<SealedOriginal>`
    select feature.image_no, packet, part from feature left join ranking_part using (image_no)
    where feature.image_no > ${sealedTo} and feature.image_no <= ${lastImageNo}
    order by feature.image_no limit ${limit} for no key update of feature`.execute(write);
  return rows;
}

/** Stores packets that were sealed again. */
export async function replacePackets(write: Write, packets: ReadonlyMap<number, Buffer>): Promise<void> {
  if (packets.size === 0) return;
  await sql`update feature set packet = again.packet from ${pairs(packets)} as again (image_no, packet)
    where feature.image_no = again.image_no`.execute(write);
}

/** Stores ranking parts that were sealed again. */
export async function replaceRankingParts(write: Write, parts: ReadonlyMap<number, Buffer>): Promise<void> {
  if (parts.size === 0) return;
  await sql`update ranking_part set part = again.part from ${pairs(parts)} as again (image_no, part)
    where ranking_part.image_no = again.image_no`.execute(write);
}

/** Notes how far a rotation is. */
export async function advanceRotation(write: Write, keyNumber: number, sealedTo: number): Promise<void> {
  await write.updateTable("packetKeyRotation").set({ sealedTo }).where("keyNumber", "=", keyNumber).execute();
}

/** Notes that a rotation has come to its end. */
export async function endRotation(write: Write, keyNumber: number): Promise<void> {
  await write
    .updateTable("packetKeyRotation")
    .set({ endedAt: sql`now()` })
    .where("keyNumber", "=", keyNumber)
    .execute();
}

/** The next packets of slots or sequences after a key, in its order; those that are being published are passed over. */
export async function nextUnpublished(
  write: Write,
  table: keyof typeof UNPUBLISHED,
  after: number,
  limit: number,
): Promise<readonly { readonly id: number; readonly packet: Buffer }[]> {
  const key = sql.ref(UNPUBLISHED[table]);
  const { rows } = await sql<{ id: number; packet: Buffer }>`
    select ${key} as id, packet from ${sql.table(table)} where ${key} > ${after} and packet is not null
    order by ${key} limit ${limit} for no key update skip locked`.execute(write);
  return rows;
}

/** Stores packets of slots or sequences that were sealed again. */
export async function replaceUnpublished(
  write: Write,
  table: keyof typeof UNPUBLISHED,
  packets: ReadonlyMap<number, Buffer>,
): Promise<void> {
  if (packets.size === 0) return;
  await sql`update ${sql.table(table)} set packet = again.packet from ${pairs(packets)} as again (id, packet)
    where ${sql.ref(UNPUBLISHED[table])} = again.id`.execute(write);
}

function pairs(sealed: ReadonlyMap<number, Buffer>): RawBuilder<unknown> {
  return sql`unnest(${[...sealed.keys()]}::bigint[], ${[...sealed.values()]}::bytea[])`;
}
