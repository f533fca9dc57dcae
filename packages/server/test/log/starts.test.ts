import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkpointText, EMPTY_ROOT, parseCheckpoint, writeVkey } from "@colophon/log";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded/embedded-postgres.ts";
import { stopPostmaster } from "../../src/store/embedded/postmaster.ts";
import { LOCKS } from "../../src/store/locks.ts";
import { parseOrigin } from "../../src/transparency/origin.ts";
import { freePort, OWN_HOST } from "../support/free-port.ts";
import { LogReader } from "../support/log-reader.ts";
import { LogService, register } from "../support/log-service.ts";
import type { SlotService } from "../support/slot-service.ts";

const STOP_MS = 20_000;
/** Tests with several starts of a service, each of which takes long where a machine has other work. */
const STARTS_MS = 600_000;

describe("a new log", () => {
  let at: LogService;
  beforeAll(async () => void (at = await LogService.start()));
  afterAll(() => at[Symbol.asyncDispose]());

  /** What the base URL of the first start gives. */
  function origin(): string {
    return `${at.service.baseUrl().slice("http://".length)}/log`;
  }

  it("has a checkpoint of nothing, signed by the key it names", async () => {
    const { checkpoint } = await at.log.checkpoint();
    expect(checkpoint).toEqual({ origin: origin(), size: 0, root: EMPTY_ROOT });
    await expect.poll(() => at.service.output()).toContain(`Log: ${origin()}\n`);
    expect(await at.log.audit()).toEqual({ live: 0, takenDown: 0 });
  });

  it("answers pages of any origin, and lets nothing be kept that changes", async () => {
    const answers = await Promise.all(["checkpoint", "vkey"].map((path) => at.log.get(path)));
    for (const answer of answers) {
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=1");
    }
  });

  it("keeps its origin at another base URL, and a start there says so", async () => {
    const said = "the base URL is not the one that the log was begun under";
    const elsewhere = { COLOPHON_BASE_URL: "https://moved.example/registry" };
    await using moved = await at.service.startProcess(elsewhere);
    await expect.poll(() => moved.output).toContain(`Log: ${origin()}\n`);
    await expect
      .poll(() => moved.output)
      .toContain(`"log":"${origin()}","here":"moved.example/registry/log","msg":"${said}`);
    expect(at.service.output()).not.toContain(said);
  });
});

/** Stops the service, and its database, which this file's own connections would keep. */
async function stopAll(service: SlotService): Promise<void> {
  await service.stop();
  await stopPostmaster(join(service.dataDir, "postgres/cluster"), STOP_MS);
}

/** Works on the database while no service runs. */
async function onDatabaseAlone({ dataDir }: SlotService, work: () => Promise<void>): Promise<void> {
  await using _ = await startEmbeddedPostgres({ dataDir, log: pino({ level: "silent" }) });
  await work();
}

/** Takes from a database what it had not when there was no log yet. */
async function databaseAsBefore(database: Database): Promise<void> {
  for (const table of ["pending", "nonce", "entry", "tree", "tile", "bundle", "checkpoint"]) {
    await sql`drop table ${sql.table(`log_${table}`)}`.execute(database);
  }
  await recordsAsBefore(database);
  await sql`delete from schema_migration where name in ('0007-log.sql', '0027-records-in-small.sql')`.execute(
    database,
  );
}

/** Gives records the columns that they had when there was no log yet. */
async function recordsAsBefore(database: Database): Promise<void> {
  await sql`alter table record add column public_key bytea, add column engine_record text,
    add column leaf_certificate_thumbprint text`.execute(database);
  await sql`update record set leaf_certificate_thumbprint = encode(sha256(leaf_certificate), 'hex')`.execute(
    database,
  );
  await sql`alter table record alter column leaf_certificate type text using
    E'-----BEGIN CERTIFICATE-----\\n' || encode(leaf_certificate, 'base64') || E'\\n-----END CERTIFICATE-----\\n'`.execute(
    database,
  );
}

/** What a checkpoint is answered with; 0 while nothing listens. */
async function checkpointStatus(log: LogReader): Promise<number> {
  return log.get("checkpoint").then(
    ({ status }) => status,
    () => 0,
  );
}

/** The origins of the checkpoints that the database has. */
async function signedFor(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.selectFrom("logCheckpoint").select("note").execute();
  return new Set(rows.map(({ note }) => note.slice(0, note.indexOf("\n"))));
}

