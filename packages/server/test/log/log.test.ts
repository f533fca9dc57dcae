import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { blake3Hex, fromUtf8 } from "@colophon/formats";
import {
  checkpointText,
  EMPTY_ROOT,
  KEY_TYPE,
  parseCheckpoint,
  parseEntry,
  parseLogProof,
  readBundle,
  writeVkey,
} from "@colophon/log";
import { sql } from "kysely";
import { type Logger, pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SequenceClient } from "@colophon/testing/sequence-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { timeAuthority } from "@colophon/testing/time-authority.ts";
import { LogSigner } from "../../src/keys/log-signer.ts";
import { runBackup } from "../../src/backup/run-backup.ts";
import type { Database } from "../../src/store/database.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded/embedded-postgres.ts";
import { stopPostmaster } from "../../src/store/embedded/postmaster.ts";
import { LOCKS } from "../../src/store/locks.ts";
import { latestCheckpoint, setTimestamp } from "../../src/store/log/checkpoints.ts";
import { parseOrigin } from "../../src/transparency/origin.ts";
import { Timestamps } from "../../src/transparency/timestamps.ts";
import { Witnesses } from "../../src/transparency/witnesses.ts";
import { LogReader } from "../support/log-reader.ts";
import { sequenceClient, wholeChain } from "../support/sequence-service.ts";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "../support/slot-service.ts";

const STOP_MS = 20_000;
const FORGOTTEN_MS = 60_000;
/** Tests with several starts of a service, each of which takes long where a machine has other work. */
const STARTS_MS = 600_000;
/** An address of this machine at which nobody else listens, or connects from. */
const OWN_HOST = "127.0.0.61";

let service: SlotService;
let frames: SequenceClient;
let client: SlotClient;
let log: LogReader;

beforeAll(async () => {
  service = await SlotService.start();
  frames = await sequenceClient(service);
  client = new SlotClient(service.baseUrl(), frames.token);
  log = new LogReader(service.baseUrl(), frames.token);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Starts the service that was stopped. */
async function restart(): Promise<void> {
  await service.startProcess();
  log = new LogReader(service.baseUrl(), client.token);
  client = new SlotClient(service.baseUrl(), client.token);
}

/** Stops the service, and its database, which this file's own connections would keep. */
async function stopAll(): Promise<void> {
  await service.stop();
  await stopPostmaster(join(service.dataDir, "postgres/cluster"), STOP_MS);
}

/** Has the table of nonces written by the next sweep that can, as if it had not been tried. */
async function tryAgain(): Promise<void> {
  await sql`update log_nonce_rewrite set tried_at = '-infinity'`.execute(service.database);
}

/** A port that stays free: nobody else is at this address. */
async function freePort(): Promise<number> {
  await using server = createServer().listen(0, OWN_HOST);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** What a checkpoint is answered with; 0 while nothing listens. */
async function checkpointStatus(): Promise<number> {
  return log.get("checkpoint").then(
    ({ status }) => status,
    () => 0,
  );
}

/** Works on the database while no service runs. */
async function onDatabaseAlone(work: () => Promise<void>): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir: service.dataDir, log: pino({ level: "silent" }) });
  await work();
  await server[Symbol.asyncDispose]();
}

/** The origins of the checkpoints that the database has. */
async function signedFor(): Promise<ReadonlySet<string>> {
  const rows = await service.database.selectFrom("logCheckpoint").select("note").execute();
  return new Set(rows.map(({ note }) => note.slice(0, note.indexOf("\n"))));
}

const manifest = jsonManifest("note", '{"a": 1}');

async function register(seed: number, manifests = [manifest]): Promise<{ id: string; hash: string }> {
  const registered = await client.register(await picture(seed), manifests);
  expect(registered.status).toBe(200);
  return { id: registered.body.id, hash: registered.body.originalImageHash };
}

