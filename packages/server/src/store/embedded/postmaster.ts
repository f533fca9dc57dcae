import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  globSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { release, totalmem } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Binaries, serverEnvironment } from "./binaries.ts";
import { type ClusterPaths, clusterArgument } from "./cluster.ts";
import { errorCode } from "../../error-code.ts";
import type { RunAs } from "./run-as.ts";
import { SOCKET_PORT } from "./socket-path.ts";

const MAX_LOG_BYTES = 16 * 1024 * 1024;
const MAX_FAILURE_CHARACTERS = 2_000;
const STOP_POLL_MS = 10;
/** How long a server may take that is not asked any more. */
const LAST_RESORT_MS = 5_000;
const MIB = 2 ** 20;
const LEAST_SHARED_BUFFERS = 256 * MIB;
/** Times what the tables hold when the server starts: room for a registry to grow in until it is started again. */
const ROOM_TO_GROW = 8;

/**
 * The server's settings. Durability (`fsync`, `full_page_writes`, `synchronous_commit`) stays at its safe defaults.
 * Each b-tree page touched after a checkpoint is logged whole, so checkpoints are far apart; index-only scans of the
 * postings need a fresh visibility map, so inserts alone trigger vacuum early. A segment of the write-ahead log that is
 * done with is removed, not kept to be written over one day: it holds what was taken down since. No value a caller sent
 * reaches the log. What the server has in its memory when it stops, or had within the last five minutes, is read again
 * after the next start (`pg_prewarm`): a look-up's words lead to a thousand pages.
 */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  port: String(SOCKET_PORT),
  max_connections: "100",
  max_wal_size: "4GB",
  checkpoint_timeout: "20min",
  wal_recycle: "off",
  jit: "off",
  shared_preload_libraries: "pg_prewarm",
  autovacuum_vacuum_insert_scale_factor: "0.02",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  log_min_error_statement: "panic",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  recovery_init_sync_method: reportsSyncfsErrors() ? "syncfs" : "fsync",
};

/**
 * What one statement has used stays for the next one, 2 MiB of each connection's: the C library gives back all that is
 * beyond 128 KiB, the postings of a look-up with every statement, and the system is slow to give memory.
 */
const KEPT = "glibc.malloc.mmap_threshold=2097152:glibc.malloc.trim_threshold=2097152";

/**
 * Bytes of the memory that the server's processes share pages in. What it does not hold comes from the system's cache,
 * and with a million originals, whose postings and ranking parts take 6 GB, that would be most of what a look-up costs
 * the database: a quarter of the machine's memory, or of what this process may use of it. A small registry has less:
 * pages take memory as they are read, but the table of them is made, and gone through, whole.
 */
function sharedBuffers(cluster: string): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const share = Math.min(totalmem(), limit) / 4;
  return Math.max(LEAST_SHARED_BUFFERS, Math.min(share, ROOM_TO_GROW * tableBytes(cluster)));
}

/** Bytes of all databases' files. What is missing counts nothing: the server says so itself. */
function tableBytes(cluster: string): number {
  let bytes = 0;
  for (const path of globSync("base/*/*", { cwd: cluster })) {
    bytes += statSync(join(cluster, path), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

/** Linux reports write errors through `syncfs` since 5.8; it makes recovery an order of magnitude faster. */
function reportsSyncfsErrors(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 5 || (major === 5 && minor >= 8));
}

/** A server being started by this process. */
export interface Attempt {
  /** What the server wrote to its log once it has exited, `undefined` while it runs. */
  readonly failure: () => string | undefined;
}

/**
 * Starts the server in a session of its own (a terminal's Ctrl-C must not reach it before the requests in
 * flight are done) and with its log in a file (a pipe would break with this process).
 */
export function spawnPostmaster(paths: ClusterPaths, binaries: Binaries, runAs: RunAs | undefined): Attempt {
  const logOffset = rotateLog(paths.log);
  const log = openSync(paths.log, "a", 0o600);
  const all = {
    ...settings,
    shared_buffers: `${Math.floor(sharedBuffers(paths.cluster) / MIB)}MB`,
    unix_socket_directories: relative(paths.cluster, paths.run),
  };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let exited = false;
  try {
    const child: ChildProcess = spawn(
      binaries.postgres,
      ["-D", clusterArgument(paths.cluster, runAs), ...options],
      {
        ...runAs,
        cwd: paths.cluster,
        env: { ...serverEnvironment, GLIBC_TUNABLES: KEPT },
        detached: true,
        stdio: ["ignore", log, log],
      },
    );
    const end = (): void => {
      exited = true;
    };
    child.once("exit", end).once("error", end).unref();
  } finally {
    closeSync(log);
  }
  return { failure: () => (exited ? logSince(paths.log, logOffset) : undefined) };
}

function rotateLog(log: string): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_LOG_BYTES) return size;
  renameSync(log, `${log}.1`);
  return 0;
}

/** The lines since `offset` but for those that tell our own attempts to connect to wait. */
function logSince(log: string, offset: number): string {
  const lines = readFileSync(log).subarray(offset).toString("utf8").trim().split("\n");
  const telling = lines.filter((line) => !/the database system is|Consistent recovery state/.test(line));
  return telling.join("\n").slice(-MAX_FAILURE_CHARACTERS);
}

/** Whether a start failed of the server before it, which is not quite gone: tried again, it may succeed. */
export function isOfServerBefore(failure: string): boolean {
  return /lock file .* already exists|shared memory block .* still in use/.test(failure);
}

/**
 * Removes a lock file of a server that is gone when its process id has meanwhile gone to another program; PostgreSQL
 * itself recognises only ids that belong to nobody. The caller holds the start lock.
 */
export function clearReusedPid(cluster: string): void {
  const pid = postmasterPid(cluster);
  if (pid !== undefined && isAlive(pid) && !isPostmasterOf(pid, cluster)) {
    rmSync(join(cluster, "postmaster.pid"), { force: true });
  }
}

/**
 * Stops the server and waits until it is down: a fast shutdown, an immediate one when that is not done after
 * `timeoutMs`, and at last the kernel's. The latter two leave a crash recovery to the next start, and lose nothing
 * acknowledged.
 */
export async function stopPostmaster(cluster: string, timeoutMs: number): Promise<void> {
  const pid = postmasterPid(cluster);
  if (pid === undefined || !isAlive(pid) || !isPostmasterOf(pid, cluster)) return;
  const ways = [
    ["SIGINT", timeoutMs],
    ["SIGQUIT", LAST_RESORT_MS],
    ["SIGKILL", LAST_RESORT_MS],
  ] as const;
  for (const [signal, patience] of ways) {
    process.kill(pid, signal);
    const deadline = performance.now() + patience;
    while (performance.now() < deadline) {
      if (postmasterPid(cluster) !== pid || !isAlive(pid)) return;
      await sleep(STOP_POLL_MS);
    }
  }
}

/** The process id in the cluster's lock file, `undefined` without one. */
function postmasterPid(cluster: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, "postmaster.pid"), "utf8"), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** A postmaster's working directory is its cluster. */
function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    return execFileSync("/bin/ps", ["-p", String(pid), "-o", "comm="], { encoding: "utf8" }).includes(
      "postgres",
    );
  } catch {
    return false;
  }
}