describe("a start", () => {
  it("goes on with the log as it was, whatever its address is now", async () => {
    await using at = await LogService.start();
    const { service } = at;
    const before = await at.log.checkpoint();
    const key = writeVkey(await at.log.key());
    const { hash } = await at.publish(1);
    await service.stop();
    await service.startProcess();
    expect(writeVkey(await at.log.key())).toBe(key);
    const { checkpoint } = await at.log.checkpoint();
    expect([checkpoint.origin, checkpoint.size]).toEqual([
      before.checkpoint.origin,
      before.checkpoint.size + 1,
    ]);
    expect(await at.log.faults(hash)).toEqual([]);
  });

  it("enters the records of a database from before the log", { timeout: STARTS_MS }, async () => {
    await using at = await LogService.start();
    const { service, token } = at;
    const { database } = service;
    const kept = await at.registerByEveryWay();
    const gone = await at.publish(7);
    expect((await at.client.takeDown(gone.id)).status).toBe(204);
    await service.stop();
    await onDatabaseAlone(service, () => databaseAsBefore(database));
    await service.startProcess({ COLOPHON_LOG: "off" });
    const port = await freePort();
    const log = new LogReader(`http://${OWN_HOST}:${port}`, token);
    const starting = await database.transaction().execute(async (write) => {
      // Who holds this lock keeps the process, which answers requests already, from beginning the log.
      await sql`select pg_advisory_xact_lock(${LOCKS.log})`.execute(write);
      const process = service.startProcess({ COLOPHON_HOST: OWN_HOST, COLOPHON_PORT: String(port) });
      await expect.poll(() => checkpointStatus(log), { timeout: STARTS_MS }).not.toBe(0);
      for (const path of ["checkpoint", "vkey"]) {
        const answer = await log.get(path);
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
        expect(await answer.json()).toMatchObject({ title: "Service unavailable" });
      }
      return { process };
    });
    await starting.process;
    const { rows } = await sql<{ hash: string }>`select encode(original_image_hash, 'hex') as hash
      from original where taken_down_at is null order by image_no`.execute(database);
    expect(rows.map(({ hash }) => hash).toSorted()).toEqual(kept.toSorted());
    for (const { hash } of rows) expect([hash, await log.faults(hash)]).toEqual([hash, []]);
    expect(await log.audit()).toEqual({ live: kept.length, takenDown: 0 });
  });

  it("of an old copy of the database begins another log with the live records, and signs nothing for the old one", {
    timeout: STARTS_MS,
  }, async () => {
    await using at = await LogService.start();
    const { service } = at;
    const kept = await at.publish(1);
    const gone = await at.publish(2);
    expect((await at.client.takeDown(gone.id)).status).toBe(204);
    await at.publish(3);
    const { live } = await at.log.audit();
    const cluster = join(service.dataDir, "postgres/cluster");
    const copy = join(service.dataDir, "copy");
    await stopAll(service);
    await cp(cluster, copy, { recursive: true });
    await service.startProcess();
    const lost = await at.publish(4);
    const earlier = { proof: await at.log.proven(kept.hash), logKey: await at.log.key() };
    const signed = parseCheckpoint(await readFile(join(service.dataDir, "log-signed"), "utf8"));
    expect(signed).toEqual((await at.log.checkpoint()).checkpoint);
    await stopAll(service);
    await rm(cluster, { recursive: true });
    await rename(copy, cluster);
    await service.startProcess();

    const { origin, generation } = parseOrigin(signed.origin);
    const next = `${origin}/${generation + 1}`;
    await expect.poll(() => service.output()).toContain(`Log: ${next}, begun after ${signed.origin}\n`);
    expect(await signedFor(service.database)).toEqual(new Set([next]));
    expect((await at.log.proof(lost.hash)).status).toBe(404);
    const { hash } = await register(at.client, 5);
    for (const of of [kept.hash, hash]) expect(await at.log.faults(of)).toEqual([]);
    expect(await at.log.faults(kept.hash, earlier)).toEqual([]);
    expect(await at.log.audit()).toEqual({ live: live + 1, takenDown: 0 });
    expect(await signedFor(service.database)).toEqual(new Set([next]));
    const after = parseCheckpoint(await readFile(join(service.dataDir, "log-signed"), "utf8"));
    expect(after).toEqual((await at.log.checkpoint()).checkpoint);
    expect(await service.fsck({ atRest: false })).toEqual([]);
  });

  it("of a database whose tree is another one begins another log too", async () => {
    await using at = await LogService.start();
    const { service } = at;
    await at.publish(1);
    const { checkpoint } = await at.log.checkpoint();
    await service.stop();
    const other = { ...checkpoint, size: 2, root: EMPTY_ROOT };
    await writeFile(join(service.dataDir, "log-signed"), checkpointText(other));
    await service.startProcess();
    expect((await at.log.checkpoint()).checkpoint.origin).not.toBe(checkpoint.origin);
  });
});
