import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { encodePacket, PACKET_VERSION } from "../../packages/engine/src/registration-packet.ts";
import { PacketSeal } from "../../packages/server/src/engine/packet-seal.ts";
import { openServiceKeys } from "../../packages/server/src/keys/service-keys.ts";
import { Vault } from "../../packages/server/src/keys/vault.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import type { EmbeddedConnection } from "../../packages/server/src/store/embedded-postgres.ts";
import { ensurePartition } from "../../packages/server/src/store/match-index.ts";
import { migrate } from "../../packages/server/src/store/migrate.ts";
import { CopyRows } from "./copy-rows.ts";
import type { OriginalSource } from "./population.ts";

const SETTINGS = "set session_replication_role = replica; set maintenance_work_mem = '1GB'";
const HASHES = 32;

/** Where to fill an index, and with what. */
export interface Filling {
  /** An empty database of its own. */
  readonly address: EmbeddedConnection;
  readonly keyEncryptionKey: Buffer;
  readonly source: OriginalSource;
  /** Image numbers run from 1. */
  readonly originals: number;
  readonly progress: (done: number) => void;
}

/**
 * Makes a deployment's database that holds this many generated originals: schema and keys by the product's own code, packets sealed under
 * those keys, rows by COPY into tables emptied in the same transaction, indexes afterwards. There are no records and no ledgers.
 */
export async function fillIndex(filling: Filling): Promise<void> {
  const database = openDatabase(filling.address, 2, () => {});
  const [rows, postings] = [new Client(filling.address), new Client(filling.address)];
  await using closing = new AsyncDisposableStack();
  closing.defer(() => database.destroy());
  for (const client of [rows, postings]) {
    await client.connect();
    closing.defer(() => client.end());
    await client.query(SETTINGS);
  }
  await migrate(database);
  const { packets } = await openServiceKeys(database, new Vault(filling.keyEncryptionKey), "scale.test");
  await copyOriginals(rows, filling.originals);
  await ensurePartition(database);
  const index = await dropPostingIndex(rows);
  await copyIndex({ ...filling, seal: new PacketSeal(packets) }, rows, postings);
  await rows.query(index);
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

/** Drops the index of the postings and gives the statement that makes it again. */
async function dropPostingIndex(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'posting'::regclass`,
  );
  const [index] = rows;
  if (index === undefined || rows.length > 1) throw new Error("The postings have one index.");
  await client.query(`drop index ${index.name}`);
  return index.definition.replace(" ONLY ", " ");
}

/** Packets and postings, partition by partition. */
async function copyIndex(
  { source, originals, seal, progress }: Filling & { readonly seal: PacketSeal },
  rows: Client,
  postings: Client,
): Promise<void> {
  const partitions = await partitionsOf(postings);
  await rows.query("begin");
  await rows.query("truncate feature");
  // COPY freezes all rows but those of long values; nothing of them needs a vacuum, which would read every packet.
  await rows.query("alter table feature set (toast.autovacuum_enabled = false)");
  const features = new CopyRows(
    rows,
    "copy feature (image_no, packet_version, packet, words) from stdin with (format binary, freeze)",
  );
  for (const { name, from, to } of partitions) {
    await postings.query("begin");
    await postings.query(`truncate ${name}`);
    const copied = new CopyRows(
      postings,
      `copy ${name} (word, image_no) from stdin with (format binary, freeze)`,
    );
    for (let imageNo = Math.max(1, from); imageNo < Math.min(to, originals + 1); imageNo += 1) {
      const { original, words } = source.original(imageNo);
      features.row(4);
      features.int4(imageNo);
      features.int4(PACKET_VERSION);
      features.bytes(seal.seal(encodePacket(original)));
      features.int4s(words);
      // In the order in which a registration writes them.
      for (const word of words.toSorted()) {
        copied.row(2);
        copied.int4(word);
        copied.int4(imageNo);
      }
      await Promise.all([features.drain(), copied.drain()]);
      progress(imageNo);
    }
    await copied.end();
    await postings.query("commit");
  }
  await features.end();
  await rows.query("commit");
}

interface Partition {
  readonly name: string;
  /** Image numbers, the last one exclusive. */
  readonly from: number;
  readonly to: number;
}

async function partitionsOf(client: Client): Promise<readonly Partition[]> {
  const { rows } = await client.query<{ name: string; bounds: string }>(
    `select inhrelid::regclass::text as name, pg_get_expr(relpartbound, inhrelid) as bounds
     from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'posting'::regclass`,
  );
  return rows
    .map(({ name, bounds }) => {
      const [, from, to] = /\((\d+)'?\) TO \('?(\d+)/.exec(bounds.replaceAll("('", "(")) ?? [];
      return { name, from: Number(from), to: Number(to) };
    })
    .toSorted((a, b) => a.from - b.from);
}
