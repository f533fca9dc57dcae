import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ApiClient, createAccount } from "@colophon/testing/api-client.ts";
import { connect } from "node:net";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { programFile } from "@colophon/testing/process/programs.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ADMIN = "watch-test-admin-token";
const MAIN = await programFile("service");
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const HANGING_MS = 120_000;
const HASH = "ab".repeat(32);
const IMAGE_PART =
  '--x\r\ncontent-disposition: form-data; name="image"; filename="i"\r\ncontent-type: image/jpeg\r\n\r\n';

let dataDir: string;
let service: ServiceProcess;
let account: ApiClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "colophon-watch-"));
  const environment = { ...serviceEnvironment(dataDir, ADMIN), COLOPHON_METRICS: "127.0.0.1:0" };
  service = await ServiceProcess.start(environment);
  const { token } = await createAccount(service.baseUrl, ADMIN, { registrations: 5, lookups: 20 });
  account = new ApiClient(service.baseUrl, token);
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** The samples of a scrape by name and labels. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(await metricsUrl());
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

async function metricsUrl(): Promise<string> {
  await expect.poll(() => service.output).toContain("/metrics");
  return /http:\S+\/metrics/.exec(service.output)?.[0] ?? "";
}

/** The log's lines about requests to a route, once there are so many. */
async function requestLines(route: string, count: number): Promise<Record<string, unknown>[]> {
  const read = (): Record<string, unknown>[] =>
    service.output
      .split("\n")
      // The last one is not all there yet.
      .slice(0, -1)
      .filter((line) => line.startsWith("{"))
      .map((line): Record<string, unknown> => JSON.parse(line))
      .filter((line) => line["route"] === route);
  await expect.poll(() => read().length).toBe(count);
  return read();
}

