import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "../src/compose.ts";
import { readConfig, readSecrets } from "../src/config/environment.ts";
import { startFailure } from "../src/start-failure.ts";

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

/** A copy of a sound data directory, once `damage` was done to it. */
async function damaged(damage: (dataDir: string) => Promise<unknown>): Promise<string> {
  const dataDir = await mkdtemp(join(home, "damaged-"));
  await run("cp", ["-Rp", `${join(home, "sound")}/.`, dataDir]);
  await damage(dataDir);
  return dataDir;
}

/** What a service in a process of its own says at its start. */
async function saidByProcess(dataDir: string): Promise<string> {
  const start = ServiceProcess.start(serviceEnvironment(dataDir, ADMIN));
  const error = await start.then(
    async (service) => {
      await service.end("SIGTERM");
      return new Error("It started.");
    },
    (reason: unknown) => reason,
  );
  const said = error instanceof Error ? error.message : "";
  return said.replace("The service ended before it listened:\n", "");
}

/** What a service that is started in this process says, its log before all. */
async function saidAtStart(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const environment = { ...serviceEnvironment(dataDir, ADMIN), ...settings };
  let said = "";
  const log = pino({}, { write: (line) => (said += line) });
  try {
    const service = await startService(readConfig(environment), readSecrets(environment), log);
    await service[Symbol.asyncDispose]();
  } catch (error) {
    said += `${startFailure(error)}\n`;
  }
  return said;
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

it("a data directory that cannot be made is named at once", async () => {
  expect(await saidAtStart("/proc/nosuch/data")).toMatch(
    line("there is no /proc/nosuch, and it cannot be made"),
  );
});

describe("a damaged data directory", () => {
  it.each([
    ["postgres/cluster/PG_VERSION", (path: string) => rm(path), "is not a whole database"],
    ["postgres/cluster/PG_VERSION", (path: string) => fileAt(path, ""), "is not a whole database"],
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
    expect(await saidAtStart(await damaged((dataDir) => damage(join(dataDir, name))))).toMatch(line(words));
  });

  it("ends its process with that line alone: postgres/cluster/global/pg_control", async () => {
    const dataDir = await damaged((path) => rm(join(path, "postgres/cluster/global/pg_control")));
    expect(await saidByProcess(dataDir)).toMatch(line("could not find the database system"));
  });

  it("is left as it is: a key that is lost is not replaced by another", async () => {
    const dataDir = await damaged((path) => rm(join(path, "key-encryption-key")));
    expect(await saidAtStart(dataDir)).toMatch(line("There is no .*key-encryption-key"));
    await expect(readFile(join(dataDir, "key-encryption-key"))).rejects.toThrow("ENOENT");
  });

  it("opens nothing to anybody: an empty file of the operator's token stops the start", async () => {
    const dataDir = await damaged((path) => writeFile(join(path, "admin-token"), "\n"));
    expect(await saidAtStart(dataDir, { COLOPHON_ADMIN_TOKEN: "" })).toMatch(
      line("admin-token holds no token"),
    );
  });

  it("is refused where it is a file itself", async () => {
    expect(await saidByProcess(await damaged(fileAt))).toMatch(line("is a file where a folder should be"));
  });
});
