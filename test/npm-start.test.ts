import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postmasterIfThere } from "@colophon/testing/service-process.ts";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT } from "./documents.ts";

const dataDir = await mkdtemp(join(tmpdir(), "colophon-npm-start-"));

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * Runs `npm start` at a port as a supervisor does, asks npm to stop, and answers what was printed once npm has ended.
 */
async function startAndStop(port: string): Promise<string> {
  const npm = spawn("npm", ["start", "--silent", "--", "--port", port], {
    cwd: ROOT,
    env: { ...process.env, COLOPHON_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const greeted = Promise.withResolvers<void>();
  npm.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes(" token mint ")) greeted.resolve();
  });
  npm.once("exit", () => greeted.reject(new Error(`npm ended:\n${said}`)));
  await greeted.promise;
  const ended = once(npm, "exit");
  npm.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  return said;
}

describe("npm start under a supervisor", () => {
  it("passes SIGTERM on, ends with the service and its database, and leaves the port for the next", async () => {
    const said = await startAndStop("0");
    const [url = "", port = ""] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
    await expect(fetch(`${url}/health`)).rejects.toThrow("fetch failed");
    expect(postmasterIfThere(dataDir)).toBeNull();
    expect(await startAndStop(port)).toContain(`listens at ${url}\n`);
  }, 300_000);

  it("shows no token where its output may be kept", async () => {
    expect(await startAndStop("0")).not.toContain("clp_");
  });

  it("refuses an option that there is not", () => {
    const wrong = ["start", "--silent", "--", "--data-dri", "elsewhere"];
    const { status, stderr } = spawnSync("npm", wrong, { cwd: ROOT, encoding: "utf8" });
    expect(stderr).toContain("colophon serve has no option '--data-dri'. Did you mean --data-dir?");
    expect(status).toBe(2);
  });
});