describe("the metrics", () => {
  it("count requests by route, pictures by what came of them, and the time of every stage", async () => {
    const [original, other] = await Promise.all(
      [1, 2].map(async (seed) => Buffer.from(await paintedPicture(seed, 480, 360))),
    );
    await account.register(original!);
    expect((await account.lookUp(await derivedPicture(original!))).body.matched).toBe(true);
    expect((await account.lookUp(other!)).body.matched).toBe(false);
    expect((await account.lookUp(Buffer.from("no picture"))).status).toBe(422);
    const seen = await scrape();
    const requests = (labels: string): unknown => seen.get(`colophon_http_requests_total{${labels}}`);
    expect(requests('method="POST",route="/lookup",status="200"')).toBe(2);
    expect(requests('method="POST",route="/lookup",status="422"')).toBe(1);
    expect(seen.get('colophon_http_request_seconds_count{route="/lookup"}')).toBe(3);
    const outcomes = ["matched", "notMatched", "declined"].map((outcome) => `{outcome="${outcome}"}`);
    expect(outcomes.map((labels) => seen.get(`colophon_verdicts_total${labels}`))).toEqual([1, 1, 1]);
    expect(seen.get('colophon_refusals_total{code="imageCouldNotBeChecked"}')).toBe(1);
    for (const stage of ["decode", "extract", "vote", "place", "compare"]) {
      expect([stage, seen.get(`colophon_stage_seconds_count{stage="${stage}"}`)]).not.toContain(undefined);
    }
  });

  it("read what is under way, and how long ago every sweep went through", async () => {
    const seen = await scrape();
    expect(seen.get("colophon_queue_length")).toBe(0);
    expect(seen.get("colophon_posted_bytes")).toBe(0);
    expect(seen.get("colophon_deletions_unverified")).toBe(0);
    expect(seen.get("colophon_log_pending")).toBeLessThan(60);
    expect(seen.get("colophon_log_checkpoint_age_seconds")).toBeGreaterThanOrEqual(0);
    expect(seen.get("colophon_log_wait_seconds")).toBeLessThan(60);
    const connections = ["idle", "active", "waiting"].map((state) =>
      seen.get(`colophon_database_connections{state="${state}"}`),
    );
    expect(connections.every((count) => count !== undefined)).toBe(true);
    const sweeps = [...seen].filter(([name]) => name.startsWith("colophon_sweep_age_seconds{"));
    expect(sweeps.length).toBeGreaterThan(5);
    expect(Math.max(...sweeps.map(([, age]) => age))).toBeLessThan(60);
    expect(seen.get("process_resident_memory_bytes")).toBeGreaterThan(0);
  });

  it("gain no series from what callers make up, and name no hash", async () => {
    const before = await scrape();
    for (let at = 0; at < 20; at += 1) await account.call("GET", `/made-up-${at}/${HASH}`);
    await Promise.all(["PROPFIND", "MKCOL"].map((method) => rawRequest(method, "/made-up")));
    await account.call("DELETE", "/health");
    await account.record(HASH);
    const after = await scrape();
    const made = [...after.keys()].filter((name) => name.startsWith("colophon_http_requests_total{"));
    expect(made).toEqual(
      expect.arrayContaining([
        'colophon_http_requests_total{method="GET",route="unmatched",status="404"}',
        'colophon_http_requests_total{method="other",route="unmatched",status="404"}',
        'colophon_http_requests_total{method="DELETE",route="/health",status="405"}',
      ]),
    );
    // Two routes' histograms, four counters of requests, some refusals.
    const added = [...after.keys()].filter((name) => !before.has(name));
    expect(added.filter((name) => !name.startsWith("colophon_sweep_age_seconds{")).length).toBeLessThan(70);
    expect([...after.keys()].join("\n")).not.toMatch(/made-up|[0-9a-f]{32}/);
  });

  it("are there under the names that alerts, dashboard and documents use", async () => {
    const seen = [...(await scrape()).keys()].map((name) => name.split("{")[0]!);
    const known = new Set(seen.map((name) => name.replace(/_(bucket|sum|count)$/, "")));
    for (const file of [
      "packaging/prometheus/colophon.rules.yml",
      "packaging/grafana/colophon.json",
      "docs/how-to/watch.md",
    ]) {
      const text = await readFile(join(ROOT, file), "utf8");
      const named = new Set(
        Array.from(text.matchAll(/colophon_\w+/g), ([name]) => name.replace(/_(bucket|sum|count)$/, "")),
      );
      expect([...named].filter((name) => !known.has(name))).toEqual([]);
      expect(named.size).toBeGreaterThan(5);
    }
  });

  it("answer nothing else, and nothing on the public port", async () => {
    const url = await metricsUrl();
    expect((await fetch(url.replace("/metrics", "/"))).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${service.baseUrl}/metrics`)).status).toBe(404);
  });
});

/** A request with a method that `fetch` does not send; resolves once it has been answered. */
async function rawRequest(method: string, path: string): Promise<void> {
  const { port } = new URL(service.baseUrl);
  const socket = connect(Number(port), "127.0.0.1");
  socket.resume();
  socket.end(`${method} ${path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n`);
  await once(socket, "close");
}

describe("the log", () => {
  it("has one line a request, which says nothing of it but the template of its route", async () => {
    await fetch(`${service.baseUrl}/registrations/${HASH}?who=somebody`, { method: "DELETE" });
    const [line] = await requestLines("/registrations/{registrationId}", 1);
    expect(line).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: "info",
      route: "/registrations/{registrationId}",
      method: "DELETE",
      status: 401,
      ms: expect.any(Number),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(service.output).not.toMatch(/somebody|127\.0\.0\.1:\d+"/);
  });

  it("says 499 of a request whose client went before its answer", async () => {
    const socket = connect(Number(new URL(service.baseUrl).port), "127.0.0.1");
    const head = `POST /lookup HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${account.token}\r\n`;
    socket.write(
      `${head}content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000\r\n\r\n${IMAGE_PART}${"x".repeat(500)}`,
    );
    // An image that begins: the request is under way.
    await expect.poll(async () => (await scrape()).get("colophon_posted_bytes")).toBeGreaterThan(0);
    const before = (await requestLines("/lookup", 3)).length;
    socket.destroy();
    expect((await requestLines("/lookup", before + 1)).at(-1)).toMatchObject({ status: 499 });
  });
});

describe("a browser at the root", () => {
  it("is led to the console; everybody else gets what the contract says", async () => {
    const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const led = await fetch(service.baseUrl, { headers: browser, redirect: "manual" });
    expect([led.status, led.headers.get("location")]).toEqual([302, "console/"]);
    const other = await fetch(service.baseUrl);
    expect([other.status, other.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect((await fetch(service.baseUrl, { method: "POST", headers: browser })).status).toBe(404);
  });
});

/** Starts the service on a stderr of its own, and waits until it listens. */
async function startWithLog(stderr: "pipe" | number): Promise<{ child: ChildProcess; url: string }> {
  await service.end("SIGTERM");
  const environment = { ...process.env, ...serviceEnvironment(dataDir, ADMIN), COLOPHON_LOG_LEVEL: "debug" };
  const child = spawn(process.execPath, [MAIN], {
    env: environment,
    stdio: ["ignore", "pipe", stderr],
    // One that hangs fails its test and is gone.
    timeout: HANGING_MS,
    killSignal: "SIGKILL",
  });
  let said = "";
  for await (const chunk of child.stdout!) if ((said += String(chunk)).includes("token mint")) break;
  return { child, url: /http:\S+/.exec(said)?.[0] ?? "" };
}

/** Asks so often, fifty at a time. @returns the different statuses of the answers */
async function askOften(url: string, count: number): Promise<Set<number>> {
  const seen = new Set<number>();
  for (let at = 0; at < count; at += 50) {
    const signal = AbortSignal.timeout(30_000);
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/health`, { signal })));
    for (const { status } of answers) seen.add(status);
  }
  return seen;
}

/** Lets a process write no file beyond so many bytes (Linux): what a full disk does to its log. */
async function limitFiles(child: ChildProcess, bytes: number | "unlimited"): Promise<void> {
  const limit = spawn("prlimit", [`--pid=${child.pid}`, `--fsize=${bytes}:unlimited`]);
  expect(await once(limit, "exit")).toEqual([0, null]);
}

describe("a service whose log nobody reads", () => {
  it("goes on answering", async () => {
    const { child, url } = await startWithLog("pipe");
    try {
      child.stderr!.pause();
      // Far more lines than a pipe holds.
      expect(await askOften(url, 2_000)).toEqual(new Set([200]));
    } finally {
      child.stderr!.resume();
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  });

  it("writes lines for a person where it was started on a terminal", async () => {
    const environment = { ...process.env, ...serviceEnvironment(dataDir, ADMIN), COLOPHON_CONSOLE: "off" };
    const command = `exec ${process.execPath} ${MAIN}`;
    const terminal = spawn("script", ["-qfec", command, "/dev/null"], { env: environment, stdio: "pipe" });
    const ended = once(terminal, "close");
    let said = "";
    terminal.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said).toContain("token mint");
    const url = /http:[^\s]+/.exec(said)?.[0] ?? "";
    expect((await fetch(url, { headers: { accept: "text/html" } })).status).toBe(404);
    await expect
      .poll(() => said)
      .toMatch(/^\d\d:\d\d:\d\d\.\d{3} info +route=unmatched method=GET status=404 ms=[\d.]+ traceId=/m);
    terminal.stdin.write("\x03");
    await ended;
    expect(said).toContain("stopped");
  });
});

describe("a service whose log cannot be written", () => {
  it("goes on answering, and stops in order", async () => {
    const full = await open("/dev/full", "w");
    const { child, url } = await startWithLog(full.fd);
    const ended = once(child, "exit");
    try {
      expect(await askOften(url, 1_000)).toEqual(new Set([200]));
      child.kill("SIGTERM");
      // Neither cut off nor killed: that would not be 0.
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
      await full.close();
    }
  });

  it("writes the lines that waited, each whole, once there is room", async () => {
    const path = join(dataDir, "service.log");
    const file = await open(path, "a");
    const { child, url } = await startWithLog(file.fd);
    const ended = once(child, "exit");
    const lines = async (): Promise<Record<string, unknown>[]> =>
      (await readFile(path, "utf8"))
        .split("\n")
        .slice(0, -1)
        .map((line): Record<string, unknown> => JSON.parse(line));
    const logged = async (route: string): Promise<number> =>
      (await lines()).filter((line) => line["route"] === route).length;
    try {
      // Room for a line and a half.
      await limitFiles(child, (await file.stat()).size + 200);
      expect(await askOften(url, 100)).toEqual(new Set([200]));
      expect(await logged("/health")).toBeLessThan(5);
      await limitFiles(child, "unlimited");
      await fetch(`${url}/records/${HASH}`);
      await expect.poll(async () => await logged("/records/{originalImageHash}")).toBe(1);
      expect(await logged("/health")).toBe(100);
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
      expect((await lines()).at(-1)).toMatchObject({ msg: "stopped" });
    } finally {
      child.kill("SIGKILL");
      await file.close();
    }
  });
});
