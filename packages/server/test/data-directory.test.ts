import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ADMIN = "damage-test-admin-token";

const run = promisify(execFile);

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "colophon-damage-"));
  const service = await ServiceProcess.start(serviceEnvironment(join(home, "sound"), ADMIN));
  await service.end("SIGTERM");
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

/** What a service says that is started on a copy of a sound data directory, once `damage` was done to it. */
async function startOnDamaged(
  damage: (dataDir: string) => Promise<unknown>,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ said: string; dataDir: string }> {
  const dataDir = await mkdtemp(join(home, "damaged-"));
  await run("cp", ["-Rp", `${join(home, "sound")}/.`, dataDir]);
  await damage(dataDir);
  const start = ServiceProcess.start({ ...serviceEnvironment(dataDir, ADMIN), ...settings });
  const error = await start.then(
    async (service) => {
      await service.end("SIGTERM");
      return new Error("It started.");
    },
    (reason: unknown) => reason,
  );
  const said = error instanceof Error ? error.message : "";
  return { said: said.replace("The service ended before it listened:\n", ""), dataDir };
}

/** Puts a file in the place of something. */
async function fileAt(path: string, content = "x"): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await writeFile(path, content);
}

async function folderAt(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
}

const line = (words: string): RegExp => new RegExp(`^Colophon did not start: [^\\n]*${words}[^\\n]*\\n$`);

describe("a damaged data directory", () => {
  it.each([
    ["postgres/cluster/PG_VERSION", (path: string) => rm(path), "is no whole database"],
    ["postgres/cluster/PG_VERSION", (path: string) => fileAt(path, ""), "is no whole database"],
    ["postgres/cluster/global/pg_control", (path: string) => rm(path), "could not find the database system"],
    ["postgres/cluster/postgresql.conf", (path: string) => fileAt(path, "not a setting"), "syntax error"],
    ["postgres/start.lock", (path: string) => fileAt(path, "x".repeat(5000)), "start lock .* is damaged"],
    ["postgres", fileAt, "is a file where a folder should be"],
    ["queries", fileAt, "is a file where a folder should be"],
    ["queries/pool-id", fileAt, "holds no id"],
    ["key-encryption-key", fileAt, "must hold 32 bytes in base64"],
    ["key-encryption-key", folderAt, "is a folder where a file should be"],
    [
      "key-encryption-key",
      (path: string) => fileAt(path, Buffer.alloc(32, 1).toString("base64")),
      "does not open the keys",
    ],
  ])("stops the start with one line that says so: %s", async (name, damage, words) => {
    const { said } = await startOnDamaged((dataDir) => damage(join(dataDir, name)));
    expect(said).toMatch(line(words));
  });

  it("is left as it is: a key that is lost is not replaced by another", async () => {
    const { said, dataDir } = await startOnDamaged((path) => rm(join(path, "key-encryption-key")));
    expect(said).toMatch(line("There is no .*key-encryption-key"));
    await expect(readFile(join(dataDir, "key-encryption-key"))).rejects.toThrow("ENOENT");
  });

  it("opens nothing to anybody: an empty file of the operator's token stops the start", async () => {
    const { said } = await startOnDamaged((path) => writeFile(join(path, "admin-token"), "\n"), {
      COLOPHON_ADMIN_TOKEN: "",
    });
    expect(said).toMatch(line("admin-token holds no token"));
  });

  it("is refused where it is a file itself", async () => {
    const { said } = await startOnDamaged(fileAt);
    expect(said).toMatch(line("is a file where a folder should be"));
  });
});
