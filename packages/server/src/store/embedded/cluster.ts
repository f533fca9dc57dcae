import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chown, lchown, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Binaries, serverEnvironment } from "./binaries.ts";
import { syncFolder } from "../../durable-file.ts";
import { errorCode } from "../../error-code.ts";
import type { RunAs } from "./run-as.ts";

/** Name of the superuser and of the database that every cluster is made with. */
export const CLUSTER_NAME = "colophon";

const UNFINISHED = "cluster.new-";

/** Paths of one embedded database, all under `<data dir>/postgres`. */
export interface ClusterPaths {
  readonly base: string;
  readonly cluster: string;
  /** Holds the server's socket. */
  readonly run: string;
  readonly lock: string;
  readonly log: string;
}

/** Names the paths below `dataDir`, which must be absolute. */
export function clusterPaths(dataDir: string): ClusterPaths {
  const base = join(dataDir, "postgres");
  return {
    base,
    cluster: join(base, "cluster"),
    run: join(base, "run"),
    lock: join(base, "start.lock"),
    log: join(base, "server.log"),
  };
}

/**
 * How a PostgreSQL program started with its working directory in the cluster names the cluster. An identity that
 * root dropped to may be unable to reach it by its path (the data directory is root's, or under root's home);
 * Linux's link to the working directory reaches it regardless.
 */
export function clusterArgument(cluster: string, runAs: RunAs | undefined): string {
  return runAs !== undefined && process.platform === "linux" ? "/proc/self/cwd" : cluster;
}

/**
 * Makes the cluster when there is none, complete with its database: in a directory of its own, renamed when
 * finished, so that an interruption leaves nothing that could be taken for a cluster. The caller holds the start lock.
 *
 * @throws Error in one sentence when the cluster is of another major version.
 */
export async function ensureCluster(
  paths: ClusterPaths,
  binaries: Binaries,
  runAs: RunAs | undefined,
): Promise<void> {
  for (const name of await readdir(paths.base)) {
    if (name.startsWith(UNFINISHED)) await rm(join(paths.base, name), { recursive: true, force: true });
  }
  if (existsSync(paths.cluster)) {
    checkMajor(paths.cluster, binaries.major);
    if (runAs !== undefined) await handOver(paths.cluster, runAs);
    return;
  }
  const unfinished = join(paths.base, UNFINISHED + randomBytes(6).toString("hex"));
  await mkdir(unfinished, { mode: 0o700 });
  if (runAs !== undefined) await chown(unfinished, runAs.uid, runAs.gid);
  await fillCluster(unfinished, binaries, runAs);
  await rename(unfinished, paths.cluster);
  await syncFolder(paths.base);
}

async function fillCluster(dir: string, binaries: Binaries, runAs: RunAs | undefined): Promise<void> {
  const as = { ...runAs, cwd: dir, env: serverEnvironment };
  const where = ["-D", clusterArgument(dir, runAs)];
  const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "-E", "UTF8"];
  const access = ["-U", CLUSTER_NAME, "-A", "trust", "--no-instructions"];
  await finished(spawn(binaries.initdb, [...where, ...locale, ...access], { ...as, stdio: "pipe" }));
  const single = spawn(binaries.postgres, ["--single", ...where, "postgres"], { ...as, stdio: "pipe" });
  single.stdin.end(`create database ${CLUSTER_NAME}\n`);
  await finished(single);
}

function finished(child: ChildProcess): Promise<void> {
  let said = "";
  child.stdout?.resume();
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`The database could not be made (${signal ?? `exit ${code}`}): ${said.trim()}`));
    });
  });
}

/** A cluster put back by root, from a backup say, is root's; the server must own it. */
async function handOver(cluster: string, runAs: RunAs): Promise<void> {
  if ((await stat(cluster)).uid === runAs.uid) return;
  await lchown(cluster, runAs.uid, runAs.gid);
  for (const entry of await readdir(cluster, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), runAs.uid, runAs.gid);
  }
}

function checkMajor(cluster: string, major: number): void {
  const made = versionIn(cluster);
  if (made === String(major)) return;
  if (!/^\d+$/.test(made)) {
    throw new Error(
      `${cluster} is not a whole database (its PG_VERSION is missing or damaged): restore it from a backup, or move it away to begin with an empty one.`,
    );
  }
  throw new Error(
    `The database in ${cluster} was made by PostgreSQL ${made}, and this Colophon carries PostgreSQL ${major}: start it with the Colophon that made it, or move the data to a server of your own and set COLOPHON_DATABASE_URL.`,
  );
}

function versionIn(cluster: string): string {
  try {
    return readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}