describe("before the first entry", () => {
  it("has a checkpoint of nothing, signed by the key it names", async () => {
    const { checkpoint } = await log.checkpoint();
    const origin = `${service.baseUrl().slice("http://".length)}/log`;
    expect(checkpoint).toEqual({ origin, size: 0, root: EMPTY_ROOT });
    await expect.poll(() => service.output()).toContain(`Log: ${origin}\n`);
    expect(await log.audit()).toEqual({ live: 0, takenDown: 0 });
  });

  it("answers pages of any origin, and lets nothing be kept that changes", async () => {
    const answers = await Promise.all(["checkpoint", "vkey"].map((path) => log.get(path)));
    for (const answer of answers) {
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=1");
    }
  });

  it("keeps its origin at another base URL, and a start there says so", async () => {
    const origin = `${service.baseUrl().slice("http://".length)}/log`;
    const said = "the base URL is not the one that the log was begun under";
    const moved = await service.startProcess({ COLOPHON_BASE_URL: "https://moved.example/registry" });
    await expect.poll(() => moved.output).toContain(`Log: ${origin}\n`);
    await expect
      .poll(() => moved.output)
      .toContain(`"log":"${origin}","here":"moved.example/registry/log","msg":"${said}`);
    expect(service.output()).not.toContain(said);
    await moved.end("SIGTERM");
  });
});

describe("publications", () => {
  const hashes: string[] = [];

  it("are entries by every way: an image, a slot, the frames of a sequence", async () => {
    hashes.push((await register(1)).hash, (await register(2, [])).hash);
    const { slotId } = (await client.openSlot()).body;
    const images = await Promise.all([3, 4].map(picture));
    await client.upload(
      slotId,
      images.map((bytes) => ({ bytes, manifests: [manifest] })),
    );
    expect((await client.commit(slotId)).status).toBe(200);
    hashes.push(...images.map(blake3Hex));
    const opened = (await frames.openSequence({ manifests: [manifest] })).body;
    await frames.admit(opened, await wholeChain(opened, [5, 6]));
    expect((await frames.commit(opened)).body.outcome).toBe("registered");
    hashes.push(...(await Promise.all([5, 6].map(picture))).map(blake3Hex));
    for (const hash of hashes) expect([hash, await log.faults(hash)]).toEqual([hash, []]);
    expect(await log.audit()).toEqual({ live: 6, takenDown: 0 });
  });

  it("name no image: a hash is nowhere in the log", async () => {
    const { checkpoint } = await log.checkpoint();
    const entries = fromUtf8(await log.bytes(`tile/entries/000.p/${checkpoint.size}`));
    for (const hash of hashes) {
      expect(entries).not.toContain(hash);
      expect(entries).not.toContain(Buffer.from(hash, "hex").toString("base64"));
    }
  });

  it("wait for their checkpoint with a 503 that says when to come again", async () => {
    await service.database.transaction().execute(async (write) => {
      // Who holds this lock keeps the sequencer from its turn.
      await sql`select pg_advisory_xact_lock(${LOCKS.log})`.execute(write);
      const { hash } = await register(7);
      const answer = await log.proof(hash);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(await answer.json()).toMatchObject({ title: "Proof not ready" });
      hashes.push(hash);
    });
    expect(await log.faults(hashes.at(-1) ?? "")).toEqual([]);
  });

  it("are not charged for their proofs, and need a token", async () => {
    const before = await client.stats();
    await log.proven(hashes[0] ?? "");
    expect((await client.stats()).lookups).toEqual(before.lookups);
    expect((await fetch(`${log.baseUrl}/log/proofs/${hashes[0]}`)).status).toBe(401);
    const malformed = await log.proof("x");
    expect([malformed.status, await malformed.json()]).toMatchObject([
      400,
      { title: "Invalid declared hash" },
    ]);
  });
});

