import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The operating system identity the database server runs under. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

interface PasswdEntry extends RunAs {
  readonly name: string;
}

/**
 * Picks the identity for the server: `undefined` (run as this process) unless this process is root, which PostgreSQL
 * refuses. Root hands over to the owner of the first of `ownedDirs` that exists and is not root's, else to `postgres`,
 * else to `nobody`: `initdb` needs an identity with a passwd entry, and `nobody` always has one. A database that is
 * made already stays its owner's, who may have none (`DynamicUser` of systemd).
 *
 * @throws Error when this process is root and no such identity exists.
 */
export function chooseRunAs(ownedDirs: readonly string[]): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = passwdEntries();
  for (const dir of ownedDirs) {
    const { uid: owner, gid } = statSync(dir, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
    const user = users.find((entry) => entry.uid === owner);
    if (owner !== 0 && user !== undefined) return { uid: user.uid, gid: user.gid };
    if (owner !== 0 && existsSync(join(dir, "PG_VERSION"))) return { uid: owner, gid };
  }
  const user = ["postgres", "nobody"].flatMap((name) => users.filter((entry) => entry.name === name))[0];
  if (user === undefined) {
    throw new Error(
      "The embedded database cannot run as root, and neither a postgres nor a nobody user exists.",
    );
  }
  return { uid: user.uid, gid: user.gid };
}

function passwdEntries(): PasswdEntry[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 7)
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
