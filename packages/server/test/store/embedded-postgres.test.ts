import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type QueryResultRow } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { provideCluster } from "@colophon/testing/process/cluster-template.ts";
import {
  type EmbeddedConnection,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/store/embedded/embedded-postgres.ts";
import { chooseRunAs } from "../../src/store/embedded/run-as.ts";

const HOLDER = fileURLToPath(new URL("./embedded-postgres-holder.ts", import.meta.url));
const START_LOCK = new URL("../../src/store/embedded/start-lock.ts", import.meta.url).href;
const silent = { info: (): void => {}, warn: (): void => {} };
const cleanups: (() => PromiseLike<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function newDataDir(parent: string = tmpdir(), name = "data"): string {
  const home = mkdtempSync(join(parent, "colophon-postgres-"));
  cleanups.push(() => rmSync(home, { recursive: true, force: true }));
  return join(home, name);
}

/** With a database in it: what a first start leaves there when it has been stopped. */
async function usedDataDir(): Promise<string> {
  const dataDir = newDataDir();
  await provideCluster(dataDir);
  return dataDir;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: silent });
  cleanups.push(() => server[Symbol.asyncDispose]());
  return server;
}

/** Runs the holder and resolves with its connection, or with what it said when it failed. */
async function hold(
  dataDir: string,
  mode = "hold",
): Promise<{ child: ChildProcess; connection?: EmbeddedConnection; said: string }> {
  const child = spawn(process.execPath, [HOLDER, dataDir, mode], { stdio: ["ignore", "pipe", "pipe"] });
  cleanups.push(() => kill(child, "SIGTERM"));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const line = await Promise.race([
    once(child.stdout, "data").then(([chunk]: Buffer[]) => chunk?.toString()),
    once(child, "close").then(() => undefined),
  ]);
  if (line === undefined) return { child, said };
  const connection: EmbeddedConnection = JSON.parse(line);
  return { child, connection, said };
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

async function query<Row extends QueryResultRow>(
  connection: EmbeddedConnection,
  sql: string,
): Promise<Row[]> {
  const client = new Client({ ...connection });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const postmaster = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, "postgres/cluster/postmaster.pid"), "utf8"), 10);
const isUp = (dataDir: string): boolean => existsSync(join(dataDir, "postgres/cluster/postmaster.pid"));
const alive = (pid: number): boolean => existsSync(`/proc/${pid}/cwd`);