describe("a take-down", () => {
  it("leaves an entry that ties to nothing", async () => {
    const { id, hash } = await register(11);
    const image = imageHash(await picture(11));
    await log.proven(hash);
    const { rows: tied } = await sql<{ nonce: Buffer; commitment: Buffer; position: number }>`
      select nonce, commitment, position from log_nonce join log_entry using (entry_no) join original using (image_no)
      where image_hash = ${Buffer.from(image, "hex")}`.execute(service.database);
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

    const next = await register(12);
    await log.proven(next.hash);
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
        JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(service.database)).rows),
      ),
    );
    const text = JSON.stringify([...nonce]).slice(1, -1);
    expect(dump.join()).not.toContain(text);
    expect(dump.join()).not.toContain(JSON.stringify([...commitment]).slice(1, -1));
  });

  it("takes its nonce from later backups, and from every file once a sweep has written the table again", async () => {
    const kept = await register(16);
    const { id, hash } = await register(15);
    const nonce = Buffer.from(parseLogProof(await log.proven(hash)).extra!);
    const forms = [nonce, nonce.toString("hex"), nonce.toString("base64")];
    const holding = async (): Promise<string[]> => {
      const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
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
    await sql`checkpoint`.execute(service.database);
    expect(await holding()).not.toEqual([]);
    expect((await client.takeDown(id)).status).toBe(204);
    const file = join(service.dataDir, "later.backup");
    const { signal } = new AbortController();
    const environment = { COLOPHON_DATA_DIR: service.dataDir };
    expect(await runBackup(environment, { file, passphrase: null, signal }, { write: () => {} })).toBe(0);
    expect(await holding()).not.toContain("later.backup");
    await tryAgain();
    await expect.poll(holding, { timeout: FORGOTTEN_MS, interval: 500 }).toEqual([]);
    expect((await log.proof(kept.hash)).status).toBe(200);
  });

  it("leaves the table of nonces alone while that is in use, and writes it later", async () => {
    const { database } = service;
    const written = async (): Promise<boolean | undefined> => {
      const { rows } = await sql<{ written: boolean }>`
        select clean_before > max(taken_down_at) as written from log_nonce_rewrite, original
        where tried_at > '-infinity' group by clean_before`.execute(database);
      return rows[0]?.written;
    };
    await database.connection().execute(async (session) => {
      await sql.raw("begin; lock table log_nonce in access share mode").execute(session);
      const { id } = await register(17);
      expect((await client.takeDown(id)).status).toBe(204);
      await tryAgain();
      await expect.poll(written, { timeout: FORGOTTEN_MS }).toBe(false);
      await sql`commit`.execute(session);
    });
    await tryAgain();
    await expect.poll(written, { timeout: FORGOTTEN_MS }).toBe(true);
  });

  it("before the checkpoint is an entry after the one it ends", async () => {
    const before = await log.audit();
    await service.database.transaction().execute(async (write) => {
      await sql`select pg_advisory_xact_lock(${LOCKS.log})`.execute(write);
      const { id } = await register(13);
      expect((await client.takeDown(id)).status).toBe(204);
    });
    await log.proven((await register(14)).hash);
    expect(await log.audit()).toEqual({ live: before.live + 1, takenDown: before.takenDown + 1 });
  });
});

describe("tiles", () => {
  it("are as wide as was asked for, for good", async () => {
    const answer = await log.get("tile/0/000.p/3");
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const three = new Uint8Array(await answer.arrayBuffer());
    expect(await log.bytes("tile/0/000.p/2")).toEqual(three.subarray(0, 64));
    expect(readBundle(await log.bytes("tile/entries/000.p/2"))).toHaveLength(2);
  });

  it.each([
    "0/000",
    "0/001",
    "0/000.p/255",
    "1/000.p/1",
    "0/0",
    "64/000",
    "entries/000",
    "entries/x000/000",
    "0/000.p/",
    "0",
    "-1/000",
    "0/000/..",
  ])("has no %s", async (path) => {
    const answer = await log.get(`tile/${path}`);
    expect([answer.status, (await answer.json()).title]).toEqual([404, "Not found"]);
  });

  it("asked for by many at once are read in turns of one connection", async () => {
    const widths = Array.from({ length: 300 }, (_, n) => 1 + (n % 5));
    const answers = await Promise.all(widths.map((width) => log.bytes(`tile/0/000.p/${width}`)));
    const whole = await log.bytes("tile/0/000.p/5");
    for (const [n, width] of widths.entries()) expect(answers[n]).toEqual(whole.subarray(0, 32 * width));
  });

  it("has no timestamp that nobody gave", async () => {
    for (const name of ["1.tsr", "0.tsr", "x", "1"]) {
      expect((await log.get(`timestamps/${name}`)).status).toBe(404);
    }
  });
});

