/**
 * Two processes on one database behind nginx or Caddy, as `packaging` has them, under a steady load: each is restarted
 * in turn, and then one is killed. Counts the answers of each phase: a restart should fail no request, a kill those
 * that the process had. No record is lost, and fsck finds nothing. The command and the pages are tried through the
 * proxy first. With `--apart`, the second process's clock is so many seconds ahead.
 *
 *     node trials/rolling-restart.ts [--seconds 30] [--proxy nginx|caddy] [--apart 60]
 *
 * The proxy and openssl on the PATH; for `--apart` libfaketime (Debian: apt-get install faketime).
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { createAccount } from "@colophon/testing/api-client.ts";
import { freshPicture } from "@colophon/testing/test-pictures.ts";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { buildConsole } from "../packages/console/build.ts";
import { checkConsistency } from "../packages/server/src/fsck/check-consistency.ts";
import { openDatabase } from "../packages/server/src/store/database.ts";
import { OwnPostgres } from "./support/own-postgres.ts";
import { freePort, PROXIES, ReverseProxy } from "./support/reverse-proxy.ts";

const COLOPHON = fileURLToPath(new URL("../packages/cli/bin/colophon.js", import.meta.url));
const SAMPLES = fileURLToPath(new URL("../packages/server/samples/", import.meta.url));
/** Debian's, for any architecture of it. */
const FAKETIME = "/usr/$LIB/faketime/libfaketime.so.1";
const ADMIN = "rolling-restart-admin-token";
const CALLERS = 4;

const { seconds, proxy, apart } = readCommandLine({
  options: {
    seconds: { type: "string", default: "30" },
    proxy: { type: "string", default: "nginx" },
    apart: { type: "string", default: "0" },
  },
}).values;
const kind =
  PROXIES.find((known) => known === proxy) ?? refuseCommandLine(`--proxy is one of ${PROXIES.join(", ")}.`);
await buildConsole();
const folder = await mkdtemp(join(tmpdir(), "colophon-rolling-"));
await using own = await OwnPostgres.start();
const ports = [await freePort(), await freePort()] as const;
const start = (at: 0 | 1): Promise<ServiceProcess> =>
  ServiceProcess.start({
    ...serviceEnvironment(join(folder, String(at)), ADMIN),
    COLOPHON_DATABASE_URL: own.url,
    COLOPHON_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    COLOPHON_PORT: String(ports[at]),
    ...(kind === "caddy" && { COLOPHON_DRAIN_SECONDS: "5" }),
    ...(at === 1 && apart !== "0" && { LD_PRELOAD: FAKETIME, FAKETIME: `+${apart}s` }),
  });
const services = [await start(0), await start(1)];
await using stops = new AsyncDisposableStack();
stops.defer(async () => {
  for (const service of services) await service.end("SIGTERM");
});
const { token } = await createAccount(services[0]!.baseUrl, ADMIN, {
  registrations: 100_000,
  lookups: 100_000,
});
const front = await ReverseProxy.start(kind, folder, ports);
const agent = new Agent({ ca: front.authority, keepAlive: true });
await tryProxy();

let phase = "idle";
const answers = new Map<string, number>();
const registered: string[] = [];
const over = new AbortController();
const callers = Array.from({ length: CALLERS }, call);

for (const at of [0, 1] as const) {
  phase = `restart of ${at + 1}`;
  await sleep(Number(seconds) * 100);
  await services[at]!.end("SIGTERM");
  await sleep(500);
  services[at] = await start(at);
  await sleep(Number(seconds) * 200);
}
phase = "kill";
// Requests from before it are answered by now.
await sleep(Number(seconds) * 200);
await services[0]!.end("SIGKILL");
await sleep(Number(seconds) * 200);
services[0] = await start(0);
phase = "after the kill";
await sleep(Number(seconds) * 200);
over.abort();
await Promise.all(callers);