describe("a fresh start", () => {
  it("makes a UTF-8 database with the launcher's settings, reachable by nobody else", async () => {
    const dataDir = newDataDir();
    const { connection } = await start(dataDir);
    const rows = await query<{ name: string; setting: string }>(
      connection,
      `select name, setting from pg_settings where name in ('server_encoding', 'fsync', 'full_page_writes', 'synchronous_commit',
       'jit', 'max_wal_size', 'checkpoint_timeout', 'listen_addresses', 'data_checksums', 'max_connections') order by name`,
    );
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      checkpoint_timeout: "1200",
      data_checksums: "on",
      fsync: "on",
      full_page_writes: "on",
      jit: "off",
      listen_addresses: "",
      max_connections: "100",
      max_wal_size: "4096",
      server_encoding: "UTF8",
      synchronous_commit: "on",
    });
    const collation = await query(
      connection,
      "select datlocprovider, datlocale from pg_database where datname = current_database()",
    );
    expect(collation).toEqual([{ datlocprovider: "b", datlocale: "C.UTF-8" }]);
    for (const part of ["postgres", "postgres/cluster", "postgres/run"]) {
      expect(statSync(join(dataDir, part)).mode & 0o777).toBe(0o700);
    }
    for (const part of ["postgres/server.log", "postgres/start.lock"]) {
      expect(statSync(join(dataDir, part)).mode & 0o777).toBe(0o600);
    }
  });

  it("recovers from an interrupted creation", async () => {
    const dataDir = newDataDir();
    mkdirSync(join(dataDir, "postgres/cluster.new-0123/base"), { recursive: true });
    writeFileSync(join(dataDir, "postgres/cluster.new-0123/PG_VERSION"), "18\n");
    await start(dataDir);
    expect(readdirSync(join(dataDir, "postgres")).toSorted()).toEqual([
      "cluster",
      "run",
      "server.log",
      "start.lock",
    ]);
  });

  it("works under a long path, with spaces, quotes, commas and other scripts in it", async () => {
    const dataDir = newDataDir(tmpdir(), `${"long/".repeat(24)}a "b", 'c' ünï 図書`);
    const { connection } = await start(dataDir);
    expect(Buffer.byteLength(join(connection.host, ".s.PGSQL.5432"))).toBeLessThanOrEqual(103);
    expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await cleanups.pop()?.();
    expect(existsSync(connection.host)).toBe(false);
  });

  it("works under a home directory that only its owner can enter", async () => {
    const { connection } = await start(newDataDir(homedir()));
    expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("leaves a database to its owner, also to one that has no name", () => {
    const cluster = newDataDir();
    mkdirSync(cluster);
    writeFileSync(join(cluster, "PG_VERSION"), "18\n");
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(cluster, 61_193, 61_193);
    expect(chooseRunAs([cluster])).toEqual(isRoot ? { uid: 61_193, gid: 61_193 } : undefined);
  });

  it("refuses a database of another major version in one sentence", async () => {
    const dataDir = newDataDir();
    mkdirSync(join(dataDir, "postgres/cluster"), { recursive: true });
    writeFileSync(join(dataDir, "postgres/cluster/PG_VERSION"), "17\n");
    await expect(start(dataDir)).rejects.toThrow(
      /^The database in .* was made by PostgreSQL 17, and this Colophon carries PostgreSQL 18: .*\.$/,
    );
  });

  it("says why the server does not start", async () => {
    const dataDir = await usedDataDir();
    writeFileSync(join(dataDir, "postgres/cluster/postgresql.conf"), "no_such_setting = 1\n");
    await expect(start(dataDir)).rejects.toThrow(/did not start.*no_such_setting/s);
  });
});

describe("a start after a stop", () => {
  it("reads again what the server had in its memory", async () => {
    const dataDir = await usedDataDir();
    const held = `select count(*)::int as pages from pg_buffercache
      where relfilenode = pg_relation_filenode('numbers') and reldatabase = (
        select oid from pg_database where datname = current_database())`;
    {
      await using server = await startEmbeddedPostgres({ dataDir, log: silent });
      await query(server.connection, "create extension pg_buffercache");
      await query(server.connection, "create table numbers as select generate_series(1, 20000) as number");
      const [before] = await query<{ pages: number }>(server.connection, held);
      expect(before?.pages).toBeGreaterThan(80);
    }
    const { connection } = await start(dataDir);
    await expect
      .poll(async () => (await query<{ pages: number }>(connection, held))[0]?.pages)
      .toBeGreaterThan(80);
  });
});

