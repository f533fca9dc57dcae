import { type ChildProcess, execFileSync, spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ApiClient, createAccount } from "@colophon/testing/api-client.ts";
import { programFile } from "@colophon/testing/process/programs.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { timeAuthority } from "@colophon/testing/time-authority.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logReader } from "../src/input/log-reader.ts";
import { ADMIN_TOKEN, type Outcome, outcomeOf } from "./support.ts";

const COLOPHON = await programFile("colophon");
const SCRIPT = fileURLToPath(new URL("../../../vectors/verify_log_proof.py", import.meta.url));
const PATIENCE_MS = 60_000;

let home: string;
let service: ServiceProcess;
let client: ApiClient;
let hash: string;
const held = new AsyncDisposableStack();

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [COLOPHON, ...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      COLOPHON_BASE_URL: client.baseUrl,
      COLOPHON_TOKEN: client.token,
    },
  });
}

async function run(...args: readonly string[]): Promise<Outcome> {
  const child = start(args);
  child.stdin?.end();
  return outcomeOf(child);
}

async function register(seed: number): Promise<string> {
  const picture = await paintedPicture(seed, 240, 160);
  return (await client.register(picture)).body.originalImageHash;
}

async function get(path: string, baseUrl = service.baseUrl): Promise<string> {
  return (await fetch(baseUrl + path)).text();
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Waits until a text that is fetched is as wanted. */
async function until(read: () => Promise<string>, wanted: (text: string) => boolean): Promise<string> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const text = await read();
    if (wanted(text)) return text;
    if (Date.now() > end) throw new Error(`Not in time: ${text}`);
  }
}

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  held.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a witness of the log. @returns its address and its vkey */
async function startWitness(logKey: string): Promise<readonly [url: string, vkey: string]> {
  const witness = start([
    "witness",
    "--name",
    "witness.test/one",
    "--log",
    logKey,
    "--data-dir",
    "witness",
    "--port",
    "0",
  ]);
  held.defer(async () => {
    witness.kill("SIGTERM");
    if (witness.exitCode === null) await once(witness, "exit");
    expect(witness.exitCode).toBe(0);
  });
  let said = "";
  witness.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [, url = "", vkey = ""] =
    /at (\S+)\n(\S+)\n/.exec(
      await until(
        () => Promise.resolve(said),
        (text) => text.split("\n").length === 3,
      ),
    ) ?? [];
  return [url, vkey];
}

function openssl(...args: readonly string[]): Buffer {
  return execFileSync("openssl", args, { cwd: home, stdio: "pipe" });
}

/** A server that answers a posted body, or a fetched address, with bytes. */
function serverOf(
  answer: (url: string, body: Buffer, type: string | undefined) => Promise<readonly [number, Buffer]>,
): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void answer(request.url ?? "", Buffer.concat(chunks), request.headers["content-type"]).then(
        ([status, bytes]) => response.writeHead(status).end(bytes),
      );
    });
  });
}

/** A time-stamping authority by openssl. */
async function authority(): Promise<Server> {
  const reply = await timeAuthority(home);
  return serverOf(async (_, query, type) =>
    type === "application/timestamp-query" ? [200, await reply(query)] : [415, Buffer.alloc(0)],
  );
}

/** The UTC day on which the service began to be stamped. */
let begun: string;
let logKey: string;
let witnessKey: string;
let witnessUrl: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "colophon-log-"));
  begun = today();
  const environment = serviceEnvironment(join(home, "data"), ADMIN_TOKEN);
  service = await ServiceProcess.start(environment);
  const { token } = await createAccount(service.baseUrl, ADMIN_TOKEN, { registrations: 100, lookups: 100 });
  client = new ApiClient(service.baseUrl, token);
  logKey = (await get("/log/vkey")).trim();
  const [url, vkey] = await startWitness(logKey);
  witnessKey = vkey;
  witnessUrl = url;
  const timestampUrl = await listening(await authority());
  await service.end("SIGTERM");
  service = await ServiceProcess.start({
    ...environment,
    COLOPHON_WITNESSES: `\n${vkey} ${url}/\n`,
    COLOPHON_TIMESTAMP_URL: timestampUrl,
  });
  client = new ApiClient(service.baseUrl, token);
  hash = await register(1);
  await writeFile(join(home, "record.json"), (await run("record", hash)).out);
});

afterAll(async () => {
  await held.disposeAsync();
  await service.end("SIGTERM");
  await rm(home, { recursive: true, force: true });
});

/** Runs the script that verifies a proof in Python. */
const script = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync("python3", [SCRIPT, ...args], { cwd: home, encoding: "utf8" });

const isCosigned = (text: string): boolean => text.includes("— witness.test/one ");

