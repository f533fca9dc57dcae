import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";

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
  expect(greeting).toContain("where COLOPHON_ADMIN_TOKEN is set as it is here:\n");
  expect(greeting).not.toContain("--data-dir");
});
