import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { programFile } from "@colophon/testing/process/programs.ts";
import { verifyLedger } from "@colophon/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const COLOPHON = await programFile("colophon");
const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const home = mkdtempSync(join(tmpdir(), "colophon-cli-"));
const dataDir = join(home, "data");
let service: ChildProcess;
let url = "";

beforeAll(async () => {
  service = spawn(process.execPath, [COLOPHON, "serve", "--port", "0", "--data-dir", dataDir], {
    env: { PATH: SYSTEM_PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const listening = Promise.withResolvers<string>();
  let said = "";
  service.stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    const address = /http:\/\/[\w.:]+:\d+/.exec(said)?.[0];
    if (address !== undefined) listening.resolve(address);
  });
  service.once("exit", () => listening.reject(new Error("The service did not start.")));
  url = await listening.promise;
  // Nobody reads on: the service must not mind, which every test below relies on.
  service.stdout?.destroy();
});

afterAll(async () => {
  if (service.exitCode === null) {
    service.kill("SIGTERM");
    await once(service, "exit");
  }
  rmSync(home, { recursive: true, force: true });
});

/** Runs the command as a shell would, under the environment given and nothing else. Nobody reads what is `unread`. */
async function colophon(
  args: readonly string[],
  environment: Record<string, string> = {},
  unread: readonly ("stdout" | "stderr")[] = [],
): Promise<Outcome> {
  const { NODE_COMPILE_CACHE } = process.env;
  const base = { PATH: SYSTEM_PATH, NODE_COMPILE_CACHE, COLOPHON_BASE_URL: url, COLOPHON_DATA_DIR: dataDir };
  const env = { ...base, ...environment };
  const child = spawn(process.execPath, [COLOPHON, ...args], { env, cwd: home });
  for (const stream of unread) child[stream].destroy();
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code]: (number | null)[] = await once(child, "close");
  return { code: code ?? null, out, err };
}

