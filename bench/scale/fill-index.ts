import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { encodePacket, PACKET_VERSION } from "@colophon/engine/lab";
import type { PacketSeal } from "../../packages/server/src/keys/packet-seal.ts";
import { openServiceKeys } from "../../packages/server/src/keys/service-keys.ts";
import { Vault } from "../../packages/server/src/keys/vault.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import type { EmbeddedConnection } from "../../packages/server/src/store/embedded/embedded-postgres.ts";
import { migrate } from "../../packages/server/src/store/migrate.ts";
import { listsOf } from "../../packages/server/src/store/index/packed-lists.ts";
import { packWords } from "../../packages/server/src/store/index/packed-words.ts";
import { listsBeginAt, roundsOf } from "../../packages/server/src/store/index/posting-lists.ts";
import { CopyRows } from "./copy-rows.ts";
import type { OriginalSource } from "./population.ts";

const SETTINGS =
  "set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '1GB'; set temp_buffers = '64MB'";
const HASHES = 32;

/** Where to fill an index, and with what. */
export interface Filling {
  /** An empty database of its own. */
  readonly address: EmbeddedConnection;
  readonly keyEncryptionKey: Buffer;
  readonly source: OriginalSource;
  /** Image numbers run from 1. */
  readonly originals: number;
  /** Originals whose postings are gathered in lists together. */
  readonly round: number;
  readonly progress: (done: number) => void;
}

/**
 * Makes a deployment's database that holds this many generated originals: schema and keys by the product's own code,
 * packets sealed under those keys, rows by COPY into tables emptied in the same transaction, indexes afterwards. There
 * are no records and no ledgers.
 */
export async function fillIndex(filling: Filling): Promise<void> {
  const database = openDatabase(filling.address, 2, () => {});
  const [rows, ranking, postings] = [
    new Client(filling.address),
    new Client(filling.address),
    new Client(filling.address),
  ];
  await using closing = new AsyncDisposableStack();
  closing.defer(() => database.destroy());
  for (const client of [rows, ranking, postings]) {
    await client.connect();
    closing.defer(() => client.end());
    await client.query(SETTINGS);
  }
  await migrate(database);
  const { packets } = await openServiceKeys(
    database,
    () => Promise.resolve(new Vault(filling.keyEncryptionKey)),
    { trustDomain: "scale.test", keyPlace: "The key of this run" },
  );
  await copyOriginals(rows, filling.originals);
  const indexes = [await dropIndex(rows, "recent_posting"), await dropIndex(rows, "posting_list")];
  await copyIndex({ ...filling, seal: packets }, rows, ranking, postings);
  for (const index of indexes) await rows.query(index);
  await rows.query("vacuum posting_list");
  await rows.query("analyze");
}

/** Originals and registrations of one account. */
async function copyOriginals(client: Client, originals: number): Promise<void> {
  const { rows } = await client.query<{ account_id: string }>(
    "insert into account (max_request_bytes, max_frames_per_sequence) values (1, 1) returning account_id",
  );
  const accountId = Buffer.from((rows[0]?.account_id ?? "").replaceAll("-", ""), "hex");
  await client.query("begin");
  await client.query("truncate original cascade");
  const copied = new CopyRows(
    client,
    "copy original (image_no, original_image_hash, image_hash, pixel_hash, account_id) from stdin with (format binary, freeze)",
  );
  for (let imageNo = 1; imageNo <= originals; imageNo += 1) {
    copied.row(5);
    copied.int4(imageNo);
    for (let hash = 0; hash < 3; hash += 1) copied.bytes(randomBytes(HASHES));
    copied.bytes(accountId);
    await copied.drain();
  }
  await copied.end();
  const registrations = new CopyRows(
    client,
    "copy registration (registration_id, account_id, image_no) from stdin with (format binary, freeze)",
  );
  for (let imageNo = 1; imageNo <= originals; imageNo += 1) {
    registrations.row(3);
    registrations.bytes(randomBytes(16));
    registrations.bytes(accountId);
    registrations.int4(imageNo);
    await registrations.drain();
  }
  await registrations.end();
  await client.query("select setval(pg_get_serial_sequence('original', 'image_no'), $1)", [originals]);
  await client.query("commit");
}