let lost = 0;
for (const hash of registered) {
  const { status, body } = await ask("GET", `/records/${hash}`);
  if (status !== 200 || !body.includes('"published"')) lost += 1;
}
await front[Symbol.asyncDispose]();
for (const service of services) await service.end("SIGTERM");
const database = openDatabase({ connectionString: own.url }, 1, () => {});
const breaches = await checkConsistency(database, { atRest: false });
await database.destroy();
await rm(folder, { recursive: true, force: true });
for (const [what, times] of answers) process.stdout.write(`${what}: ${times}\n`);
process.stdout.write(`${registered.length} registered, ${lost} lost, ${breaches.length} breaches\n`);
const failed = [...answers.keys()].some((what) => what.startsWith("restart") && !what.endsWith(" 200"));
process.exitCode = failed || lost > 0 || breaches.length > 0 ? 1 : 0;

/** The pages and the command by way of the proxy, whose authority they are told of. */
async function tryProxy(): Promise<void> {
  for (const path of ["/ready", "/console/", "/docs/", "/openapi/v1.json"]) {
    const { status } = await ask("GET", path);
    if (status !== 200) throw new Error(`${path} answers ${status} through ${kind}.`);
  }
  const ca = join(folder, "authority.pem");
  await writeFile(ca, front.authority);
  const env = {
    ...process.env,
    NODE_EXTRA_CA_CERTS: ca,
    COLOPHON_BASE_URL: `https://localhost:${front.port}`,
    COLOPHON_TOKEN: token,
    HOME: folder,
  };
  const colophon = (...args: readonly string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, [COLOPHON, ...args], { cwd: folder, env });
  for (const name of ["harbour.jpg", "harbour-crop.jpg"]) await copyFile(SAMPLES + name, join(folder, name));
  await colophon("register", "harbour.jpg");
  const { stdout } = await colophon("lookup", "--json", "harbour-crop.jpg");
  if (!/"matched": ?true/.test(stdout)) throw new Error(`No match through ${kind}: ${stdout}`);
  const tooLarge = await ask("POST", "/registrations", new Uint8Array(257 * 2 ** 20));
  if (tooLarge.status !== 413 && tooLarge.status !== 0) {
    throw new Error(`A request that is too large is answered ${tooLarge.status} through ${kind}.`);
  }
  process.stdout.write(`${kind}: pages, register and look-up by command, ${tooLarge.status} for 257 MiB\n`);
}

/** Registers pictures one after the other; what a kill failed is not sent again. */
async function call(): Promise<void> {
  while (!over.signal.aborted) {
    const picture = await freshPicture();
    const during = phase;
    const { status, body } = await ask("POST", "/registrations", picture);
    const what = `${during} ${status}`;
    answers.set(what, (answers.get(what) ?? 0) + 1);
    const [, hash] = /"originalImageHash":"([0-9a-f]{64})"/.exec(body) ?? [];
    if (status === 200 && hash !== undefined) registered.push(hash);
  }
}

async function ask(
  method: string,
  path: string,
  picture?: Uint8Array,
): Promise<{ readonly status: number; readonly body: string }> {
  const form = picture === undefined ? null : multipart(picture);
  const sent = request({
    agent,
    method,
    path,
    port: front.port,
    host: "localhost",
    headers: { authorization: `Bearer ${token}`, ...form?.headers },
  });
  // One that is too large is answered before all of it is sent.
  sent.on("error", () => {});
  sent.end(form?.body);
  try {
    const [answer] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    return { status: answer.statusCode ?? 0, body: await text(answer) };
  } catch {
    return { status: 0, body: "" };
  }
}

function multipart(picture: Uint8Array): { readonly headers: Record<string, string>; readonly body: Buffer } {
  const head =
    '--part\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from("\r\n--part--\r\n")]);
  return {
    headers: { "content-type": "multipart/form-data; boundary=part", "content-length": String(body.length) },
    body,
  };
}
