import { statSync } from "node:fs";
import { chmod, chown, mkdir, open, realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { makeFolder } from "../../durable-file.ts";
import { type Binaries, locateBinaries } from "./binaries.ts";
import { CLUSTER_NAME, type ClusterPaths, clusterPaths, ensureCluster } from "./cluster.ts";
import {
  type Attempt,
  clearReusedPid,
  isOfServerBefore,
  spawnPostmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { errorCode } from "../../error-code.ts";
import { firstLineOf, messageOf } from "../../error-message.ts";
import { chooseRunAs, type RunAs } from "./run-as.ts";
import { forgetSocketDir, reachableSocketDir, SOCKET_PORT } from "./socket-path.ts";
import { StartLockHeld, underStartLock } from "./start-lock.ts";

const LOCK_TIMEOUT_MS = 120_000;
const START_TIMEOUT_MS = 60_000;
/** How long a stop waits for the start lock, for a server's word on who else uses it, and for its shutdown. */
const LEAVE_LOCK_MS = 5_000;
const SHARED_ANSWER_MS = 3_000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 30;
const MAX_LAST_WORDS = 600;
const RESTART_PAUSE_MS = 200;
const LONGEST_RESTART_PAUSE_MS = 5_000;
/** How long a connection that was just closed may still show among the server's sessions. */
const LEAVING_MS = 1_000;
/** A server just killed may leave its socket to a child of its that will not answer. */
const ANSWER_MS = 5_000;
/** SQLSTATEs of a server that is starting, recovering or stopping. */
const CANNOT_CONNECT_NOW = /^57P0/;

/** How connecting fails without a server; a connection that breaks off while it is made carries no code. */
const NOBODY_LISTENS: ReadonlySet<string> = new Set(["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE"]);

/** Where a `pg` client or pool finds the embedded database. */
export interface EmbeddedConnection {
  /** Directory of the server's unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** What the launcher reports to; a pino logger fits. */
export interface LauncherLog {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * A running embedded database in use by this process. Disposing stops the server when nobody else is connected to it,
 * whichever process started it; the caller closes its own pool first.
 */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly connection: EmbeddedConnection;
}

/**
 * Serves the PostgreSQL database under `dataDir`: joins the server that already runs there (another service process's,
 * or one whose process was killed), else starts it, making the database first if there is none. A server that dies
 * while this process uses it is started again; its `connection` stays the same.
 *
 * @throws Error in one sentence when the platform is unsupported, the database is of another major version or
 *   another user's, or the server does not start.
 */
export async function startEmbeddedPostgres(options: {
  readonly dataDir: string;
  readonly log: LauncherLog;
}): Promise<EmbeddedPostgres> {
  await makeFolder(options.dataDir);
  const paths = clusterPaths(await realpath(options.dataDir));
  const runAs = chooseRunAs([paths.cluster, paths.base, options.dataDir]);
  await prepareDirectories(paths, runAs);
  const server = new SharedServer(paths, runAs, await locateBinaries(paths.base, runAs), options.log);
  await server.join();
  return server;
}

async function prepareDirectories(paths: ClusterPaths, runAs: RunAs | undefined): Promise<void> {
  const owner = statSync(paths.base, { throwIfNoEntry: false })?.uid;
  if (runAs === undefined && owner !== undefined && owner !== process.getuid?.()) {
    throw new Error(`${paths.base} belongs to uid ${owner}: start Colophon as that user or as root.`);
  }
  for (const dir of [paths.base, paths.run]) {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await chmod(dir, 0o700);
    if (runAs !== undefined) await chown(dir, runAs.uid, runAs.gid);
  }
  for (const file of [paths.lock, paths.log]) {
    await using handle = await open(file, "a", 0o600);
    if (runAs !== undefined) await handle.chown(runAs.uid, runAs.gid);
  }
}

/** One process's share in the server: a connection held open tells other processes that it is in use. */
class SharedServer implements EmbeddedPostgres {
  readonly connection: EmbeddedConnection;
  readonly #paths: ClusterPaths;
  readonly #runAs: RunAs | undefined;
  readonly #binaries: Binaries;
  readonly #log: LauncherLog;
  #held: Client | undefined;
  #rejoining: Promise<void> = Promise.resolve();
  #disposed = false;
  #stopped: Promise<void> | undefined;
  readonly #leaving = new AbortController();

  constructor(paths: ClusterPaths, runAs: RunAs | undefined, binaries: Binaries, log: LauncherLog) {
    this.#paths = paths;
    this.#runAs = runAs;
    this.#binaries = binaries;
    this.#log = log;
    const host = reachableSocketDir(paths.run);
    this.connection = { host, port: SOCKET_PORT, user: CLUSTER_NAME, database: CLUSTER_NAME };
  }

  async join(): Promise<void> {
    const client = await underStartLock(this.#paths.lock, LOCK_TIMEOUT_MS, async () => {
      await ensureCluster(this.#paths, this.#binaries, this.#runAs);
      return await this.#serve();
    });
    client.once("end", () => {
      if (!this.#disposed) this.#rejoining = this.#rejoin();
    });
    this.#held = client;
  }

  /** Connects, starting the server as often as it takes. The caller holds the start lock. */
  async #serve(): Promise<Client> {
    let attempt: Attempt | undefined;
    let deadline = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      const answer = await knock(this.connection);
      if (answer instanceof Client) return answer;
      if (this.#disposed) throw new Error("The service stops.");
      const failure = attempt?.failure();
      if (answer === "notYet") {
        deadline = performance.now() + START_TIMEOUT_MS;
      } else if (attempt === undefined || failure !== undefined) {
        if (failure !== undefined && !isOfServerBefore(failure)) throw this.#notStarted(failure);
        clearReusedPid(this.#paths.cluster);
        attempt = spawnPostmaster(this.#paths, this.#binaries, this.#runAs);
      }
      if (performance.now() > deadline) throw this.#notStarted(failure ?? "it does not answer");
      await sleep(failure === undefined ? POLL_MS : RESTART_PAUSE_MS);
    }
  }

  #notStarted(why: string): Error {
    return new Error(`The embedded database did not start (log: ${this.#paths.log}): ${inOneLine(why)}`);
  }

  async #rejoin(): Promise<void> {
    this.#log.warn("The embedded database went away; starting it again.");
    let told = "";
    for (
      let pause = RESTART_PAUSE_MS;
      !this.#disposed;
      pause = Math.min(2 * pause, LONGEST_RESTART_PAUSE_MS)
    ) {
      try {
        await this.join();
        this.#log.info("The embedded database serves again.");
        return;
      } catch (error) {
        const why = firstLineOf(error);
        if (why !== told) this.#log.warn(why);
        told = why;
        await sleep(pause, undefined, { signal: this.#leaving.signal }).catch(() => undefined);
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#disposed = true;
    this.#leaving.abort();
    await this.#rejoining;
    try {
      await underStartLock(this.#paths.lock, LEAVE_LOCK_MS, () => this.#leave());
    } catch (error) {
      await this.#leaveWithoutLock(error);
    }
  }

  /** A lock that somebody else holds means a process that starts; any other trouble with it is no reason to stay up. */
  async #leaveWithoutLock(error: unknown): Promise<void> {
    if (error instanceof StartLockHeld) {
      this.#log.info("The embedded database stays up: another process starts.");
      this.#letGo();
      return;
    }
    this.#log.warn(`The start lock failed (${messageOf(error)}); leaving without it.`);
    await this.#leave();
  }

  /** Not waited for: a server that hangs would never see the connection off. */
  #letGo(): void {
    this.#held?.end().catch(() => undefined);
  }

  async #leave(): Promise<void> {
    const shared = this.#held !== undefined && (await isShared(this.#held));
    this.#letGo();
    if (shared) {
      this.#log.info("The embedded database stays up: another process uses it.");
      return;
    }
    await stopPostmaster(this.#paths.cluster, STOP_TIMEOUT_MS);
    forgetSocketDir(this.#paths.run);
  }
}

/** A server's last words in one line, without those of a start that goes well. */
function inOneLine(words: string): string {
  return words
    .split("\n")
    .filter((line) => !/LOG: {2}(starting|listening|database system|shutting down)/.test(line))
    .map((line) => line.replace(/^[\d-]+ [\d:.]+ UTC \[\d+\] /, ""))
    .join("; ")
    .slice(0, MAX_LAST_WORDS);
}

/** One connection attempt: the client, `notYet` from a server that cannot serve now, `absent` without a server. */
async function knock(connection: EmbeddedConnection): Promise<Client | "notYet" | "absent"> {
  const client = new Client({
    ...connection,
    application_name: "colophon launcher",
    connectionTimeoutMillis: ANSWER_MS,
  });
  client.on("error", () => {
    // A lost connection shows as its `end`.
  });
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined && CANNOT_CONNECT_NOW.test(code)) return "notYet";
    if (code === undefined || NOBODY_LISTENS.has(code)) return "absent";
    throw error;
  }
}

/** Whether anybody else is connected; a server that does not say serves nobody. */
async function isShared(held: Client): Promise<boolean> {
  const deadline = performance.now() + LEAVING_MS;
  const silence = new AbortController();
  const silent = sleep(SHARED_ANSWER_MS, undefined, silence).then(() => {
    throw new Error("The server does not answer.");
  });
  silent.catch(() => undefined);
  try {
    for (;;) {
      const asked = held.query<{ others: number }>(
        "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      const { rows } = await Promise.race([asked, silent]);
      if (rows[0]?.others === 0) return false;
      if (performance.now() > deadline) return true;
      await sleep(POLL_MS);
    }
  } catch {
    return false;
  } finally {
    silence.abort();
  }
}
