import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text as wholeText } from "node:stream/consumers";
import { promisify } from "node:util";
import { blake3Hex } from "@colophon/formats";
import { programFile } from "@colophon/testing/process/programs.ts";
import {
  embeddedDatabaseUrl,
  ServiceProcess,
  serviceEnvironment,
} from "@colophon/testing/service-process.ts";
import { SequenceClient } from "@colophon/testing/sequence-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { sql } from "kysely";
import { unpackTar } from "modern-tar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBackup, runRestore } from "../src/backup/run-backup.ts";
import { runJoin } from "../src/split/run-split.ts";
import { checkConsistency } from "../src/fsck/check-consistency.ts";
import { runFsck } from "../src/fsck/run-fsck.ts";
import { openDatabase } from "../src/store/database.ts";
import { isHalfRestored } from "../src/store/migrate.ts";
import { LogReader } from "./support/log-reader.ts";
import { sequenceClient, wholeChain } from "./support/sequence-service.ts";
import { imageHash, picture, scene } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "./support/slot-service.ts";

const COLOPHON = await programFile("colophon");
const PASSPHRASE = "correct horse battery";
const { signal } = new AbortController();

let service: SlotService;
let frames: SequenceClient;
let client: SlotClient;
let file: string;
const hashes: string[] = [];
let takenDown: string;
let slotId: string;
let lookupSlotId: string;

/** A registry with everything in it that a backup may meet, and its backup, made while the service runs. */
beforeAll(async () => {
  service = await SlotService.start();
  frames = await sequenceClient(service);
  client = new SlotClient(service.baseUrl(), frames.token);
  for (const seed of [1, 2]) {
    const { body } = await client.register(await scene(seed), [jsonManifest("note", '{"a": "ü"}')]);
    hashes.push(body.originalImageHash);
    if (seed === 2) await client.takeDown(body.id);
  }
  takenDown = hashes.pop() ?? "";
  const committed = (await frames.openSequence()).body;
  await frames.admit(committed, await wholeChain(committed, [5, 6]));
  await frames.commit(committed);
  hashes.push(...(await Promise.all([5, 6].map(picture))).map(blake3Hex));
  const under = (await frames.openSequence()).body;
  await frames.admit(under, (await wholeChain(under, [7, 8])).slice(0, 1));
  slotId = (await client.openSlot()).body.slotId;
  await client.upload(slotId, [{ bytes: await picture(3), manifests: [jsonManifest("note", "{}")] }]);
  lookupSlotId = (await client.openLookupSlot()).body.lookupSlotId;
  await client.uploadQueries(lookupSlotId, [{ bytes: await picture(4) }]);
  file = join(service.dataDir, "registry.backup");
  const { dataDir, database } = service;
  const environment = { COLOPHON_DATA_DIR: dataDir };
  // The first original's postings are on another server, which is lost together with this one.
  await sql`insert into index_part values ('colophon_lost', 0, 2, 'lost', now())`.execute(database);
  await sql`delete from recent_posting where image_no < 2`.execute(database);
  await runToDone((out) => runBackup(environment, { file, passphrase: PASSPHRASE, signal }, out));
  await runToDone((out) => runJoin(environment, out));
});

afterAll(() => service[Symbol.asyncDispose]());

/** What a command says, which must end well unless `code` says otherwise. */
async function runToDone(
  command: (out: { write(text: string): unknown }) => Promise<number>,
  code = 0,
): Promise<string> {
  let said = "";
  const ended = await command({ write: (text) => (said += text) });
  expect({ code: ended, said }).toEqual({ code, said });
  return said;
}

/** An empty database of one's own, beside the service's. */
async function ownDatabase(name: string): Promise<{ url: string; environment: Record<string, string> }> {
  const { database, dataDir } = service;
  const lent = await database.pool.connect();
  await lent.query(`create database ${name}`);
  lent.release();
  const url = embeddedDatabaseUrl(dataDir, name);
  return { url, environment: { COLOPHON_DATABASE_URL: url, COLOPHON_DATA_DIR: join(dataDir, name) } };
}

const restore = (
  environment: Record<string, string>,
  options: Partial<Parameters<typeof runRestore>[1]> = {},
  code = 0,
): Promise<string> =>
  runToDone(
    (out) =>
      runRestore(environment, { file, passphrase: PASSPHRASE, logGoesOn: false, signal, ...options }, out),
    code,
  );

