import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { provideCluster } from "@colophon/testing/process/cluster-template.ts";
import {
  type EmbeddedDatabase,
  embeddedDatabase,
  embeddedDatabaseUrl,
  postmasterPid,
} from "@colophon/testing/service-process.ts";
import { locateBinaries, serverEnvironment } from "../../packages/server/src/store/embedded/binaries.ts";
import { clusterPaths } from "../../packages/server/src/store/embedded/cluster.ts";
import { startEmbeddedPostgres } from "../../packages/server/src/store/embedded/embedded-postgres.ts";
import { clearReusedPid, spawnPostmaster } from "../../packages/server/src/store/embedded/postmaster.ts";
import { chooseRunAs } from "../../packages/server/src/store/embedded/run-as.ts";

const SILENT = { info: (): void => {}, warn: (): void => {} };
const START_MS = 60_000;

/** A PostgreSQL of the operator's: no service starts it, stops it or brings it back. */
export class OwnPostgres implements AsyncDisposable {
  readonly dataDir: string;
  readonly connection: EmbeddedDatabase;

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.connection = embeddedDatabase(dataDir);
  }

  /**
   * @param parent where its files are made; the machine's directory for temporary ones unless named
   * @param environment what every PostgreSQL program of this process finds in its environment beyond the usual
   */
  static async start(
    parent: string = tmpdir(),
    environment: Readonly<Record<string, string>> = {},
  ): Promise<OwnPostgres> {
    Object.assign(serverEnvironment, environment);
    const dataDir = await mkdtemp(join(parent, "colophon-own-"));
    await provideCluster(dataDir);
    const made = await startEmbeddedPostgres({ dataDir, log: SILENT });
    await made[Symbol.asyncDispose]();
    const server = new OwnPostgres(dataDir);
    await server.serve();
    return server;
  }

  /** What a service is given as `COLOPHON_DATABASE_URL`. */
  get url(): string {
    return embeddedDatabaseUrl(this.dataDir);
  }

  /** Makes a database without any table, beside the one that has the schema of this build. @returns its URL */
  async emptyDatabase(name: string): Promise<string> {
    const client = new Client(this.connection);
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return embeddedDatabaseUrl(this.dataDir, name);
  }

  /** Starts the server and waits until it answers. */
  async serve(): Promise<void> {
    const paths = clusterPaths(this.dataDir);
    const runAs = chooseRunAs([paths.cluster]);
    const binaries = await locateBinaries(paths.base, runAs);
    let attempt = spawnPostmaster(paths, binaries, runAs);
    for (const deadline = performance.now() + START_MS; ; await sleep(50)) {
      if (await this.#answers()) return;
      const failure = attempt.failure();
      if (performance.now() > deadline) {
        throw new Error(`PostgreSQL does not start: ${failure ?? "it does not answer"}`);
      }
      if (failure === undefined) continue;
      // The server before it is not quite gone.
      clearReusedPid(paths.cluster);
      attempt = spawnPostmaster(paths, binaries, runAs);
    }
  }

  /** Stops every process of the server where it is: connections stay, and nothing answers. */
  freeze(): void {
    for (const pid of this.#processes()) signal(pid, "SIGSTOP");
  }

  thaw(): void {
    for (const pid of this.#processes()) signal(pid, "SIGCONT");
  }

  /** Kills every process of the server; connections are refused from now on. */
  kill(): void {
    for (const pid of this.#processes()) signal(pid, "SIGKILL");
  }

  /** Shuts the server down: in order, though without waiting for its clients. */
  async shutDown(): Promise<void> {
    const pid = postmasterPid(this.dataDir);
    signal(pid, "SIGINT");
    while (isAlive(pid)) await sleep(10);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.thaw();
      this.kill();
    } catch {
      // It is down already.
    }
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The postmaster, which is stopped so that it starts no more, and then its children. */
  #processes(): readonly number[] {
    const postmaster = postmasterPid(this.dataDir);
    signal(postmaster, "SIGSTOP");
    return [postmaster, ...childrenOf(postmaster)];
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ ...this.connection, connectionTimeoutMillis: 1_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }
}

/** Process ids of a process's children (Linux). */
function childrenOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 1).split(" ")[2]);
  } catch {
    return null;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
