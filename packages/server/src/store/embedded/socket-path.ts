import { createHash } from "node:crypto";
import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The port only names the socket file; no TCP port is opened. */
export const SOCKET_PORT = 5432;

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, the terminating zero included. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * The directory a client names to reach the socket in `runDir`: `runDir` itself or, where that makes the socket's
 * path too long for the operating system, a short link to it whose name follows from `runDir` and the user.
 *
 * @throws Error when the short link's name is taken by another user.
 */
export function reachableSocketDir(runDir: string): string {
  if (fits(runDir)) return runDir;
  const short = shortLink(runDir);
  if (!pointsTo(short, runDir)) {
    rmSync(short, { force: true });
    symlinkSync(runDir, short);
  }
  return short;
}

/** Removes the short link that {@link reachableSocketDir} may have made. */
export function forgetSocketDir(runDir: string): void {
  if (!fits(runDir)) rmSync(shortLink(runDir), { force: true });
}

function fits(dir: string): boolean {
  return Buffer.byteLength(join(dir, `.s.PGSQL.${SOCKET_PORT}`)) <= MAX_SOCKET_PATH_BYTES;
}

function shortLink(runDir: string): string {
  const digest = createHash("sha256").update(runDir).digest("hex").slice(0, 16);
  const name = `colophon-${process.getuid?.() ?? 0}-${digest}`;
  return fits(join(tmpdir(), name)) ? join(tmpdir(), name) : join("/tmp", name);
}

/** A link of another user is not trusted: it could lead to a server of theirs. */
function pointsTo(link: string, target: string): boolean {
  const found = lstatSync(link, { throwIfNoEntry: false });
  return (
    found?.isSymbolicLink() === true && found.uid === process.getuid?.() && readlinkSync(link) === target
  );
}