/** The nonce of a time-stamp query is all but its last field, `certReq` of three bytes. */
function withAnotherNonce(query: Buffer): Buffer {
  const other = Buffer.from(query);
  other[other.length - 4]! ^= 1;
  return other;
}

describe("a time-stamping authority that fails", () => {
  it("is named once, and once when there is a timestamp again", async () => {
    let requests = 0;
    const authority = createHttpServer((_, answer) => {
      requests += 1;
      answer.writeHead(500).end();
    });
    await once(authority.listen(0, "127.0.0.1"), "listening");
    const { port } = authority.address() as AddressInfo;
    const { said, lines } = keptLines();
    const { database } = service;
    await using stamps = new Timestamps(database, `http://127.0.0.1:${port}`, lines);
    const looks = (): number => {
      stamps.look();
      return requests;
    };
    try {
      await expect.poll(looks).toBeGreaterThan(2);
      const failing = { fault: "status 500", msg: "the checkpoint has no timestamp yet" };
      expect(said).toMatchObject([failing]);
      const size = (await latestCheckpoint(database))?.size ?? 0;
      await setTimestamp(database, size, Buffer.from("granted"), new Date());
      const works = { msg: "checkpoints are timestamped again" };
      await expect.poll(() => looks() && said).toMatchObject([failing, works]);
    } finally {
      authority.close();
      await sql`update log_checkpoint set timestamp_reply = null, timestamped_at = null`.execute(database);
    }
  });

  it("is not believed under the nonce of another request", async () => {
    await log.proven((await register(71)).hash);
    const folder = await mkdtemp(join(tmpdir(), "colophon-tsa-"));
    const reply = await timeAuthority(folder);
    let requests = 0;
    let asked = withAnotherNonce;
    const authority = createHttpServer((request, answer) => {
      requests += 1;
      void buffer(request)
        .then((query) => reply(asked(query)))
        .then((token) => answer.end(token));
    });
    await once(authority.listen(0, "127.0.0.1"), "listening");
    const { port } = authority.address() as AddressInfo;
    const { said, lines } = keptLines();
    const { database } = service;
    await using stamps = new Timestamps(database, `http://127.0.0.1:${port}`, lines);
    const looks = (): number => {
      stamps.look();
      return requests;
    };
    try {
      const size = (await latestCheckpoint(database))?.size ?? 0;
      await expect.poll(looks).toBeGreaterThan(1);
      expect(said).toMatchObject([{ fault: "its answer grants nothing about the checkpoint" }]);
      expect((await log.get(`timestamps/${size}.tsr`)).status).toBe(404);
      asked = (query) => query;
      await expect
        .poll(() => looks() && said)
        .toMatchObject([{}, { msg: "checkpoints are timestamped again" }]);
      expect((await log.get(`timestamps/${size}.tsr`)).status).toBe(200);
    } finally {
      authority.close();
      await rm(folder, { recursive: true });
      await sql`update log_checkpoint set timestamp_reply = null, timestamped_at = null`.execute(database);
    }
  });
});

