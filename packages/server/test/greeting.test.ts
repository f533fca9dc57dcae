import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { programFile } from "@colophon/testing/process/programs.ts";
import {
  embeddedDatabaseUrl,
  postmasterIfThere,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../src/store/database.ts";

/** What a service prints once it listens, with these settings besides. */
async function greetingOf(settings: Readonly<Record<string, string>>, dataDir: string): Promise<string> {
  const { COLOPHON_ADMIN_TOKEN: _, ...environment } = serviceEnvironment(dataDir, "");
  await using service = await ServiceProcess.start({ ...environment, ...settings });
  await expect.poll(() => service.output).toContain("token mint ACCOUNT_ID");
  return service.output;
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "colophon-greeting-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("the commands it names read its own token from its data directory", async () => {
  const dataDir = await emptyFolder();
  const greeting = await greetingOf({}, dataDir);
  expect(greeting).toContain("on this machine with:\n");
  expect(greeting).toContain(` --data-dir '${dataDir}'\n`);
});

test("a token that the operator set is to be set for them, too", async () => {
  const greeting = await greetingOf({ COLOPHON_ADMIN_TOKEN: "a".repeat(32) }, await emptyFolder());
  expect(greeting).toContain("where COLOPHON_ADMIN_TOKEN holds this service's token:\n");
  expect(greeting).not.toContain("--data-dir");
});

test("a service that cannot greet stops, its database with it", async () => {
  const dataDir = await emptyFolder();
  const environment = serviceEnvironment(dataDir, "a".repeat(32));
  {
    await using _ = await ServiceProcess.start(environment);
    const database = openDatabase({ connectionString: embeddedDatabaseUrl(dataDir) }, 1, () => {});
    await sql`alter table account add check (name <> 'demo')`.execute(database);
    await database.destroy();
  }
  const command = `exec ${process.execPath} ${await programFile("service")}`;
  const { PATH, HOME } = process.env;
  const terminal = spawn("script", ["-qfec", command, "/dev/null"], {
    env: { PATH, HOME, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void terminal.kill("SIGKILL"));
  const [said, [code]] = await Promise.all([text(terminal.stdout), once(terminal, "close")]);
  expect(said).toContain("Colophon did not start: ");
  expect(code).toBe(1);
  expect(postmasterIfThere(dataDir)).toBeNull();
});
