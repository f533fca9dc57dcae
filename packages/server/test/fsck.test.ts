import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorClient } from "@colophon/client";
import { blake3Hex } from "@colophon/formats";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { pages } from "../src/fsck/pages.ts";
import { runFsck } from "../src/fsck/run-fsck.ts";
import { startEmbeddedPostgres } from "../src/store/embedded/embedded-postgres.ts";
import { LogReader } from "./support/log-reader.ts";
import { openedSequence, sequenceClient, wholeChain } from "./support/sequence-service.ts";
import { picture } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "./support/slot-service.ts";

const MANIFEST = jsonManifest("note", '{"a": 1}');

let service: SlotService;
let postgres: AsyncDisposable;

/** A deployment with something of everything, whose service is stopped: nothing mends what is damaged. */
beforeAll(async () => {
  service = await SlotService.start();
  const frames = await sequenceClient(service);
  const client = new SlotClient(service.baseUrl(), frames.token);
  const { body: registered } = await client.register(await picture(1), [MANIFEST]);
  const opened = await openedSequence(frames);
  await frames.admit(opened, await wholeChain(opened, [2, 3]));
  await frames.commit(opened);
  const { slotId } = (await client.openSlot()).body;
  await client.upload(slotId, [{ bytes: await picture(4), manifests: [MANIFEST] }]);
  const lookups = (await client.openLookupSlot()).body.lookupSlotId;
  await client.uploadQueries(lookups, [{ bytes: await picture(5) }]);
  const operator = new OperatorClient({ baseUrl: service.baseUrl(), token: service.adminToken });
  await operator.setOriginalAside(registered.originalImageHash, "a form");
  await operator.suspendAccount((await service.account()).accountId, "unpaid");
  // The last entry of the log has its place, and a checkpoint.
  await new LogReader(service.baseUrl(), client.token).proven(blake3Hex(await picture(3)));
  await service.stop();
  postgres = await startEmbeddedPostgres({ dataDir: service.dataDir, log: pino({ level: "silent" }) });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

/** Carries statements out, which no trigger or reference keeps from it. */
async function unchecked(...statements: readonly ReturnType<typeof sql>[]): Promise<void> {
  await service.database.transaction().execute(async (write) => {
    await sql`set local session_replication_role = replica`.execute(write);
    for (const one of statements) await one.execute(write);
  });
}

it("reads a table to its end, however many pages it takes", async () => {
  const rows = [2, 3, 5, 7, 11].map((id) => ({ id }));
  const read = [];
  for await (const page of pages("id", 0, async (after) => rows.filter(({ id }) => id > after).slice(0, 2))) {
    read.push(page);
  }
  expect(read).toEqual([[{ id: 2 }, { id: 3 }], [{ id: 5 }, { id: 7 }], [{ id: 11 }]]);
});

/** What `fsck` prints of rows as a statement leaves them. They are put back. */
async function damaged(table: string, statement: string): Promise<string> {
  const name = sql.table(table);
  await unchecked(sql`create table kept as select * from ${name}`, sql.raw(statement));
  try {
    return (await fsck()).lines;
  } finally {
    await unchecked(
      sql`delete from ${name}`,
      sql`insert into ${name} overriding system value select * from kept`,
      sql`drop table kept`,
    );
  }
}

async function fsck(
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly lines: string }> {
  let lines = "";
  const out = { write: (text: string) => (lines += text) };
  // As the operator's own, so that not every check waits to see who else uses it.
  const database = { COLOPHON_DATABASE_URL: service.databaseUrl };
  const code = await runFsck(
    { COLOPHON_DATA_DIR: service.dataDir, ...database, ...environment },
    { atRest: false, packets: true, signatures: true },
    out,
  );
  return { code, lines };
}

const SOUND = { code: 0, lines: "All is consistent.\n" };

it("finds nothing where nothing is damaged", async () => {
  for (const table of [
    "sequence_record",
    "slot_manifest",
    "pooled_query",
    "operation_row",
    "log_checkpoint",
  ]) {
    const { rows } = await sql`select from ${sql.table(table)}`.execute(service.database);
    expect([table, rows.length]).not.toEqual([table, 0]);
  }
  expect(await fsck()).toEqual(SOUND);
});

describe("damage in the database is named", () => {
  it.each([
    ["ledger_head", "delete from ledger_head where ledger = 'custody'", "the custody ledger is an unbroken"],
    ["ledger_head", "delete from ledger_head where ledger = 'operation'", "the operation ledger is an unbr"],
    ["usage_row", "delete from usage_row where seq = 1", "the usage ledger is an unbroken chain"],
    ["account", "update account set suspended_at = now()", "an account is suspended exactly if"],
    ["account", "update account set suspended_at = null", "an account is suspended exactly if"],
    ["original", "update original set set_aside_at = now()", "a live original is set aside exactly if"],
    ["original", "update original set set_aside_at = null", "a live original is set aside exactly if"],
    [
      "sequence",
      "update sequence set sequence_hash = sha256('')",
      "the hash of a committed sequence is that",
    ],
    ["sequence", "update sequence set sequence_hash = null", "the hash of a committed sequence is that"],
    [
      "sequence",
      "update sequence set frame_bytes = 0",
      "what a sequence counts of the disk is what its frames",
    ],
    ["sequence_record", "delete from sequence_record", "a committed sequence has the record of its hash"],
    [
      "sequence_record",
      "insert into sequence_record select sha256(''), sequence_id from sequence",
      "a record the sequence that it was made for",
    ],
    [
      "frame",
      "update frame set prev = null where type = 'BODY'",
      "the chain of a committed sequence is whole",
    ],
    [
      "frame",
      "update frame set original_image_hash = sha256('') where type = 'BODY'",
      "the hash of a committed sequence is that of its frames",
    ],
    ["slot_manifest", "delete from slot_manifest", "the manifests of a held entry hash to what"],
    [
      "slot_manifest",
      "update slot_manifest set stored = '{\"a\": 2}'",
      "the manifests of a held entry hash to what",
    ],
    [
      "slot_entry",
      "update slot_entry set manifests_hash = null",
      "the manifests of a held entry hash to what",
    ],
    ["log_checkpoint", "delete from log_checkpoint", "a checkpoint is signed by the log, and of its tree"],
    ["log_checkpoint", "update log_checkpoint set note = 'junk'", "(checkpoint 3: not a signed note)"],
    [
      "log_checkpoint",
      "update log_checkpoint set note = replace(note, '/log', '/lag')",
      "a checkpoint is signed by the log, and of its tree",
    ],
    [
      "log_checkpoint",
      "update log_checkpoint set size = size + 100",
      "(checkpoint 103: it states 3 entries)",
    ],
    ["log_tile", "delete from log_tile", "(checkpoint 3: its root is another one)"],
    [
      "sealed_key",
      "update sealed_key set sealed = '\\x00' where name = 'sequence ticket'",
      "(sequence ticket: its seal does not open)",
    ],
    [
      "sealed_key",
      "update sealed_key set sealed = '\\x00' where name = 'packet encryption'",
      "(packet encryption: its seal does not open)",
    ],
    ["sealed_key", "delete from sealed_key", "(packet residual: it is missing)"],
    [
      "trust_chain",
      "update trust_chain set sealed_root_key = '\\x00'",
      "(trust chain 1, root: its seal does not open)",
    ],
    [
      "trust_chain",
      "update trust_chain set sealed_intermediate_key = ''",
      "(trust chain 1, intermediate: its seal does not open)",
    ],
    [
      "trust_chain",
      "update trust_chain set root_certificate = intermediate_certificate",
      "(trust chain 1: its certificates are damaged)",
    ],
    [
      "ranking_part",
      "update ranking_part set part = set_byte(part, 30, 1 - least(get_byte(part, 30), 1))",
      "(ranking part of original 1: its seal does not open)",
    ],
    [
      "pooled_query",
      "update pooled_query set image_hash = sha256('')",
      "the file of a held query is what was uploaded",
    ],
  ])("%s: %s", async (table, statement, rule) => {
    expect(await damaged(table, statement)).toContain(rule);
  });

  it("and no longer once it is put back", async () => {
    expect(await fsck()).toEqual(SOUND);
  });
});

describe("damage in the data directory is named", () => {
  it.each([
    ["cut short", (path: string) => truncate(path, 100), "the file of a held query is what was uploaded"],
    ["emptied", (path: string) => truncate(path, 0), "the file of a held query is what was uploaded"],
    [
      "overwritten",
      (path: string) => writeFile(path, Buffer.alloc(3000)),
      "the file of a held query is what was uploaded",
    ],
    ["deleted", (path: string) => rm(path), "a held query has its file"],
  ])("a query image that was %s", async (_, damage, rule) => {
    const [name = ""] = await service.pooledFiles();
    const path = join(service.dataDir, "queries", name);
    const whole = await readFile(path);
    await damage(path);
    expect((await fsck()).lines).toBe(`broken: ${rule} (${name})\n1 breaches.\n`);
    await writeFile(path, whole);
    expect(await fsck()).toEqual(SOUND);
  });

  it("a key-encryption key that is missing, or another one", async () => {
    const path = join(service.dataDir, "key-encryption-key");
    const key = await readFile(path);
    await rm(path);
    expect((await fsck()).lines).toContain(
      `(There is no ${path}, and COLOPHON_KEY_ENCRYPTION_KEY is not set.)`,
    );
    const another = Buffer.alloc(32).toString("base64");
    const file = join(service.dataDir, "another-key");
    await writeFile(file, another);
    for (const [setting, value] of [
      ["COLOPHON_KEY_ENCRYPTION_KEY", another],
      ["COLOPHON_KEY_ENCRYPTION_KEY_FILE", file],
    ] as const) {
      expect(await fsck({ [setting]: value })).toEqual({
        code: 1,
        lines: `The data could not be checked: ${setting} does not open the keys of this database.\n`,
      });
    }
    await rm(file);
    expect(await readdir(service.dataDir)).not.toContain("key-encryption-key");
    await writeFile(path, key);
    expect(await fsck()).toEqual(SOUND);
  });
});