describe("somebody else who is to sign", () => {
  it.each([
    ["a time-stamping authority", timestamps],
    ["a witness", witnesses],
  ])("and is away is named with the cause: %s", async (_, ask) => {
    const { said, lines } = keptLines();
    const asked = ask(`http://127.0.0.1:${await freePort()}`, lines);
    await expect.poll(() => said).toMatchObject([{ fault: "ECONNREFUSED" }]);
    await asked[Symbol.asyncDispose]();
  });

  it.each([
    ["a time-stamping authority", timestamps],
    ["a witness", witnesses],
  ])("and is asked while the service stops is no fault: %s", async (_, ask) => {
    const silent = createHttpServer();
    await once(silent.listen(0, OWN_HOST), "listening");
    const { said, lines } = keptLines();
    const { port } = silent.address() as AddressInfo;
    const asked = ask(`http://${OWN_HOST}:${port}`, lines);
    await once(silent, "request");
    await asked[Symbol.asyncDispose]();
    silent.closeAllConnections();
    silent.close();
    expect(said).toEqual([]);
  });
});

describe("a log that could not be kept", () => {
  it("is said to be kept again, also where nothing waits for it", async () => {
    const { database } = service;
    await sql`alter table log_pending rename to log_pending_away`.execute(database);
    const failing = '"reason":"statement 42P01","msg":"the log is not kept at the moment"';
    await expect.poll(() => service.output()).toContain(failing);
    await sql`alter table log_pending_away rename to log_pending`.execute(database);
    await expect.poll(() => service.output()).toContain('"msg":"the log is kept again"');
  });
});

/** A log whose lines are kept. */
function keptLines(): { said: unknown[]; lines: Logger } {
  const said: unknown[] = [];
  return { said, lines: pino({ base: null }, { write: (line) => said.push(JSON.parse(line)) }) };
}

/** Asks an authority for a timestamp of the latest checkpoint. */
function timestamps(url: string, lines: Logger): AsyncDisposable {
  const stamps = new Timestamps(service.database, url, lines);
  stamps.look();
  return stamps;
}

/** Asks a witness for its cosignature of the latest checkpoint. */
function witnesses(url: string, lines: Logger): AsyncDisposable {
  const key = new LogSigner(randomBytes(32)).keyOf("witness.example", KEY_TYPE.cosignature);
  const all = new Witnesses(service.database, [{ key, url }], lines);
  all.ask();
  return all;
}

describe("another process", () => {
  it("serves the same log, and none where it is switched off", async () => {
    const [second, off] = await Promise.all([
      service.startProcess(),
      service.startProcess({ COLOPHON_LOG: "off" }),
    ]);
    const other = new LogReader(second.baseUrl, client.token);
    expect(await other.checkpoint()).toEqual(await log.checkpoint());
    const { hash } = await register(21);
    expect(await other.faults(hash)).toEqual([]);
    const without = new LogReader(off.baseUrl, client.token);
    for (const path of ["checkpoint", "vkey", "tile/0/000.p/1", "timestamps/1.tsr", `proofs/${hash}`]) {
      const answer = await fetch(`${off.baseUrl}/log/${path}`, {
        headers: { authorization: `Bearer ${client.token}` },
      });
      const { traceId: _, ...body } = await answer.json();
      const { traceId: __, ...missing } = await (await fetch(`${off.baseUrl}/nothing`)).json();
      expect(body).toEqual(missing);
    }
    expect((await without.get("checkpoint")).headers.get("access-control-allow-origin")).toBeNull();
  });
});

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

