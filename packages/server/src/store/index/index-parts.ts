import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { escapeIdentifier, escapeLiteral } from "pg";
import { errorCode } from "../../error-code.ts";
import { firstLineOf } from "../../error-message.ts";
import { type Database, type Read, type Write, writing } from "../database.ts";
import { listsOf } from "./packed-lists.ts";

/** A range of originals whose postings in lists are on another server. */
export interface IndexPart {
  /** Of its schema there, and of the foreign server here. */
  readonly name: string;
  readonly beginsAt: number;
  readonly endsAt: number;
  /** Where it is, for people. */
  readonly address: string;
  /** Since when look-ups have it count its postings; null while they are copied. */
  readonly countedAt: Date | null;
}

/** How this database reaches another server: options of `postgres_fdw`. */
export interface ForeignAddress {
  readonly address: string;
  readonly server: Readonly<Record<string, string>>;
  readonly user: Readonly<Record<string, string>>;
}

/** What every connection to another server has: votes run at once, and one that is gone is noticed. */
const CONNECTION = {
  async_capable: "true",
  fetch_size: "10000",
  connect_timeout: "5",
  keepalives_idle: "20",
  keepalives_interval: "10",
  keepalives_count: "3",
  tcp_user_timeout: "20000",
} as const;
const INSUFFICIENT_PRIVILEGE = "42501";

/** All parts on other servers, oldest originals first. */
export function indexParts(read: Read): Promise<readonly IndexPart[]> {
  return read.selectFrom("indexPart").selectAll().orderBy("beginsAt").execute();
}

/** Those whose postings are being copied. */
export async function partsUnderWay(read: Read): Promise<readonly IndexPart[]> {
  return (await indexParts(read)).filter(({ countedAt }) => countedAt === null);
}

/**
 * Divides the originals whose lists are on this server among others, in equal ranges. From now on lists stay as they
 * are until they are copied and counted there, and take-downs of these originals are noted for the other servers.
 * @throws Error with one clear line when there is nothing to move, a round is under way or this role may not do it
 */
export function beginParts(
  database: Database,
  addresses: readonly ForeignAddress[],
): Promise<readonly IndexPart[]> {
  return writing(database, async (write) => {
    const { rows } = await sql<{ end: number; isGathering: boolean; begin: number }>`
      select begins_at as end, ends_at is not null as is_gathering,
        (select coalesce(max(ends_at), 0) from index_part) as begin
      from posting_round for update`.execute(write);
    const { begin, end, isGathering } = rows[0] ?? { begin: 0, end: 0, isGathering: false };
    if (isGathering) {
      throw new Error("Postings are being gathered in lists just now: run it again in a minute.");
    }
    if (end - begin < addresses.length) {
      throw new Error(
        "No postings are in lists on this server: they are gathered some 16,384 originals at a time.",
      );
    }
    // Waits for take-downs under way, which would not be noted.
    await sql`lock table feature in share row exclusive mode`.execute(write);
    for (const [n, address] of addresses.entries()) {
      const at = (share: number): number => begin + Math.round(((end - begin) * share) / addresses.length);
      const name = `colophon_${randomBytes(6).toString("hex")}`;
      await write
        .insertInto("indexPart")
        .values({ name, beginsAt: at(n), endsAt: at(n + 1), address: address.address, countedAt: null })
        .execute();
      await makeServer(write, name, address);
      await assertReached(write, name, address.address);
    }
    return partsUnderWay(write);
  });
}

async function makeServer(write: Write, name: string, { server, user }: ForeignAddress): Promise<void> {
  try {
    await run(write, "create extension if not exists postgres_fdw");
    await run(
      write,
      `create server ${escapeIdentifier(name)} foreign data wrapper postgres_fdw ${optionList({ ...server, ...CONNECTION })}`,
    );
    await run(
      write,
      `create user mapping for current_user server ${escapeIdentifier(name)} ${optionList(user)}`,
    );
  } catch (error) {
    if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      "The database's superuser has to allow it first: create extension postgres_fdw; " +
        "grant usage on foreign data wrapper postgres_fdw to the role of COLOPHON_DATABASE_URL.",
      { cause: error },
    );
  }
}

/**
 * Asks a server by way of this database. Its programs connect otherwise than this process: as another user of the
 * machine, maybe on another one.
 * @throws Error with one clear line where that does not get there
 */
async function assertReached(write: Write, name: string, address: string): Promise<void> {
  const asked = escapeIdentifier(`${name}_asked`);
  const options = optionList({ schema_name: "pg_catalog", table_name: "pg_class" });
  await run(write, `create foreign table ${asked} () server ${escapeIdentifier(name)} ${options}`);
  try {
    await run(write, `select from ${asked} limit 1`);
  } catch (error) {
    throw new Error(`The deployment's own server does not get to ${address}: ${firstLineOf(error)}`, {
      cause: error,
    });
  }
  await run(write, `drop foreign table ${asked}`);
}