/** What this process has open (Linux). */
async function openFiles(): Promise<readonly string[]> {
  const descriptors = await readdir("/proc/self/fd");
  return Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
}

/** The connections to a database beside the service's. */
async function sessionsOf(name: string): Promise<readonly unknown[]> {
  const asked = sql`select from pg_stat_activity where datname = ${name}`;
  return (await asked.execute(service.database)).rows;
}

/** A restore in a process of its own that waits for the rest of its file. */
async function halfRestored(name: string): Promise<{
  readonly environment: Record<string, string>;
  readonly end: (by: NodeJS.Signals) => Promise<{ code: unknown; out: string }>;
}> {
  const { url, environment } = await ownDatabase(name);
  const pipe = join(service.dataDir, name, "pipe");
  await mkdir(join(service.dataDir, name));
  await promisify(execFile)("mkfifo", [pipe]);
  await writeFile(join(service.dataDir, "passphrase"), PASSPHRASE);
  const child = spawn(
    process.execPath,
    [COLOPHON, "restore", pipe, "--passphrase-file", join(service.dataDir, "passphrase")],
    { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const bytes = await readFile(file);
  const feeding = await open(pipe, "w");
  await feeding.write(bytes, 0, bytes.indexOf("tables/original/"));
  const database = openDatabase({ connectionString: url }, 1, () => {});
  await expect.poll(() => isHalfRestored(database)).toBe(true);
  await database.destroy();
  const end = async (by: NodeJS.Signals): Promise<{ code: unknown; out: string }> => {
    const exited = once(child, "exit");
    const said = wholeText(child.stdout);
    child.kill(by);
    await feeding.close();
    return { code: (await exited)[0], out: await said };
  };
  return { environment, end };
}

/** Whether the data directory that a restore was to fill has a key. */
const hasKey = ({ COLOPHON_DATA_DIR: dataDir = "" }: Record<string, string>): boolean =>
  existsSync(join(dataDir, "key-encryption-key"));

/** Everything that the registry answers about what is in it. */
async function answers(baseUrl: string): Promise<object> {
  const of = new SlotClient(baseUrl, client.token);
  const records = [];
  for (const hash of [...hashes, takenDown]) {
    const { status, body } = await of.record(hash);
    records.push({ status, body: { ...body, traceId: null } });
  }
  return {
    records,
    slot: (await of.entries(slotId)).body,
    registrations: (await of.call("GET", "/library/registrations")).body,
    sequences: (await of.call("GET", "/library/sequences")).body,
    match: (await of.lookUp(await scene(1))).body,
    unknown: (await of.lookUp(await picture(9))).body,
  };
}

/** Breaches of a database at rest, once its sweeps have run. */
async function settled(connectionString: string): Promise<void> {
  const database = openDatabase({ connectionString }, 1, () => {});
  try {
    const breaches = async (): Promise<unknown> =>
      checkConsistency(database, { atRest: true, signatures: true });
    await expect.poll(breaches).toEqual([]);
  } finally {
    await database.destroy();
  }
}

describe("a backup", () => {
  it("is a tar archive whose checksums another program can check, readable by its owner alone", async () => {
    const members = await unpackTar(await readFile(file), { strict: true });
    const [header, ...rest] = members;
    expect(header?.header.name).toBe("backup.json");
    const checksums = Buffer.from(rest.pop()?.data ?? []).toString();
    const lines = members.slice(0, -1).map(({ header: { name }, data = new Uint8Array() }) => {
      return `${blake3Hex(data)}  ${name}\n`;
    });
    expect(checksums).toBe(lines.join(""));
    const { stdout } = await promisify(execFile)("stat", ["-c", "%a", file]);
    expect(stdout).toBe("600\n");
  });

  it("holds no pixel, no token and no key that is not sealed", async () => {
    const bytes = await readFile(file);
    const key = Buffer.from(await readFile(join(service.dataDir, "key-encryption-key"), "utf8"), "base64");
    for (const secret of [key, Buffer.from(client.token), Buffer.from(service.adminToken)]) {
      expect(bytes.includes(secret)).toBe(false);
    }
    for (const seed of [1, 3, 4, 7]) {
      const image = Buffer.from(await (seed === 1 ? scene(seed) : picture(seed)));
      expect(bytes.includes(image.subarray(-64))).toBe(false);
    }
  });

  it("is never written over another file, and says where a key is that is not in it", async () => {
    const environment = { COLOPHON_DATA_DIR: service.dataDir };
    const again = await runToDone(
      (out) => runBackup(environment, { file, passphrase: null, signal }, out),
      1,
    );
    expect(again).toBe(`Nothing was backed up: ${file} is there already.\n`);
    const nowhere = { file: join(service.dataDir, "nowhere/some.backup"), passphrase: null, signal };
    expect(await runToDone((out) => runBackup(environment, nowhere, out), 1)).toBe(
      `Nothing was backed up: There is no folder ${join(service.dataDir, "nowhere")}.\n`,
    );
    const apart = { file: join(service.dataDir, "no-key.backup"), passphrase: null, signal };
    const said = await runToDone((out) => runBackup(environment, apart, out));
    expect(said).toContain(`keep ${join(service.dataDir, "key-encryption-key")} as well`);
    const inFile = { COLOPHON_KEY_ENCRYPTION_KEY_FILE: join(service.dataDir, "key-encryption-key") };
    const { environment: own } = await ownDatabase("without_key");
    expect(await restore(own, apart, 1)).toContain("There is no ");
    await restore({ ...own, ...inFile }, apart);
    expect(
      await runToDone((out) =>
        runBackup({ ...environment, ...inFile }, { ...apart, file: `${file}-2` }, out),
      ),
    ).toContain("keep COLOPHON_KEY_ENCRYPTION_KEY_FILE as well");
    const another = join(service.dataDir, "another-key");
    await writeFile(another, Buffer.alloc(32, 1).toString("base64"));
    expect(await restore({ ...own, COLOPHON_KEY_ENCRYPTION_KEY_FILE: another }, {}, 1)).toBe(
      "Nothing was restored: COLOPHON_KEY_ENCRYPTION_KEY_FILE is another key than that of the backup.\n",
    );
  });

  it("for which there is no room says where, and is removed", async () => {
    const folder = join(service.dataDir, "narrow");
    await mkdir(folder);
    // A shell without root can make files no larger, and no disk smaller.
    const script = `ulimit -f 16; exec "$0" "$1" backup "$2"`;
    const child = spawn("sh", ["-c", script, process.execPath, COLOPHON, join(folder, "some.backup")], {
      env: { ...process.env, COLOPHON_DATA_DIR: service.dataDir },
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await wholeText(child.stdout)).toBe(
      `Nothing was backed up: No file may be as large in ${folder}; the unfinished backup was removed.\n`,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("a restore into a database of one's own", () => {
  it("answers the same, and enters its records in a log of its own", async () => {
    const { url, environment } = await ownDatabase("whole");
    const before = await answers(service.baseUrl());
    const { checkpoint } = await new LogReader(service.baseUrl(), client.token).checkpoint();
    const said = await restore(environment);
    expect(said).toContain(`Log: ${checkpoint.origin}/2, begun again\n`);
    expect(said).toContain("1 query images of open look-up slots are in no backup");
    expect(await runToDone((out) => runFsck(environment, { atRest: false, packets: true }, out))).toBe(
      "All is consistent.\n",
    );
    await using restored = await ServiceProcess.start({
      ...serviceEnvironment(String(environment.COLOPHON_DATA_DIR), service.adminToken),
      ...environment,
    });
    const [first, second] = [before, await answers(restored.baseUrl)].map((answer) =>
      JSON.stringify(answer).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ""),
    );
    expect(second).toBe(first);
    const log = new LogReader(restored.baseUrl, client.token);
    for (const hash of hashes) expect(await log.faults(hash)).toEqual([]);
    expect((await log.checkpoint()).checkpoint.origin).toBe(`${checkpoint.origin}/2`);
    expect(await log.audit()).toEqual({ live: hashes.length, takenDown: 0 });
    const there = new SlotClient(restored.baseUrl, client.token);
    expect((await there.commit(slotId)).body.entries).toMatchObject([{ state: "registered" }]);
    const results = (await there.commitLookup(lookupSlotId)).body;
    expect(JSON.stringify(results)).toContain("No pooled query image was found for this entry.");
    const hash = imageHash(await picture(3));
    expect(JSON.stringify((await there.entries(slotId)).body)).toContain(hash);
    await there.abandonLookup(lookupSlotId);
    await settled(url);
  });

  it("goes on in the same log where nothing was signed since, and image numbers go on too", async () => {
    const { url, environment } = await ownDatabase("moved");
    const said = await restore(environment, { logGoesOn: true });
    expect(said).not.toContain("begun again");
    const database = openDatabase({ connectionString: url }, 1, () => {});
    const numbers = await database.selectFrom("original").select("imageNo").execute();
    await database.destroy();
    await using restored = await ServiceProcess.start({
      ...serviceEnvironment(String(environment.COLOPHON_DATA_DIR), service.adminToken),
      ...environment,
    });
    const there = new SlotClient(restored.baseUrl, client.token);
    const { status, body } = await there.register(await picture(20));
    expect(status).toBe(200);
    const log = new LogReader(restored.baseUrl, client.token);
    expect(await log.faults(body.originalImageHash)).toEqual([]);
    expect((await log.checkpoint()).checkpoint.origin).not.toMatch(/\/2$/);
    expect(numbers.length).toBe(4);
  });

  it("is refused where there is something, with another passphrase, and of a damaged file", async () => {
    const { environment } = await ownDatabase("refused");
    const inUse = { COLOPHON_DATA_DIR: service.dataDir };
    expect(await restore(inUse, {}, 1)).toContain("The database is not empty");
    expect(await restore(environment, { passphrase: "another passphrase" }, 1)).toContain(
      "does not open the key",
    );
    expect(await restore(environment, { passphrase: null }, 1)).toContain("with --passphrase-file");
    expect(await restore(environment, { file: "nowhere.backup" }, 1)).toBe(
      "Nothing was restored: There is no nowhere.backup.\n",
    );
    const bytes = await readFile(file);
    const damaged = join(service.dataDir, "damaged");
    const at = bytes.indexOf('{"a"');
    expect(at).toBeGreaterThan(0);
    const member = bytes.lastIndexOf("tables/", bytes.lastIndexOf("checksums"));
    const cases = [
      [Buffer.from("no archive"), /is not a backup/],
      [bytes.subarray(0, bytes.length / 2), /is cut off, or damaged/],
      [Buffer.concat([bytes.subarray(0, member), Buffer.alloc(512, 255)]), /is cut off, or damaged/],
      [Buffer.concat([bytes.subarray(0, at), Buffer.from("nope"), bytes.subarray(at + 4)]), /is damaged/],
    ] as const;
    const fresh = join(service.dataDir, "fresh");
    for (const [content, words] of cases) {
      await writeFile(damaged, content);
      expect(await restore({ COLOPHON_DATA_DIR: fresh }, { file: damaged }, 1)).toMatch(words);
      expect(existsSync(fresh)).toBe(false);
      expect(await restore(environment, { file: damaged }, 1)).toMatch(words);
      expect(hasKey(environment)).toBe(false);
    }
    await restore(environment);
  });

  it("that is refused lets go of its file", async () => {
    const { environment } = await ownDatabase("let_go");
    const long = join(service.dataDir, "long");
    await writeFile(long, Buffer.concat([await readFile(file), Buffer.alloc(16_777_216)]));
    await restore(environment, { file: long, passphrase: "another passphrase" }, 1);
    await expect.poll(openFiles).not.toContain(long);
  });

  it("that is refused for another key lets go of its database", async () => {
    const { environment } = await ownDatabase("another_key");
    const dataDir = String(environment.COLOPHON_DATA_DIR);
    await mkdir(dataDir);
    await writeFile(join(dataDir, "key-encryption-key"), Buffer.alloc(32, 7).toString("base64"));
    expect(await restore(environment, {}, 1)).toContain("holds another key");
    await expect.poll(() => sessionsOf("another_key")).toEqual([]);
  });

  it("interrupted says so, whatever broke off with it, and leaves no key", async () => {
    const { environment, end } = await halfRestored("interrupted");
    expect(await end("SIGINT")).toEqual({ code: 130, out: "Nothing was restored: interrupted.\n" });
    expect(hasKey(environment)).toBe(false);
    await restore(environment);
    expect(hasKey(environment)).toBe(true);
  });

  it("killed in the middle is refused by the service, and done by the next restore", async () => {
    const { environment, end } = await halfRestored("killed");
    await end("SIGKILL");
    const start = ServiceProcess.start({
      ...serviceEnvironment(String(environment.COLOPHON_DATA_DIR), service.adminToken),
      ...environment,
    });
    await expect(start).rejects.toThrow("A restore into this database did not come to its end");
    await restore(environment);
    expect(await runToDone((out) => runFsck(environment, { atRest: false, packets: true }, out))).toBe(
      "All is consistent.\n",
    );
  });
});