describe("a proof", () => {
  it("is printed, and verifies offline with the record", async () => {
    const proof = await until(async () => (await run("log", "proof", hash)).out, isCosigned);
    await writeFile(join(home, "record.tlog-proof"), proof);
    await writeFile(join(home, "log.vkey"), `${logKey}\n`);
    const { verification } = JSON.parse(await readFile(join(home, "record.json"), "utf8"));
    await writeFile(join(home, "root.pem"), verification.certificateChain.at(-1));
    const args = ["verify", "record.json", "--trust-root", "root.pem", "--log-proof", "record.tlog-proof"];
    const { code, out } = await run(
      ...args,
      "--log-key",
      "log.vkey",
      "--witness-key",
      witnessKey,
      "--url",
      "http://127.0.0.1:1",
    );
    expect(code).toBe(0);
    expect(out).toMatch(/passed +logEntry +The record is entry 0 of the log/);
    expect(out).toMatch(/passed +logWitness 1 +witness.test\/one saw the checkpoint on /);
    expect(out).toMatch(/\nVerified.\n$/);
  });

  it("verifies by the Python script too", () => {
    const out = execFileSync("python3", [SCRIPT, "record.json", "record.tlog-proof", logKey, witnessKey], {
      cwd: home,
    });
    expect(out.toString()).toMatch(/^entry 0 of \d+, seen by 1 of 1 witnesses\n$/);
  });

  it("of which the Python script has no file is no proof to it: that is wrong usage", () => {
    expect(script("--help")).toMatchObject({ status: 0, stderr: "" });
    for (const args of [
      [],
      ["record.json"],
      ["record.json", "nowhere", logKey],
      ["root.pem", "record.tlog-proof", logKey],
    ]) {
      const { status, stderr } = script(...args);
      expect({ args, status }).toEqual({ args, status: 2 });
      expect(stderr).toMatch(/^usage: (?!.*Traceback)/s);
    }
  });

  it("of another log or record is no proof", async () => {
    const proof = ["--trust-root", "root.pem", "--log-proof", "record.tlog-proof"];
    const other = `${logKey.split("+")[0]}+00000000+${logKey.split("+")[2]}`;
    expect(await run("verify", "record.json", ...proof, "--log-key", other)).toMatchObject({ code: 2 });
    expect(await run("verify", "record.json", ...proof)).toMatchObject({ code: 2 });
    const wrong = await run("verify", "record.json", ...proof, "--log-key", witnessKey);
    expect(wrong.code).toBe(5);
    expect(wrong.out).toMatch(/failed +logSignature .*\nIts proof of the log does not hold.\n$/s);
    const text = await readFile(join(home, "record.json"), "utf8");
    await writeFile(
      join(home, "other.json"),
      text.replace(/(?<="signedAtUtc":"[^"]*)\d(?=Z)/, (digit) => `${9 - Number(digit)}`),
    );
    const moved = await run("verify", "other.json", ...proof, "--log-key", logKey);
    expect(moved.out).toMatch(/failed +logEntry/);
  });

  it("is refused for a record that there is not", async () => {
    const { code, err } = await run("log", "proof", "0".repeat(64));
    expect([code, err]).toEqual([3, expect.stringContaining("404 Proof not found")]);
  });
});