describe("stopping and starting again", () => {
  it("stops the server cleanly and keeps the data", async () => {
    const dataDir = await usedDataDir();
    const first = await start(dataDir);
    await query(first.connection, "create table kept as select 7 as number");
    const pid = postmaster(dataDir);
    await first[Symbol.asyncDispose]();
    expect(isUp(dataDir)).toBe(false);
    await expect.poll(() => alive(pid)).toBe(false);
    const second = await start(dataDir);
    expect(await query(second.connection, "select number from kept")).toEqual([{ number: 7 }]);
    expect(readFileSync(join(dataDir, "postgres/server.log"), "utf8")).not.toContain(
      "not properly shut down",
    );
  });

  it("takes over the server of a process that was killed, and stops it in the end", async () => {
    const dataDir = await usedDataDir();
    const { child } = await hold(dataDir);
    const pid = postmaster(dataDir);
    await kill(child, "SIGKILL");
    expect(alive(pid)).toBe(true);
    const server = await start(dataDir);
    expect(postmaster(dataDir)).toBe(pid);
    await server[Symbol.asyncDispose]();
    expect(isUp(dataDir)).toBe(false);
  });

  it("leaves the server to a process that still uses it", async () => {
    const dataDir = await usedDataDir();
    const { child, connection } = await hold(dataDir);
    const server = await start(dataDir);
    await server[Symbol.asyncDispose]();
    expect(connection && (await query(connection, "select 1 as one"))).toEqual([{ one: 1 }]);
    await kill(child, "SIGTERM");
    expect(isUp(dataDir)).toBe(false);
  });

  it("recovers after the server was killed while nobody watched", async () => {
    const dataDir = await usedDataDir();
    const { child, connection } = await hold(dataDir);
    await query(connection!, "create table kept as select 7 as number");
    const pid = postmaster(dataDir);
    await kill(child, "SIGKILL");
    process.kill(pid, "SIGKILL");
    const server = await start(dataDir);
    expect(postmaster(dataDir)).not.toBe(pid);
    expect(await query(server.connection, "select number from kept")).toEqual([{ number: 7 }]);
  });

  it("starts a server that dies in use again, at the same address", async () => {
    const dataDir = await usedDataDir();
    const { connection } = await start(dataDir);
    await query(connection, "create table kept as select 7 as number");
    for (let round = 0; round < 3; round += 1) {
      const pid = postmaster(dataDir);
      process.kill(pid, "SIGKILL");
      await expect
        .poll(() => query(connection, "select number from kept").catch(() => []))
        .toEqual([{ number: 7 }]);
    }
  });

  it("is not misled by the lock file of a dead server whose process id another program got", async () => {
    const dataDir = await usedDataDir();
    const stranger = spawn("/bin/sleep", ["600"], { cwd: "/" });
    cleanups.push(() => kill(stranger, "SIGKILL"));
    writeFileSync(
      join(dataDir, "postgres/cluster/postmaster.pid"),
      `${stranger.pid}\n/proc/self/cwd\n1795177004\n5432\n../run\n\n 16039946 5\nready\n`,
    );
    const { connection } = await start(dataDir);
    expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBe(null);
  });
});

describe("several processes at once", () => {
  it("share one server, whichever starts it", async () => {
    const dataDir = await usedDataDir();
    const holders = await Promise.all([hold(dataDir), hold(dataDir), hold(dataDir)]);
    const starts = await Promise.all(
      holders.map(({ connection }) =>
        query<{ at: string }>(connection!, "select pg_postmaster_start_time()::text as at"),
      ),
    );
    expect(new Set(starts.map(([row]) => row?.at)).size).toBe(1);
    await Promise.all(holders.map(({ child }) => kill(child, "SIGTERM")));
    expect(isUp(dataDir)).toBe(false);
  });

  it("come and go at once without ever failing to get a server", async () => {
    const dataDir = await usedDataDir();
    const said: string[] = [];
    const visitor = async (): Promise<void> => {
      for (let visit = 0; visit < 4; visit += 1) {
        const visited = await hold(dataDir, "once");
        if (visited.child.exitCode === null) await once(visited.child, "exit");
        said.push(visited.said);
      }
    };
    await Promise.all([visitor(), visitor()]);
    expect(said).toEqual(Array.from({ length: 8 }, () => ""));
    expect(isUp(dataDir)).toBe(false);
  });

  it("wait for the start lock while its holder lives, and pass over it when the holder was killed", async () => {
    const dataDir = await usedDataDir();
    const lock = join(dataDir, "postgres/start.lock");
    const script = `import { underStartLock } from ${JSON.stringify(START_LOCK)};
      await underStartLock(${JSON.stringify(lock)}, 0, () => new Promise(() => setInterval(console.log, 50, "held")));`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    cleanups.push(() => kill(holder, "SIGKILL"));
    await once(holder.stdout, "data");
    let started = false;
    const starting = start(dataDir).then((server) => {
      started = true;
      return server;
    });
    await once(holder.stdout, "data");
    expect(started).toBe(false);
    await kill(holder, "SIGKILL");
    expect(await query((await starting).connection, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});
