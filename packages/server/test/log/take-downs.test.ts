import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEntry, parseLogProof, readBundle } from "@colophon/log";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBackup } from "../../src/backup/run-backup.ts";
import { LOCKS } from "../../src/store/locks.ts";
import { LogService, register } from "../support/log-service.ts";

const FORGOTTEN_MS = 60_000;

let at: LogService;
beforeAll(async () => void (at = await LogService.start()));
afterAll(() => at[Symbol.asyncDispose]());

/** Has the table of nonces written by the next sweep that can, as if it had not been tried. */
async function tryAgain(): Promise<void> {
  await sql`update log_nonce_rewrite set tried_at = '-infinity'`.execute(at.service.database);
}

describe("a take-down", () => {
  it("leaves an entry that ties to nothing", async () => {
    const { client, log } = at;
    const { database } = at.service;
    const { id, hash } = await at.publish(11);
    const image = imageHash(await picture(11));
    const { rows: tied } = await sql<{ nonce: Buffer; commitment: Buffer; position: number }>`
      select nonce, commitment, position from log_nonce join log_entry using (entry_no) join original using (image_no)
      where image_hash = ${Buffer.from(image, "hex")}`.execute(database);
    const { nonce, commitment, position } = tied[0]!;
    expect((await client.takeDown(id)).status).toBe(204);

    const answers = await Promise.all(
      [hash, "0".repeat(64)].map(async (of) => {
        const answer = await log.proof(of);
        const { traceId: _, ...body } = await answer.json();
        return { status: answer.status, body };
      }),
    );
    expect(answers[0]).toMatchObject({ status: 404, body: { title: "Proof not found" } });
    expect(answers[1]).toEqual(answers[0]);

    await at.publish(12);
    const { checkpoint } = await log.checkpoint();
    const entries = readBundle(await log.bytes(`tile/entries/000.p/${checkpoint.size}`)).map(parseEntry);
    expect(entries).toContainEqual({ kind: "takenDown", at: expect.any(Date), ends: position });
    expect(entries[position]).toMatchObject({ kind: "published" });
    const tables = [
      "log_nonce",
      "log_pending",
      "log_entry",
      "log_tile",
      "log_tree",
      "log_checkpoint",
      "original",
      "record",
    ];
    const dump = await Promise.all(
      tables.map(async (table) =>
        JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(database)).rows),
      ),
    );
    const text = JSON.stringify([...nonce]).slice(1, -1);
    expect(dump.join()).not.toContain(text);
    expect(dump.join()).not.toContain(JSON.stringify([...commitment]).slice(1, -1));
  });

  it("takes its nonce from later backups, and from every file once a sweep has written the table again", async () => {
    const { client, log } = at;
    const { database, dataDir } = at.service;
    const kept = await at.publish(16);
    const { id, hash } = await at.publish(15);
    const nonce = Buffer.from(parseLogProof(await log.proven(hash)).extra!);
    const forms = [nonce, nonce.toString("hex"), nonce.toString("base64")];
    const holding = async (): Promise<string[]> => {
      const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const held = await Promise.all(
        files.map(async ({ parentPath, name }) => {
          // The database removes files while it runs.
          const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0));
          return forms.some((form) => bytes.includes(form)) ? [name] : [];
        }),
      );
      return held.flat();
    };
    // Until then it may be in memory alone, or in the write-ahead log across two pages.
    await sql`checkpoint`.execute(database);
    expect(await holding()).not.toEqual([]);
    expect((await client.takeDown(id)).status).toBe(204);
    const file = join(dataDir, "later.backup");
    const { signal } = new AbortController();
    const environment = { COLOPHON_DATA_DIR: dataDir };
    expect(await runBackup(environment, { file, passphrase: null, signal }, { write: () => {} })).toBe(0);
    expect(await holding()).not.toContain("later.backup");
    await tryAgain();
    await expect.poll(holding, { timeout: FORGOTTEN_MS, interval: 500 }).toEqual([]);
    expect((await log.proof(kept.hash)).status).toBe(200);
  });

  it("leaves the table of nonces alone while that is in use, and writes it later", async () => {
    const { client } = at;
    const { database } = at.service;
    const written = async (): Promise<boolean | undefined> => {
      const { rows } = await sql<{ written: boolean }>`
        select clean_before > max(taken_down_at) as written from log_nonce_rewrite, original
        where tried_at > '-infinity' group by clean_before`.execute(database);
      return rows[0]?.written;
    };
    await database.connection().execute(async (session) => {
      await sql.raw("begin; lock table log_nonce in access share mode").execute(session);
      const { id } = await register(client, 17);
      expect((await client.takeDown(id)).status).toBe(204);
      await tryAgain();
      await expect.poll(written, { timeout: FORGOTTEN_MS }).toBe(false);
      await sql`commit`.execute(session);
    });
    await tryAgain();
    await expect.poll(written, { timeout: FORGOTTEN_MS }).toBe(true);
  });

  it("before the checkpoint is an entry after the one it ends", async () => {
    const { client, log } = at;
    // What was taken down before is in the log with this one.
    await at.publish(18);
    const before = await log.audit();
    await at.service.database.transaction().execute(async (write) => {
      await sql`select pg_advisory_xact_lock(${LOCKS.log})`.execute(write);
      const { id } = await register(client, 13);
      expect((await client.takeDown(id)).status).toBe(204);
    });
    await at.publish(14);
    expect(await log.audit()).toEqual({ live: before.live + 1, takenDown: before.takenDown + 1 });
  });
});
