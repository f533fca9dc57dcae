import { pipeline } from "node:stream/promises";
import { Client, escapeIdentifier, type PoolClient } from "pg";
import { from, to } from "pg-copy-streams";
import { connectionFailure } from "../connection-failure.ts";
import type { Database } from "../database.ts";
import type { ForeignAddress, IndexPart } from "./index-parts.ts";

/** Lists copied in one transaction: some 10 to 40 MB. */
const SLICE = 50_000;
const CONNECT_MS = 10_000;
const OLDEST_VERSION = 150_000;
/** What of an address says how the connection is secured. */
const SECURITY = ["sslmode", "sslrootcert"] as const;

/**
 * Another PostgreSQL that takes a part of the index: its postings of a range of originals, in a schema of their own.
 */
export class PartServer implements AsyncDisposable {
  /** How the database of the service reaches it. */
  readonly foreign: ForeignAddress;
  readonly #client: Client;

  private constructor(client: Client, foreign: ForeignAddress) {
    this.#client = client;
    this.foreign = foreign;
  }

  /**
   * Connects to a server.
   * @param url `postgresql://user@host:port/database`; the password comes from PGPASSWORD or the password file, as
   * PostgreSQL's own programs have it
   * @throws Error with one line that names the server
   */
  static async connect(url: string): Promise<PartServer> {
    const parsed = URL.parse(url);
    if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
      throw new Error("A server is named as postgresql://user@host:port/database.");
    }
    if (parsed.password !== "") {
      throw new Error("A password on the command line is seen by others: use PGPASSWORD or ~/.pgpass.");
    }
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: "colophon index",
    });
    client.on("error", () => {
      // The statement under way, or the next one, fails.
    });
    const address = `${client.host}:${client.port}/${client.database ?? ""}`;
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string }>(
        "select current_setting('server_version_num') as version",
      );
      if (Number(rows[0]?.version) < OLDEST_VERSION) throw new Error("PostgreSQL 15 or newer is needed.");
    } catch (error) {
      await client.end();
      throw new Error(`${address}: ${connectionFailure(error)}`, { cause: error });
    }
    const server: Record<string, string> = {
      host: client.host,
      port: String(client.port),
      dbname: client.database ?? "",
    };
    for (const option of SECURITY) {
      const value = parsed.searchParams.get(option);
      if (value !== null) server[option] = value;
    }
    const password = typeof client.password === "string" ? { password: client.password } : {};
    return new PartServer(client, { address, server, user: { user: client.user ?? "", ...password } });
  }

  /** Copies a part's lists from the database, from where an earlier copy ended, and makes them ready to be counted. */
  async copy(database: Database, part: IndexPart, signal: AbortSignal): Promise<void> {
    await this.#prepare(part);
    const near = await database.pool.connect();
    try {
      while (await this.#copySlice(near, part)) signal.throwIfAborted();
      near.release();
    } catch (error) {
      near.release(true);
      throw error;
    }
    const schema = escapeIdentifier(part.name);
    await this.#client.query(
      `create index if not exists posting_list_by_word on ${schema}.posting_list (word)`,
    );
    await this.#client.query(`vacuum analyze ${schema}.posting_list`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }

  /**
   * The part's schema, as it is or new: its lists, how far they are copied, and what the database of the service sees
   * of them.
   */
  async #prepare({ name, beginsAt }: IndexPart): Promise<void> {
    const schema = escapeIdentifier(name);
    // Statements sent as one are one transaction.
    await this.#client.query(`
      create schema if not exists ${schema};
      set local search_path to ${schema};
      create table if not exists posting_list (word int not null, image_nos int[] not null);
      create table if not exists copied (one boolean primary key default true check (one), last_word bigint not null);
      insert into copied (last_word) values (-2147483649) on conflict do nothing;
      create or replace view own_posting as
        select word, image_no from posting_list cross join lateral unnest(image_nos) as listed (image_no);
      create or replace view own_list as
        select word, ${beginsAt} as begins_at, pg_column_size(image_nos) as bytes from posting_list;
      create or replace function remove_posting() returns trigger language plpgsql set search_path from current as $$
      begin
        update posting_list set image_nos = array_remove(image_nos, old.image_no)
          where word = old.word and old.image_no = any(image_nos);
        return old;
      end
      $$;
      create or replace trigger remove_posting instead of delete on own_posting
        for each row execute function remove_posting()`);
  }

  /** Copies the next lists, and how far that is, in one transaction. @returns whether there were any */
  async #copySlice(near: PoolClient, { name, beginsAt, endsAt }: IndexPart): Promise<boolean> {
    const schema = escapeIdentifier(name);
    await this.#client.query("begin");
    const copied = await this.#client.query<{ last_word: string }>(
      `select last_word from ${schema}.copied for update`,
    );
    const after = Number(copied.rows[0]?.last_word);
    const slice = await near.query<{ last: number | null }>(
      `select max(word) as last from (
        select word from posting_list where word > $1::bigint order by word limit ${SLICE}) slice`,
      [after],
    );
    const last = slice.rows[0]?.last ?? null;
    if (last !== null) {
      const lists = `select word, image_nos from (
          select word, array(
            select image_no from listed_numbers(posting_list.begins_at, posting_list.numbers) as image_no
            where image_no >= ${beginsAt} and image_no < ${endsAt}
          ) as image_nos from posting_list where word > ${after}::bigint and word <= ${last} order by word
        ) slice where image_nos <> '{}'`;
      await pipeline(
        near.query(to(`copy (${lists}) to stdout (format binary)`)),
        this.#client.query(from(`copy ${schema}.posting_list from stdin (format binary)`)),
      );
      await this.#client.query(`update ${schema}.copied set last_word = $1`, [last]);
    }
    await this.#client.query("commit");
    return last !== null;
  }
}
