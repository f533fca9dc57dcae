import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OwnPostgres } from "../../../trials/support/own-postgres.ts";
import { restoreOlderRegistry } from "../../../trials/support/restored-older-registry.ts";
import { runBackup } from "../src/backup/run-backup.ts";
import { runFsck } from "../src/fsck/run-fsck.ts";
import { type RotatedKey, runKeyRotation } from "../src/keys/run-key-rotation.ts";
import type { Out } from "../src/operator-command.ts";
import { runIndexStatus } from "../src/split/run-index-status.ts";
import { runSplit } from "../src/split/run-split.ts";
import { TlsFront } from "./support/tls-front.ts";

const OLDEST = new URL("support/oldest-registry.json.gz", import.meta.url);

let home: string;
let own: OwnPostgres;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "colophon-operators-"));
  own = await OwnPostgres.start(home);
});

afterAll(async () => {
  await own[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

const COMMANDS: Readonly<Record<string, (environment: Record<string, string>, out: Out) => Promise<number>>> =
  {
    backup: (environment, out) => {
      const { signal } = new AbortController();
      const file = join(home, `${crypto.randomUUID()}.backup`);
      return runBackup(environment, { file, passphrase: null, signal }, out);
    },
    fsck: (environment, out) => runFsck(environment, { atRest: false, packets: true }, out),
    "key rotate": (environment, out) => runKeyRotation(environment, "intermediate", null, out),
    "index status": (environment, out) => runIndexStatus(environment, out),
  };

/** What each command says, which comes to nothing. */
async function said(environment: Record<string, string>): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [name, command] of Object.entries(COMMANDS)) {
    let text = "";
    const code = await command(environment, { write: (part) => (text += part) });
    all[name] = `${code} ${text.replace(/^[^:]*: /, "")}`;
  }
  return all;
}

const each = (text: string, names: readonly string[] = Object.keys(COMMANDS)): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, text]));

describe("a command of the operator's on a deployment that is not there", () => {
  it("says so of a folder that holds something else, and puts nothing into it", async () => {
    const elsewhere = await mkdtemp(join(home, "elsewhere-"));
    expect(await said({ COLOPHON_DATA_DIR: elsewhere })).toEqual(
      each(`1 There is no registry in ${elsewhere}.\n`),
    );
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it("tells a user who may not read the data directory whose command it is", async () => {
    await chmod(home, 0o711);
    const closed = join(home, "closed");
    await mkdir(closed, { mode: 0o000 });
    const dataDir = join(closed, "data");
    // No mode keeps root out.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(61_193);
    try {
      expect(await said({ COLOPHON_DATA_DIR: dataDir })).toEqual(
        each(`1 This user may not read ${dataDir}: run the command as the user that runs the service.\n`),
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it("names the setting of a database that does not let it in", async () => {
    const dataDir = await mkdtemp(join(home, "refused-"));
    for (const [url, reason] of [
      ["postgresql://127.0.0.1:1/colophon", "connect ECONNREFUSED 127.0.0.1:1"],
      [own.url.replace("/colophon?", "/nosuch?"), 'database "nosuch" does not exist'],
    ] as const) {
      const environment = { COLOPHON_DATA_DIR: dataDir, COLOPHON_DATABASE_URL: url };
      expect(await said(environment)).toEqual(
        each(`1 COLOPHON_DATABASE_URL must be a PostgreSQL that lets this process in: ${reason}.\n`),
      );
    }
  });

  it("reaches a database over TLS where its certificate leads to a CA that is named, and is its host's", async () => {
    const { host, port, user } = own.connection;
    await using front = await TlsFront.before(`${host}/.s.PGSQL.${port}`, await mkdtemp(join(home, "tls-")));
    await own.emptyDatabase("encrypted");
    const dataDir = await mkdtemp(join(home, "encrypted-"));
    const under = (at: string, parameters: string): Promise<Record<string, string>> =>
      said({
        COLOPHON_DATA_DIR: dataDir,
        COLOPHON_DATABASE_URL: `postgresql://${user}@${at}:${front.port}/encrypted?${parameters}`,
      });
    const named = `sslrootcert=${front.authority}`;
    expect(await under("localhost", `sslmode=verify-full&${named}`)).toEqual(
      each("1 There is no registry in this database.\n"),
    );
    const refused = "1 COLOPHON_DATABASE_URL must be a PostgreSQL that lets this process in: ";
    const unknown = `${refused}its certificate leads to no CA that is known here: sslrootcert names the file of one.\n`;
    expect(await under("localhost", "sslmode=verify-full")).toEqual(each(unknown));
    expect(await under("localhost", `sslmode=require&sslrootcert=${front.otherAuthority}`)).toEqual(
      each(unknown),
    );
    let split = "";
    const servers = [`postgresql://${user}@localhost:${front.port}/encrypted?sslmode=verify-full`];
    const { signal } = new AbortController();
    const ofOwn = { COLOPHON_DATABASE_URL: own.url };
    await runSplit(ofOwn, { servers, signal }, { write: (part) => (split += part) });
    expect(split).toContain("/encrypted: its certificate leads to no CA that is known here");
    const { backup } = await under("127.0.0.1", `sslmode=verify-full&${named}`);
    expect(backup).toContain(`${refused}Hostname/IP does not match`);
  });

  it("says so of an empty database: no backup of nothing is called one", async () => {
    const environment = {
      COLOPHON_DATA_DIR: await mkdtemp(join(home, "empty-")),
      COLOPHON_DATABASE_URL: await own.emptyDatabase("nothing"),
    };
    expect(await said(environment)).toEqual(each("1 There is no registry in this database.\n"));
  });

  it("sends to the service where the registry is of an earlier build; a backup of it is made all the same", async () => {
    const connectionString = await own.emptyDatabase("earlier");
    await restoreOlderRegistry(OLDEST, { connectionString });
    const environment = {
      COLOPHON_DATA_DIR: await mkdtemp(join(home, "earlier-")),
      COLOPHON_DATABASE_URL: connectionString,
    };
    const { backup, ...others } = await said(environment);
    expect(backup).toMatch(/^0 /);
    expect(others).toEqual(
      each(
        "1 The registry is of an earlier build: start its service once with this one, and run this again.\n",
        Object.keys(others),
      ),
    );
  });
});

describe("a rotation of keys", () => {
  it("takes the next key from a file only where that of now comes from the environment, in a variable or a file", async () => {
    const dataDir = await mkdtemp(join(home, "rotated-"));
    const file = join(home, "key");
    await writeFile(file, Buffer.alloc(32, 1).toString("base64"));
    const rotated = async (
      key: RotatedKey,
      nextKeyFile: string | null,
      environment: Record<string, string>,
    ): Promise<string> => {
      let out = "";
      const settings = { COLOPHON_DATA_DIR: dataDir, COLOPHON_DATABASE_URL: own.url, ...environment };
      expect(await runKeyRotation(settings, key, nextKeyFile, { write: (text) => (out += text) })).toBe(1);
      return out;
    };
    const refused =
      "No key was rotated: --next-key-file is for an encryption-key that comes from the environment.\n";
    expect(await rotated("encryption-key", file, {})).toBe(refused);
    const inFile = { COLOPHON_KEY_ENCRYPTION_KEY_FILE: file };
    expect(await rotated("intermediate", file, inFile)).toBe(refused);
    expect(await rotated("encryption-key", null, inFile)).toBe(
      "No key was rotated: The key-encryption key comes from the environment: name a file with the next one, --next-key-file.\n",
    );
  });
});
