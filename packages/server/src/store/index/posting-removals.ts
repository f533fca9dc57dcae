import { sql } from "kysely";
import { type Database, type Read, type Write, writing } from "../database.ts";
import { type IndexPart, indexParts } from "./index-parts.ts";

/** Originals whose postings are removed in one transaction. */
const AT_ONCE = 100;

/**
 * Removes postings of originals that were taken down from the other servers that count them, each in transactions of
 * its own: one that is away keeps none of the others waiting. A removal that was interrupted is made again, which
 * changes nothing.
 * @returns originals whose postings are gone
 * @throws what the first server that failed said, once all were tried
 */
export async function removeElsewhere(database: Database): Promise<number> {
  const counted = (await indexParts(database)).filter(({ countedAt }) => countedAt !== null);
  const removed = await Promise.allSettled(
    counted.map((part) => writing(database, (write) => removeFrom(write, part))),
  );
  const failed = removed.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return removed.reduce((sum, result) => sum + (result.status === "fulfilled" ? result.value : 0), 0);
}

async function removeFrom(write: Write, { beginsAt, endsAt }: IndexPart): Promise<number> {
  const { rows } = await sql<{ imageNo: number; words: number[] }>`
    delete from posting_removal where image_no in (
      select image_no from posting_removal where image_no >= ${beginsAt} and image_no < ${endsAt}
      order by image_no limit ${AT_ONCE} for update skip locked
    ) returning image_no, words`.execute(write);
  for (const { imageNo, words } of rows) {
    await sql`delete from remote_posting where image_no = ${imageNo} and word = any(${words}::int[])`.execute(
      write,
    );
  }
  return rows.length;
}

/** Originals taken down whose postings in a part have yet to be removed. */
export async function removalsLeft(read: Read, { beginsAt, endsAt }: IndexPart): Promise<number> {
  const { rows } = await sql<{ left: number }>`select count(*) as left from posting_removal
    where image_no >= ${beginsAt} and image_no < ${endsAt}`.execute(read);
  return rows[0]?.left ?? 0;
}
