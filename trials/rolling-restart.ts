/**
 * Two processes on one database behind nginx, as `packaging/nginx` has it, under a steady load: each is restarted in turn, and then one is killed.
 * Counts the answers of each phase: a restart should fail no request, a kill those that the process had. No record is lost, and fsck finds nothing.
 *
 *     node trials/rolling-restart.ts [--seconds 30]       # nginx and openssl on the PATH
 */
import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { createAccount } from "@colophon/testing/api-client.ts";
import { encodePicture, paintPicture } from "@colophon/testing/pictures.ts";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { checkConsistency } from "../packages/server/src/fsck/check-consistency.ts";
import { openDatabase } from "../packages/server/src/store/database.ts";
import { OwnPostgres } from "./support/own-postgres.ts";

const CONFIGURATION = fileURLToPath(new URL("../packaging/nginx/colophon.conf", import.meta.url));
const ADMIN = "rolling-restart-admin-token";
const CALLERS = 4;

const { seconds } = readCommandLine({ options: { seconds: { type: "string", default: "30" } } }).values;
const folder = await mkdtemp(join(tmpdir(), "colophon-rolling-"));
await using own = await OwnPostgres.start();
const ports = [await freePort(), await freePort(), await freePort()] as const;
const start = (at: 0 | 1): Promise<ServiceProcess> =>
  ServiceProcess.start({
    ...serviceEnvironment(join(folder, String(at)), ADMIN),
    COLOPHON_DATABASE_URL: own.url,
    COLOPHON_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    COLOPHON_PORT: String(ports[at]),
  });
const services = [await start(0), await start(1)];
const { token } = await createAccount(services[0]!.baseUrl, ADMIN, {
  registrations: 100_000,
  lookups: 100_000,
});
const authority = certificate();
const nginx = spawn("nginx", ["-p", folder, "-c", await configuration()], { stdio: "inherit" });
const agent = new Agent({ ca: authority, keepAlive: true });

let phase = "idle";
const answers = new Map<string, number>();
const registered: string[] = [];
const over = new AbortController();
await sleep(500);
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
nginx.kill("SIGTERM");
await once(nginx, "exit");
for (const service of services) await service.end("SIGTERM");
const database = openDatabase({ connectionString: own.url }, 1, () => {});
const breaches = await checkConsistency(database, { atRest: false });
await database.destroy();
await rm(folder, { recursive: true, force: true });
for (const [what, times] of answers) process.stdout.write(`${what}: ${times}\n`);
process.stdout.write(`${registered.length} registered, ${lost} lost, ${breaches.length} breaches\n`);
const failed = [...answers.keys()].some((what) => what.startsWith("restart") && !what.endsWith(" 200"));
process.exitCode = failed || lost > 0 || breaches.length > 0 ? 1 : 0;

/** Registers pictures one after the other; what a kill failed is not sent again. */
async function call(): Promise<void> {
  while (!over.signal.aborted) {
    const picture = await encodePicture(paintPicture(randomInt(2 ** 31), 72, 48), 72, 48);
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
    port: ports[2],
    host: "localhost",
    headers: { authorization: `Bearer ${token}`, ...form?.headers },
  });
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

/** The shipped configuration, with this trial's ports and certificate. */
async function configuration(): Promise<string> {
  const shipped = (await readFile(CONFIGURATION, "utf8"))
    .replace(":8400 ", `:${ports[0]} `)
    .replace(":8401 ", `:${ports[1]} `)
    .replace("listen 443", `listen 127.0.0.1:${ports[2]}`)
    .replaceAll("/etc/colophon/tls/", `${folder}/`);
  const path = join(folder, "nginx.conf");
  await writeFile(
    path,
    `daemon off;\npid ${folder}/pid;\nerror_log stderr error;\nevents {}\nhttp {\naccess_log off;\n${shipped}\n}\n`,
  );
  return path;
}

/** An authority of the trial's own, and a certificate of it for localhost. @returns the authority's certificate */
function certificate(): string {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=trial", "-days", "2");
  openssl(
    "req",
    ...key,
    "-keyout",
    "key.pem",
    "-out",
    "request.pem",
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost",
  );
  openssl(
    "x509",
    "-req",
    "-in",
    "request.pem",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-out",
    "certificate.pem",
    "-days",
    "2",
    "-copy_extensions",
    "copy",
  );
  return openssl("x509", "-in", "ca.pem");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function openssl(...args: readonly string[]): string {
  return String(execFileSync("openssl", args, { cwd: folder, stdio: "pipe" }));
}