/** The JSON that a command prints under `--json`. */
async function answer<Body>(...args: string[]): Promise<Body> {
  const { code, out, err } = await colophon([...args, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

const newAccount = async (...settings: string[]): Promise<string> =>
  (await answer<{ accountId: string }>("account", "create", ...settings)).accountId;

describe("help", () => {
  it("explains every level without a service", async () => {
    const top = await colophon(["--help"]);
    expect(top).toMatchObject({ code: 0, err: "" });
    for (const words of ["serve", "account create", "token mint ACCOUNT", "custody export ACCOUNT"]) {
      expect(top.out).toContain(words);
    }
    expect((await colophon(["account", "--help"])).out).toContain("account set ACCOUNT");
    expect((await colophon(["help", "token"])).out).toContain("token revoke ACCOUNT TOKEN_ID");
    const mint = await colophon(["token", "mint", "--help"], { COLOPHON_BASE_URL: "http://127.0.0.1:1" });
    expect(mint).toMatchObject({ code: 0, err: "" });
    expect(mint.out).toContain("--label TEXT");
    expect((await colophon(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("names what is not known, and guesses what was meant", async () => {
    for (const [args, sentences] of [
      [
        ["lokup", "a.jpg"],
        ["There is no command 'lokup a.jpg'.", "Did you mean colophon lookup?"],
      ],
      [["accounts"], ["Did you mean colophon account?"]],
      [
        ["account", "list", "--jsno"],
        ["has no option '--jsno'.", "Did you mean --json?"],
      ],
      [["account", "create", "--name"], ["--name lacks its value, NAME."]],
      [["account", "create", "--name", "--json"], ["--name lacks its value, NAME."]],
      [["account", "list", "--json=yes"], ["--json takes no value."]],
      [["account", "list", "extra"], ["takes no operand, and 'extra' is one too many"]],
      [["serve", "--port", "abc"], ["--port takes a whole number, not 'abc'."]],
      [["account", "create", "--lookups", "many"], ["--lookups takes a whole number, not 'many'."]],
    ] as const) {
      const { code, err } = await colophon(args);
      expect({ args, code }).toEqual({ args, code: 2 });
      for (const sentence of sentences) expect(err).toContain(sentence);
    }
  });

  it("go to the profile's service, and an admin token that lies about to no other machine", async () => {
    const folder = join(home, ".config/colophon");
    mkdirSync(folder, { recursive: true });
    const profile = (baseUrl: string): void =>
      writeFileSync(join(folder, "profile.json"), JSON.stringify({ baseUrl, token: "clp_x" }), {
        mode: 0o600,
      });
    const bare = { HOME: home, COLOPHON_BASE_URL: "", COLOPHON_DATA_DIR: "" };
    profile(url);
    const empty = "There is no account yet; colophon account create opens one.\n";
    expect(await colophon(["account", "list"], bare)).toEqual({ code: 0, out: "", err: empty });
    profile("https://registry.invalid");
    const elsewhere = await colophon(["account", "list"], bare);
    expect(elsewhere).toMatchObject({ code: 2, out: "" });
    expect(elsewhere.err).toContain("The profile's service is https://registry.invalid");
  });

  it("answers wrong usage with code 2, and repeats no token of the command line", async () => {
    const secret = "clp_pasted-by-mistake";
    const wrong = [
      [],
      [secret],
      ["account"],
      ["account", secret],
      ["token", "mint"],
      ["token", "revoke", secret],
      ["token", "expire", "account", "token", "--at", "2099-02-30"],
      ["token", "mint", "account", "--expires", "2099-13-01"],
      ["token", "mint", "account", "--expires", "2026-01-31"],
      ["account", "list", secret],
      ["account", "list", `--token=${secret}`],
      ["account", "create", "--registrations", secret],
      ["account", "create", "--registrations"],
      ["account", "set", UNKNOWN_ID],
      ["account", "list", "--url", `ftp://${secret}`],
    ];
    for (const args of wrong) {
      const { code, out, err } = await colophon(args);
      expect({ args, code, out }).toEqual({ args, code: 2, out: "" });
      expect(err).not.toBe("");
      expect(err).not.toContain(secret);
    }
  });
});

describe("account", () => {
  it("is created, listed, shown and changed", async () => {
    const accountId = await newAccount("--name", "Harbour Press", "--registrations", "5", "--lookups", "9");
    const created = await answer("account", "show", accountId);
    expect(created).toMatchObject({
      accountId,
      name: "Harbour Press",
      registrations: { grant: 5, consumed: 0, held: 0, remaining: 5 },
      lookups: { grant: 9, remaining: 9 },
      sequencesEnabled: false,
    });
    await answer("account", "set", accountId, "--registrations", "6", "--sequences", "--max-frames", "12");
    expect(await answer("account", "show", accountId)).toMatchObject({
      name: "Harbour Press",
      registrations: { grant: 6 },
      lookups: { grant: 9 },
      sequencesEnabled: true,
      maxFramesPerSequence: 12,
    });
    await answer("account", "set", accountId, "--no-sequences");
    const { accounts } = await answer<{ accounts: unknown[] }>("account", "list");
    expect(accounts).toContainEqual(expect.objectContaining({ accountId, sequencesEnabled: false }));
  });

  it("is printed for people without --json, and no name steers the terminal", async () => {
    const accountId = await newAccount("--name", "\u001b[31mred\u202e", "--lookups", "7");
    const shown = await colophon(["account", "show", accountId]);
    expect(shown.out).toMatch(/Look-ups +7 of 7 left, 0 spent, 0 reserved/);
    const listed = await colophon(["account", "list"]);
    expect(listed.out).toMatch(new RegExp(`${accountId}  .*\\[31mred\ufffd +0 of 0 +7 of 7`));
    expect(listed.out).toMatch(new RegExp(`${accountId}.* -$`, "m"));
    for (const reason of ["unpaid", "still unpaid"]) {
      const { out } = await colophon(["account", "suspend", accountId, "--reason", reason]);
      expect(out).toBe("Suspended; if it already was, nothing was recorded.\n");
    }
    const operations = await colophon(["operations", "export", accountId]);
    expect(operations.out.match(/"reason":"[^"]*"/g)).toEqual(['"reason":"unpaid"']);
    const suspended = await colophon(["account", "list"]);
    expect(suspended.out).toMatch(new RegExp(`${accountId}.*Z +\\d{4}-\\S+Z$`, "m"));
    expect(shown.out + listed.out).not.toContain("\u001b");
    expect(shown.out + listed.out).not.toContain("\u202e");
  });
});

describe("token", () => {
  it("opens the account's routes until it is revoked, and is printed alone on standard output", async () => {
    const accountId = await newAccount();
    const minted = await colophon(["token", "mint", accountId, "--label", "newsroom"]);
    expect(minted.out).toMatch(/^clp_[\w-]{43,}\n$/);
    const token = minted.out.trim();
    const stats = (): Promise<Response> =>
      fetch(`${url}/account/stats`, { headers: { authorization: `Bearer ${token}` } });
    expect((await stats()).status).toBe(200);
    const listed = await answer<{ tokens: { tokenId: string; label: string }[] }>("token", "list", accountId);
    expect(listed.tokens.map(({ label }) => label)).toEqual(["newsroom"]);
    const readable = await colophon(["token", "list", accountId]);
    expect(readable.out).toContain("newsroom");
    expect(readable.out + JSON.stringify(listed) + minted.err).not.toContain(token);
    const revoked = await colophon(["token", "revoke", accountId, listed.tokens[0]?.tokenId ?? ""]);
    expect(revoked).toMatchObject({ code: 0, out: "Revoked.\n" });
    expect((await stats()).status).toBe(401);
  });
});

describe("the ledgers", () => {
  it("are exported as the rows of an unbroken chain", async () => {
    const accountId = await newAccount("--lookups", "5");
    const { token } = await answer<{ token: string }>("token", "mint", accountId);
    const form = new FormData();
    form.append("image", new Blob(["no image at all"], { type: "image/png" }), "query.png");
    const refused = await fetch(`${url}/lookup`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect(refused.status).toBe(422);
    const { code, out } = await colophon(["custody", "export", accountId]);
    expect(code).toBe(0);
    const rows = out
      .trim()
      .split("\n")
      .map((line): { kind: string } => JSON.parse(line));
    expect(rows.map(({ kind }) => kind)).toEqual(["received", "deleted"]);
    expect(await verifyLedger(rows)).toMatchObject({ intact: true, rows: 2 });
    expect(await colophon(["usage", "export", accountId])).toEqual({ code: 0, out: "", err: "" });
  });
});

describe("trust-root", () => {
  it("prints the certificate alone on standard output, and the fingerprint that openssl computes of it", async () => {
    const { code, out, err } = await colophon(["trust-root"]);
    expect(code).toBe(0);
    const openssl = spawn("openssl", ["x509", "-noout", "-fingerprint", "-sha256"]);
    openssl.stdin.end(out);
    const fingerprint = (await text(openssl.stdout)).trim().split("=")[1] ?? "";
    expect(fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(err).toContain(`SHA-256 ${fingerprint}\n`);
    expect(await answer("trust-root")).toMatchObject({ certificate: out });
  });
});

describe("fsck", () => {
  it("checks the data beside the running service", async () => {
    expect(await colophon(["fsck", "--signatures", "--packets"])).toEqual({
      code: 0,
      out: "All is consistent.\n",
      err: "",
    });
  });

  it("says in one line why it could not", async () => {
    const { code, out } = await colophon(["fsck", "--data-dir", join(home, "nothing")]);
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/^The data could not be checked: [^\n]+\n$/),
    });
  });
});

describe("exit codes", () => {
  it("are 3 when the service refuses, with its problem as JSON on request", async () => {
    const refused = await colophon(["account", "show", UNKNOWN_ID]);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toMatch(/^404 /);
    const asJson = await colophon(["account", "show", UNKNOWN_ID, "--json"]);
    expect(JSON.parse(asJson.err)).toMatchObject({ status: 404 });
    const stranger = await colophon(["account", "list"], { COLOPHON_ADMIN_TOKEN: "not-the-admin-token" });
    expect(stranger).toMatchObject({ code: 3, out: "" });
    expect(stranger.err).toContain("401");
    expect(stranger.err).not.toContain("not-the-admin-token");
  });

  it("are 4 when no Colophon service answers", async () => {
    expect(await colophon(["account", "list"], { COLOPHON_BASE_URL: "http://127.0.0.1:1" })).toMatchObject({
      code: 4,
      out: "",
    });
    const other = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const outcome = await colophon(["account", "list"], { COLOPHON_BASE_URL: `http://127.0.0.1:${port}` });
    other.close();
    expect(outcome).toMatchObject({ code: 4, out: "" });
    expect(outcome.err).toContain("not a Colophon service");
  });

  it("go with the words of whoever answers, which do not steer the terminal", async () => {
    const title = "\u001b[2KVerified.\r\u009b\u202e";
    const other = createServer((_, response) =>
      response.writeHead(422).end(JSON.stringify({ title, status: 422, detail: title, traceId: title })),
    ).listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const outcome = await colophon(["account", "list"], { COLOPHON_BASE_URL: `http://127.0.0.1:${port}` });
    other.close();
    const shown = "\ufffd[2KVerified.\ufffd\ufffd\ufffd";
    expect(outcome).toEqual({ code: 3, out: "", err: `422 ${shown}: ${shown} (trace ${shown})\n` });
  });

  it("are the command's own when nobody reads what it prints", async () => {
    const account = await newAccount("--name", "Unread");
    const unread: [string[], number][] = [
      [["fsck", "--data-dir", join(home, "nothing")], 1],
      [["usage", "export", account, "--csv"], 0],
      [["--help"], 0],
    ];
    for (const [args, code] of unread) {
      expect({ args, ...(await colophon(args, {}, ["stdout"])) }).toEqual({ args, code, out: "", err: "" });
    }
    const refused = await colophon(["account", "show", UNKNOWN_ID], {}, ["stdout", "stderr"]);
    expect(refused.code).toBe(3);
  });

  it("are 2 when there is no admin token to be found", async () => {
    const outcome = await colophon(["account", "list"], { COLOPHON_DATA_DIR: join(home, "elsewhere") });
    expect(outcome).toMatchObject({ code: 2, out: "" });
  });
});

describe("serve", () => {
  it("keeps its admin token where only its owner reads it", () => {
    expect(statSync(join(dataDir, "admin-token")).mode & 0o777).toBe(0o600);
  });

  it("ends with code 1 and one line when a setting is wrong", async () => {
    const outcome = await colophon(["serve"], { COLOPHON_PORT: "http" });
    expect(outcome).toMatchObject({ code: 1, out: "" });
    expect(outcome.err).toMatch(/^COLOPHON_PORT [^\n]*\n$/);
  });

  it("names the setting of an address where it cannot listen, before it touches any data", async () => {
    const untouched = join(home, "untouched");
    const { port } = new URL(url);
    const taken: [Record<string, string>, string][] = [
      [
        { COLOPHON_PORT: port },
        `COLOPHON_PORT must be a free port, unlike ${port}, where something listens already.\n`,
      ],
      [
        { COLOPHON_PORT: "0", COLOPHON_METRICS: `127.0.0.1:${port}` },
        `COLOPHON_METRICS must be a free port, unlike ${port}, where something listens already.\n`,
      ],
      [
        { COLOPHON_PORT: "0", COLOPHON_HOST: "192.0.2.1" },
        "COLOPHON_HOST must be an address of this machine, unlike 192.0.2.1.\n",
      ],
    ];
    for (const [environment, err] of taken) {
      const quiet = { ...environment, COLOPHON_DATA_DIR: untouched, COLOPHON_LOG_LEVEL: "warn" };
      expect(await colophon(["serve"], quiet)).toEqual({ code: 1, out: "", err });
    }
    expect(existsSync(join(untouched, "postgres"))).toBe(false);
  });
});

describe("an older Node", () => {
  it("hands over to the Node 24 that the dependencies bring", async () => {
    const older = fileURLToPath(new URL("older-node.js", import.meta.url));
    const source = fileURLToPath(new URL("../bin/colophon.js", import.meta.url));
    const child = spawn(process.execPath, ["--import", older, source, "--help"], { stdio: "pipe" });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    const [code]: (number | null)[] = await once(child, "close");
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Usage: colophon/) });
  });
});