/** Drops the index of a table and gives the statement that makes it again. */
async function dropIndex(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = $1::regclass`,
    [table],
  );
  const [index] = rows;
  if (index === undefined || rows.length > 1) throw new Error(`The table ${table} has one index.`);
  await client.query(`drop index ${index.name}`);
  return index.definition;
}

/**
 * Packets and postings, round by round; postings are left as rows after the last whole round, as the service leaves
 * them.
 */
async function copyIndex(
  filling: Filling & { readonly seal: PacketSeal },
  rows: Client,
  ranking: Client,
  postings: Client,
): Promise<void> {
  const { originals } = filling;
  await ranking.query("begin; truncate ranking_part");
  await rows.query("begin");
  await rows.query("truncate feature");
  // COPY freezes all rows but those of long values; nothing of them needs a vacuum, which would read every packet.
  await rows.query("alter table feature set (toast.autovacuum_enabled = false)");
  const features = new CopyRows(
    rows,
    "copy feature (image_no, packet_version, packet, words) from stdin with (format binary, freeze)",
  );
  const parts = new CopyRows(
    ranking,
    "copy ranking_part (image_no, part) from stdin with (format binary, freeze)",
  );
  const rounds = roundsOf(originals, filling.round);
  for (const [from, end] of runsOf(rounds * filling.round, filling.round)) {
    await postings.query(
      "begin; create temporary table round_posting (word int, image_no int) on commit drop",
    );
    await copyOriginalsOf(filling, [from, end], {
      features,
      parts,
      client: postings,
      table: "round_posting",
    });
    await postings.query(`insert into posting_list ${listsOf("round_posting")}`);
    await postings.query("commit");
  }
  await postings.query("begin; truncate recent_posting");
  const newest = [rounds * filling.round, originals + 1] as const;
  await copyOriginalsOf(filling, newest, { features, parts, client: postings, table: "recent_posting" });
  await postings.query("commit");
  await postings.query("update posting_round set begins_at = $1", [rounds * filling.round]);
  await features.end();
  await rows.query("commit");
  await parts.end();
  await ranking.query("commit");
}

/**
 * The originals whose lists are one list a word after the round that ends here, as first numbers and ends, oldest
 * first.
 */
function runsOf(end: number, round: number): (readonly [number, number])[] {
  if (end === 0) return [];
  const from = listsBeginAt(end, round);
  return [...runsOf(from, round), [from, end]];
}

/** Packets of some originals, and their postings as rows of a table that is new in the transaction under way. */
async function copyOriginalsOf(
  { source, seal, progress }: Filling & { readonly seal: PacketSeal },
  [from, end]: readonly [number, number],
  {
    features,
    parts,
    client,
    table,
  }: {
    readonly features: CopyRows;
    readonly parts: CopyRows;
    readonly client: Client;
    readonly table: string;
  },
): Promise<void> {
  const copied = new CopyRows(
    client,
    `copy ${table} (word, image_no) from stdin with (format binary, freeze)`,
  );
  for (let imageNo = Math.max(1, from); imageNo < end; imageNo += 1) {
    const { original, words } = source.original(imageNo);
    features.row(4);
    features.int4(imageNo);
    features.int4(PACKET_VERSION);
    const { packet, part } = await seal.forPublication(seal.seal(encodePacket(original)), words);
    features.bytes(packet);
    features.bytes(packWords(words));
    if (part === null) throw new Error("A packet cannot be read.");
    parts.row(2);
    parts.int4(imageNo);
    parts.bytes(part);
    // In the order in which a registration writes them.
    for (const word of words.toSorted()) {
      copied.row(2);
      copied.int4(word);
      copied.int4(imageNo);
    }
    await Promise.all([features.drain(), parts.drain(), copied.drain()]);
    progress(imageNo);
  }
  await copied.end();
}
