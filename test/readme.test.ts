import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { verifyLedger } from "@colophon/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeBlocks } from "@colophon/testing/code-blocks.ts";
import { freshPicture } from "@colophon/testing/test-pictures.ts";
import { ROOT } from "./documents.ts";

const run = promisify(execFile);

/** What the pages call the first block; of it the tests run the half that their own installation has not run. */
const INSTALL_AND_START = "npm ci && npm start\n";

const CTRL_C = "\x03";

const home = await mkdtemp(join(tmpdir(), "colophon-readme-"));
let service: ReturnType<typeof spawn>;
let greeting = "";
let environment: Record<string, string> = {};

/** Starts the service as the pages say, but at a free port and with data of its own. */
beforeAll(async () => {
  const settings = { COLOPHON_PORT: "0", COLOPHON_DATA_DIR: join(home, "data") };
  // On a terminal, as a reader would: nowhere else is a token shown.
  service = spawn("script", ["-qfec", "npm start --silent", "/dev/null"], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const greeted = Promise.withResolvers<void>();
  service.stdout?.on("data", (chunk: Buffer) => {
    greeting += chunk.toString().replaceAll("\r", "");
    if (greeting.includes("Ctrl-C stops the service.")) greeted.resolve();
  });
  service.once("exit", () => greeted.reject(new Error(`The service ended:\n${greeting}`)));
  await greeted.promise;

  await mkdir(join(home, "bin"));
  const command = join(home, "bin/colophon");
  await writeFile(command, `#!/bin/sh\nexec "${join(ROOT, "node_modules/.bin/colophon")}" "$@"\n`);
  await chmod(command, 0o755);
  for (const folder of ["packages", "node_modules"]) await symlink(join(ROOT, folder), join(home, folder));
  await mkdir(join(home, "photos"));
  for (let at = 0; at < 3; at += 1) {
    const picture = await freshPicture(320, 240);
    await writeFile(join(home, "photos", `${at}.jpg`), picture);
  }
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  environment = {
    PATH: [join(home, "bin"), ...path].join(delimiter),
    HOME: home,
    COLOPHON_BASE_URL: /listens at (\S+)\n/.exec(greeting)?.[1] ?? "",
    COLOPHON_DATA_DIR: join(home, "data"),
  };
});

afterAll(async () => {
  if (service.exitCode === null) {
    const closed = once(service, "close");
    service.stdin?.write(CTRL_C);
    await closed;
  }
  await rm(home, { recursive: true, force: true });
});

const demoToken = (): string => /\n {2}(clp_\S+)\n/.exec(greeting)?.[1] ?? "";

/** The commands of a page, block by block. */
async function commandsOf(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), "utf8");
  return codeBlocks(text).flatMap(({ language, code }) => (language === "sh" ? [code] : []));
}

/** Runs a script as a reader's shell would; answers what it printed. @throws when a command fails */
async function shell(script: string, input = ""): Promise<string> {
  const child = run("bash", ["--norc", "-euo", "pipefail", "-c", script], { cwd: home, env: environment });
  child.child.stdin?.end(input);
  return (await child).stdout;
}

describe("the readme", () => {
  it("starts a registry whose first words, pasted into a shell, register, find and read", async () => {
    expect((await commandsOf("README.md"))[0]).toBe(INSTALL_AND_START);
    const lines = greeting.split("\n").flatMap((line) => /^ {2}(curl .*)$/.exec(line)?.[1] ?? []);
    const answers: Record<string, unknown>[] = [];
    for (const line of lines) answers.push(JSON.parse(await shell(line)));
    const [registered, verdict, record] = answers;
    expect(lines).toHaveLength(3);
    expect(verdict).toMatchObject({ matchedOriginalImageHashes: [registered?.["originalImageHash"]] });
    expect(record).toMatchObject({ outcome: "published", manifests: [{ type: "attribution" }] });
  });

  it("shows an operator's commands that run as they stand", async () => {
    const [, test, operator = ""] = await commandsOf("README.md");
    expect(test).toBe("npm ci && npm test\n");
    const [create = "", mint = ""] = operator.trim().split("\n");
    const account = await shell(create);
    const [id = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(account) ?? [];
    expect(await shell(mint.replace("ACCOUNT_ID", id))).toMatch(/^clp_/);
  });
});

describe("the tutorial, on the registry that the readme was read at", () => {
  it("leads from nothing to a record that a stranger has verified", async () => {
    const [start, ...rest] = await commandsOf("docs/tutorial.md");
    expect(start).toBe(INSTALL_AND_START);
    const said = await shell(rest.join("\n"), `${demoToken()}\n`);
    expect(said).toMatch(/yes +[0-9a-f]{64} +repost\.jpg/);
    expect(said).toMatch(/failed +manifestHash 1 /);
    expect(said.match(/^Verified\.$/gm)).toHaveLength(2);
    expect(said).toContain("leaf.pem: OK");
    expect(said).toContain("Signature Verified Successfully");
    expect(said).toMatch(/no +- +repost\.jpg/);
  });
});

describe("the page on custody", () => {
  it("exports a ledger whose chain holds", async () => {
    const account = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(await shell("colophon account list"))?.[0] ?? "";
    await shell((await commandsOf("docs/custody.md")).join("\n").replaceAll("ACCOUNT_ID", account));
    const lines = (await readFile(join(home, "ledger.ndjson"), "utf8")).trim().split("\n");
    const rows = lines.map((line): { kind: string } => JSON.parse(line));
    expect(await verifyLedger(rows)).toMatchObject({ intact: true, rows: rows.length });
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(["received", "derived", "deleted"]));
  });
});