describe("an audit", () => {
  it("walks the log, and goes on from where it was", async () => {
    // The folder is somebody else's.
    await writeFile(join(home, "mine.txt"), "mine");
    await symlink("mine.txt", join(home, "audit.json.new"));
    const first = await run("log", "audit", service.baseUrl, "--log-key", logKey, "--state", "audit.json");
    expect(first.code).toBe(0);
    expect(first.out).toContain(": 1 entries, 1 records live, 0 taken down.\n");
    expect(await readFile(join(home, "mine.txt"), "utf8")).toBe("mine");
    const { body } = await client.register(await paintedPicture(2, 240, 160));
    await run("log", "proof", body.originalImageHash);
    await client.takeDown(body.id);
    await until(
      () => get("/log/checkpoint"),
      (text) => text.split("\n")[1] === "3",
    );
    const next = await run("log", "audit", service.baseUrl, "--log-key", logKey, "--state", "audit.json");
    expect(next.out).toContain(": 3 entries, 1 records live, 1 taken down.\n");
    expect((await run("log", "audit", service.baseUrl)).code).toBe(0);
    const other = await run(
      "log",
      "audit",
      service.baseUrl,
      "--log-key",
      witnessKey,
      "--state",
      "audit.json",
    );
    expect(other.code).toBe(2);
  });

  it("finds a log that shows something else", async () => {
    const forging = serverOf(async (path) => {
      const answer = await fetch(service.baseUrl + path);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (path.includes("/tile/entries/")) bytes[bytes.length - 2]! ^= 1;
      return [answer.status, bytes];
    });
    const url = await listening(forging);
    const { code, out } = await run("log", "audit", url, "--log-key", logKey);
    expect([code, out]).toEqual([5, expect.stringMatching(/^(The log's tile|Entry \d).*\n$/)]);
    expect((await run("log", "audit", "http://127.0.0.1:1", "--log-key", logKey)).code).toBe(4);
  });

  it("finds bytes about the checkpoint that its log has not signed", async () => {
    const prefixed = serverOf(async (path) => {
      const answer = await fetch(service.baseUrl + path);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const mark = path.endsWith("/checkpoint") ? "\ufeff" : "";
      return [answer.status, Buffer.concat([Buffer.from(mark), bytes])];
    });
    const audited = await run("log", "audit", await listening(prefixed), "--log-key", logKey);
    expect([audited.code, audited.out]).toEqual([5, expect.stringMatching(/^The checkpoint is of /)]);
  });

  it("reads no further than a log goes, and says nothing of it that steers the terminal", async () => {
    const url = await listening(
      serverOf(async (path) => {
        if (path === "/log/vkey") return [200, Buffer.from("\u001b[2KEvery entry is right.")];
        return [200, Buffer.alloc(40_000_000)];
      }),
    );
    const endless = await run("log", "audit", url, "--log-key", logKey);
    expect([endless.code, endless.out]).toEqual([5, "The log's checkpoint is longer than any.\n"]);
    const named = await run("log", "audit", url);
    expect(named.err).toBe(
      "The log's key is taken from the log itself: \ufffd[2KEvery entry is right.\nThe log names no key.\n",
    );
  });
});

describe("the reader of a log", () => {
  it("gives up where no whole answer comes in time", async () => {
    let asked = 0;
    const silent = createServer((request, response) => {
      asked += 1;
      if (request.url === "/log/vkey") response.write("colophon");
    });
    const url = await listening(silent);
    const read = logReader(`${url}/log`, 50);
    for (const path of ["vkey", "checkpoint"]) {
      await expect(read(path)).rejects.toThrow(`The log gives no answer at ${url}/log/${path}.`);
    }
    expect(asked).toBe(10);
    silent.closeAllConnections();
  });
});

describe("a witness", () => {
  it("has signed what the log serves, and shows it", async () => {
    const checkpoint = await until(() => get("/log/checkpoint"), isCosigned);
    const audited = await run(
      "log",
      "audit",
      service.baseUrl,
      "--log-key",
      logKey,
      "--witness-key",
      witnessKey,
    );
    expect([audited.code, audited.out]).toEqual([
      0,
      expect.stringContaining("\nwitness.test/one saw it on "),
    ]);
    expect(checkpoint.split("\n")[0]).toBe(logKey.split("+")[0]);
  });

  it("that cannot start names the option or the file that is at fault", async () => {
    const started = ["witness", "--name", "witness.test/two", "--log", logKey, "--data-dir", "second"];
    const { port } = new URL(service.baseUrl);
    expect(await run(...started, "--port", port)).toEqual({
      code: 1,
      out: "",
      err: `--port must be a free port, unlike ${port}, where something listens already.\n`,
    });
    await writeFile(join(home, "second/witness.sqlite"), "no database");
    expect((await run(...started, "--port", "0")).err).toBe(
      "second/witness.sqlite: file is not a database\n",
    );
  });
});

describe("a witness", () => {
  it("signs no note that is not UTF-8, though what is not is a stranger's signature", async () => {
    const note = await until(() => get("/log/checkpoint"), isCosigned);
    const size = note.split("\n")[1];
    const sent = async (name: Buffer): Promise<number> => {
      const stranger = Buffer.concat([Buffer.from("— "), name, Buffer.from(" AAAAAAA=\n")]);
      const body = Buffer.concat([Buffer.from(`old ${size}\n\n${note}`), stranger]);
      return (await fetch(`${witnessUrl}/add-checkpoint`, { method: "POST", body })).status;
    };
    expect(await sent(Buffer.from("stranger.test"))).toBe(200);
    expect(await sent(Buffer.of(0xff))).toBe(400);
  });

  it.each([
    ["GET", "/add-checkpoint", "POST"],
    ["POST", "/vkey", "GET"],
  ])("refuses %s %s and names the method that is answered there", async (method, path, allowed) => {
    const answer = await fetch(witnessUrl + path, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allowed]);
  });
});

describe("a timestamp", () => {
  it("of the day's first checkpoint is served as it came, and openssl verifies it", async () => {
    const sizes = [1, 2, 3];
    const answers = await Promise.all(
      sizes.map((size) => fetch(`${service.baseUrl}/log/timestamps/${size}.tsr`)),
    );
    const stamped = answers.filter(({ status }) => status === 200);
    // One a day: two where midnight passed since.
    expect(stamped.length).toBeGreaterThan(0);
    expect(stamped.length).toBeLessThanOrEqual(new Set([begun, today()]).size);
    expect(stamped[0]?.headers.get("content-type")).toBe("application/timestamp-reply");
    await writeFile(join(home, "stamp.tsr"), Buffer.from(await stamped[0]!.arrayBuffer()));
    // The checkpoint as the log signed it: without the lines of witnesses.
    const proof = await readFile(join(home, "record.tlog-proof"), "utf8");
    const note = proof.slice(proof.indexOf("\n\n") + 2).replaceAll(/^— witness.*\n/gm, "");
    expect(note.split("\n")[1]).toBe("1");
    await writeFile(join(home, "checkpoint"), note);
    const verify = ["ts", "-verify", "-data", "checkpoint", "-in", "stamp.tsr", "-CAfile", "tsa.pem"];
    expect(openssl(...verify).toString()).toContain("Verification: OK");
  });
});