describe("a start", () => {
  it("goes on with the log as it was, whatever its address is now", async () => {
    const before = await log.checkpoint();
    const key = writeVkey(await log.key());
    const { hash } = await register(22);
    await log.proven(hash);
    await service.stop();
    await restart();
    expect(writeVkey(await log.key())).toBe(key);
    const { checkpoint } = await log.checkpoint();
    expect([checkpoint.origin, checkpoint.size]).toEqual([
      before.checkpoint.origin,
      before.checkpoint.size + 1,
    ]);
    expect(await log.faults(hash)).toEqual([]);
  });

  it("enters the records of a database from before the log", { timeout: STARTS_MS }, async () => {
    const { live } = await log.audit();
    await service.stop();
    await onDatabaseAlone(async () => {
      for (const table of ["pending", "nonce", "entry", "tree", "tile", "bundle", "checkpoint"]) {
        await sql`drop table ${sql.table(`log_${table}`)}`.execute(service.database);
      }
      await recordsAsBefore(service.database);
      await sql`delete from schema_migration where name in ('0007-log.sql', '0027-records-in-small.sql')`.execute(
        service.database,
      );
    });
    await service.startProcess({ COLOPHON_LOG: "off" });
    const port = await freePort();
    log = new LogReader(`http://${OWN_HOST}:${port}`, client.token);
    const starting = await service.database.transaction().execute(async (write) => {
      // Who holds this lock keeps the process, which answers requests already, from beginning the log.
      await sql`select pg_advisory_xact_lock(${LOCKS.log})`.execute(write);
      const process = service.startProcess({ COLOPHON_HOST: OWN_HOST, COLOPHON_PORT: String(port) });
      await expect.poll(checkpointStatus, { timeout: STARTS_MS }).not.toBe(0);
      for (const path of ["checkpoint", "vkey"]) {
        const answer = await log.get(path);
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
        expect(await answer.json()).toMatchObject({ title: "Service unavailable" });
      }
      return { process };
    });
    client = new SlotClient((await starting.process).baseUrl, client.token);
    const { rows } = await sql<{ hash: string }>`select encode(original_image_hash, 'hex') as hash
      from original where taken_down_at is null order by image_no`.execute(service.database);
    for (const { hash } of rows) expect([hash, await log.faults(hash)]).toEqual([hash, []]);
    expect(await log.audit()).toEqual({ live, takenDown: 0 });
  });

  it("of an old copy of the database begins another log with the live records, and signs nothing for the old one", {
    timeout: STARTS_MS,
  }, async () => {
    const kept = await register(31);
    const gone = await register(32);
    await log.proven(gone.hash);
    expect((await client.takeDown(gone.id)).status).toBe(204);
    await log.proven((await register(33)).hash);
    const { live } = await log.audit();
    const cluster = join(service.dataDir, "postgres/cluster");
    const copy = join(service.dataDir, "copy");
    await stopAll();
    await cp(cluster, copy, { recursive: true });
    await restart();
    const lost = await register(34);
    await log.proven(lost.hash);
    const earlier = { proof: await log.proven(kept.hash), logKey: await log.key() };
    const signed = parseCheckpoint(await readFile(join(service.dataDir, "log-signed"), "utf8"));
    expect(signed).toEqual((await log.checkpoint()).checkpoint);
    await stopAll();
    await rm(cluster, { recursive: true });
    await rename(copy, cluster);
    await restart();

    const { origin, generation } = parseOrigin(signed.origin);
    const next = `${origin}/${generation + 1}`;
    await expect.poll(() => service.output()).toContain(`Log: ${next}, begun after ${signed.origin}\n`);
    expect(await signedFor()).toEqual(new Set([next]));
    expect((await log.proof(lost.hash)).status).toBe(404);
    const { hash } = await register(35);
    for (const of of [kept.hash, hash]) expect(await log.faults(of)).toEqual([]);
    expect(await log.faults(kept.hash, earlier)).toEqual([]);
    expect(await log.audit()).toEqual({ live: live + 1, takenDown: 0 });
    expect(await signedFor()).toEqual(new Set([next]));
    const after = parseCheckpoint(await readFile(join(service.dataDir, "log-signed"), "utf8"));
    expect(after).toEqual((await log.checkpoint()).checkpoint);
    expect(await service.fsck({ atRest: false })).toEqual([]);
  });

  it("of a database whose tree is another one begins another log too", async () => {
    const { checkpoint } = await log.checkpoint();
    await service.stop();
    const other = { ...checkpoint, size: 2, root: EMPTY_ROOT };
    await writeFile(join(service.dataDir, "log-signed"), checkpointText(other));
    await restart();
    expect((await log.checkpoint()).checkpoint.origin).not.toBe(checkpoint.origin);
  });
});
