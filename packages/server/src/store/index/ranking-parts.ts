import { sql } from "kysely";
import { type Database, type Write, writing } from "../database.ts";
import { unpackWords } from "./packed-words.ts";

/** Originals looked at in one transaction, one after the other as they were registered. */
const STRETCH = 200;
/** Transactions of one call: some two seconds' work. */
const STRETCHES = 20;

/** What an original without a ranking part has instead. */
export interface Unranked {
  readonly imageNo: number;
  /** Sealed. */
  readonly packet: Buffer;
  readonly words: Int32Array;
}

/** Makes the sealed ranking part of an original; null when its packet cannot be read. */
export type MakePart = (original: Unranked, write: Write) => Promise<Buffer | null>;

/**
 * Gives originals their ranking part that were registered by a version without: a stretch of originals in each
 * transaction. Processes that fill at once take turns; interrupted, the next call begins the stretch again. An original
 * that is taken down meanwhile waits for the transaction.
 * @returns parts made
 */
export async function fillRankingParts(database: Database, make: MakePart): Promise<number> {
  let made = 0;
  for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
    const parts = await fillStretch(database, make);
    if (parts === null) break;
    made += parts;
  }
  return made;
}

/** Parts made in the next stretch; null when there is none. */
function fillStretch(database: Database, make: MakePart): Promise<number | null> {
  return writing(database, async (write) => {
    const search = await sql<{ next: number; newest: number }>`select next_image_no as next,
      (select coalesce(max(image_no), 0) from original) as newest
      from ranking_part_search for update skip locked`.execute(write);
    const [at] = search.rows;
    if (at === undefined || at.next > at.newest) return null;
    const end = Math.min(at.next + STRETCH, at.newest + 1);
    const { rows } = await sql<
      Omit<Unranked, "words"> & { readonly words: Buffer }
    >`select image_no, packet, words from feature
      where image_no >= ${at.next} and image_no < ${end}
        and not exists (select from ranking_part where ranking_part.image_no = feature.image_no)
      for key share of feature`.execute(write);
    const parts: { imageNo: number; part: Buffer }[] = [];
    for (const original of rows) {
      const part = await make({ ...original, words: unpackWords(original.words) }, write);
      if (part !== null) parts.push({ imageNo: original.imageNo, part });
    }
    if (parts.length > 0) {
      await write
        .insertInto("rankingPart")
        .values(parts)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await sql`update ranking_part_search set next_image_no = ${end}`.execute(write);
    return parts.length;
  });
}