/**
 * From the moment when this commits, the other servers count what was copied to them and this one has it no more.
 * Look-ups wait for that moment, which is short. Postings of an earlier part's originals, late in coming, stay here.
 */
export function countParts(database: Database): Promise<void> {
  return writing(database, async (write) => {
    await sql`select from posting_round for update`.execute(write);
    const parts = await partsUnderWay(write);
    const [first] = parts;
    if (first === undefined) return;
    await sql`create temporary table late_word on commit drop as
      select word from posting_list where begins_at < ${first.beginsAt}`.execute(write);
    await sql`lock table posting_list in access exclusive mode`.execute(write);
    await sql`create temporary table late_posting on commit drop as select word, image_no
      from posting_list cross join lateral listed_numbers(begins_at, numbers) as image_no
      where word in (select word from late_word) and image_no < ${first.beginsAt}`.execute(write);
    await sql`truncate posting_list`.execute(write);
    await sql`insert into posting_list ${sql.raw(listsOf("late_posting"))}`.execute(write);
    for (const part of parts) await attach(write, part);
    await write
      .updateTable("indexPart")
      .set({ countedAt: new Date() })
      .where("countedAt", "is", null)
      .execute();
  });
}

/** The part's tables on the other server, as partitions here. */
async function attach(write: Write, { name, beginsAt, endsAt }: IndexPart): Promise<void> {
  for (const [parent, there] of [
    ["remote_posting", "own_posting"],
    ["remote_list", "own_list"],
  ] as const) {
    await run(
      write,
      `create foreign table ${escapeIdentifier(`${parent}_${name}`)} partition of ${parent}
        for values from (${beginsAt}) to (${endsAt})
        server ${escapeIdentifier(name)} ${optionList({ schema_name: name, table_name: there })}`,
    );
  }
}

/**
 * Takes the postings of all parts back as rows of this server, from the words that it keeps of every original. Asks no
 * other server.
 * @returns the parts that are no more
 */
export async function joinParts(write: Write): Promise<readonly IndexPart[]> {
  await sql`select from posting_round for update`.execute(write);
  const parts = await indexParts(write);
  for (const { name, beginsAt, endsAt, countedAt } of parts) {
    if (countedAt !== null) {
      await sql`insert into recent_posting (word, image_no)
        select word, image_no from feature cross join lateral filed_words(words) as word
        where image_no >= ${beginsAt} and image_no < ${endsAt}
        except all select word, image_no from own_posting where image_no >= ${beginsAt} and image_no < ${endsAt}
        order by word, image_no`.execute(write);
    }
    await run(write, `drop server if exists ${escapeIdentifier(name)} cascade`);
  }
  await sql`delete from posting_removal`.execute(write);
  await write.deleteFrom("indexPart").execute();
  return parts;
}

/** Whether a part's server answers; the reason in one line when it does not. */
export async function whyAway(read: Read, { name }: IndexPart): Promise<string | null> {
  try {
    await run(read, `select from ${escapeIdentifier(`remote_list_${name}`)} limit 1`);
    return null;
  } catch (error) {
    return firstLineOf(error);
  }
}

/** What this server has of the index itself. */
export interface OwnPostings {
  /** The highest number given to an original. */
  readonly newest: number;
  /** Originals below this number have their postings in lists. */
  readonly listedBelow: number;
  /** End of the round of gathering that is under way; null where there is none. */
  readonly gatheringTo: number | null;
  readonly rowBytes: number;
  readonly listBytes: number;
}

/** What this server has of the index itself; bytes with their indexes. */
export async function ownPostings(read: Read): Promise<OwnPostings> {
  const { rows } = await sql<OwnPostings>`select begins_at as listed_below, ends_at as gathering_to,
    (select coalesce(max(image_no), 0) from original) as newest,
    pg_total_relation_size('recent_posting') as row_bytes, pg_total_relation_size('posting_list') as list_bytes
    from posting_round`.execute(read);
  const [own] = rows;
  if (own === undefined) throw new Error("The database has no posting_round.");
  return own;
}

function optionList(options: Readonly<Record<string, string>>): string {
  return `options (${Object.entries(options)
    .map(([option, value]) => `${escapeIdentifier(option)} ${escapeLiteral(value)}`)
    .join(", ")})`;
}

async function run(read: Read, statement: string): Promise<void> {
  await sql.raw(statement).execute(read);
}
