/**
 * Sends mutated requests (multipart, JSON, images, headers, framing) and checks that every answer is one the contract lists,
 * that memory stays bounded, and that the service lives and still does its job.
 *
 *     node bench/hostile.ts [--requests 10000] [--seed 1] [--clients 8]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { REFUSALS, type RefusalCode, routeOf } from "@colophon/contract";
import { encodePicture, paintPicture, seededRandom } from "../tools/pictures.ts";
import { ApiClient, createAccount } from "./api-client.ts";
import { hostileRequest } from "./hostile-requests.ts";
import type { Material, WireRequest } from "./request-drafts.ts";
import { auditLedgers, auditSettled } from "./registry-audit.ts";
import { serviceEnvironment, ServiceProcess } from "./service-process.ts";

const PATIENCE_MS = 120_000;
const MANY = 1_000_000;
const LISTED_STATUSES = new Set([200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 503]);
/** Refusals that any request may meet, whatever its route. */
const COMMON: readonly RefusalCode[] = ["unauthorized", "notFound", "methodNotAllowed", "malformedRequest"];

/** What a run saw; `breaches` must be empty. */
export interface HostileReport {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly memoryMiB: { readonly before: number; readonly peak: number; readonly after: number };
  readonly breaches: readonly string[];
}

/** Sends `requests` requests, all drawn from `seed`. */
export async function runHostile(options: {
  readonly requests: number;
  readonly seed: number;
  readonly clients: number;
}): Promise<HostileReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-hostile-"));
  const adminToken = randomBytes(24).toString("base64url");
  try {
    await using service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const material = await prepare(service.baseUrl, adminToken);
    const before = service.memory().resident;
    const { statuses, breaches } = await sendAll(service, material, options);
    const { peak, resident: after } = service.memory();
    if (!service.alive) breaches.push(`broken: the service lives\n${service.output}`);
    breaches.push(...(await stillWorks(service.baseUrl, material)));
    await abandonSlots(service.baseUrl, material);
    const host = join(dataDir, "postgres/run");
    breaches.push(...(await auditSettled({ host, port: 5432, user: "colophon", database: "colophon" })));
    breaches.push(...(await auditLedgers(service.baseUrl, adminToken, material.accountId)));
    const memoryMiB = { before: Math.round(before), peak: Math.round(peak), after: Math.round(after) };
    return { requests: options.requests, statuses, memoryMiB, breaches };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function prepare(baseUrl: string, adminToken: string): Promise<Material> {
  const { accountId, token } = await createAccount(baseUrl, adminToken, {
    registrations: MANY,
    lookups: MANY,
    sequencesEnabled: true,
  });
  const administered = await createAccount(baseUrl, adminToken, {});
  const scene = paintPicture(1, 160, 120);
  const pictures = await Promise.all(
    (["jpeg", "png", "webp"] as const).map(async (format) => ({
      type: `image/${format}`,
      bytes: Buffer.from(await encodePicture(scene, 160, 120, format)),
    })),
  );
  const client = new ApiClient(baseUrl, token);
  const registered = await client.register(await encodePicture(paintPicture(2, 240, 160), 240, 160));
  if (registered.status !== 200) throw new Error(`A picture did not register (${registered.status}).`);
  const hashes = [registered.body.originalImageHash, "a".repeat(64), "A".repeat(64), "short"];
  const { slotId } = (await client.call<{ slotId: string }>("POST", "/slots")).body;
  const { lookupSlotId } = (await client.call<{ lookupSlotId: string }>("POST", "/lookup/slots")).body;
  return {
    token,
    adminToken,
    accountId,
    administeredId: administered.accountId,
    pictures,
    hashes,
    slotId,
    lookupSlotId,
  };
}

async function sendAll(
  service: ServiceProcess,
  material: Material,
  options: { readonly requests: number; readonly seed: number; readonly clients: number },
): Promise<{ statuses: Record<string, number>; breaches: string[] }> {
  const random = seededRandom(options.seed);
  const statuses: Record<string, number> = {};
  const breaches: string[] = [];
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < options.requests && service.alive) {
      sent += 1;
      const number = sent;
      const request = hostileRequest(random, material);
      const answer = await exchange(service.baseUrl, request);
      const key = answer.outcome === "answered" ? String(answer.status) : answer.outcome;
      statuses[key] = (statuses[key] ?? 0) + 1;
      const fault = faultOf(request, answer);
      if (fault !== undefined)
        breaches.push(`request ${number} (${request.route}, ${request.label}): ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return { statuses, breaches };
}

type Exchange =
  | { readonly outcome: "answered"; readonly status: number; readonly type: string; readonly body: string }
  | { readonly outcome: "closed" }
  | { readonly outcome: "hung" };

/** Sends a request and reads one answer. After one that is not well-framed the sending side ends: more could be expected. */
function exchange(baseUrl: string, { bytes, framed }: WireRequest): Promise<Exchange> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let received = Buffer.alloc(0);
    const settle = (answer: Exchange): void => {
      socket.destroy();
      resolve(answer);
    };
    const finish = (): void => settle(parseAnswer(received, true) ?? { outcome: "closed" });
    socket.setTimeout(PATIENCE_MS, () => settle(parseAnswer(received, true) ?? { outcome: "hung" }));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = parseAnswer(received, false);
      if (answer !== undefined) settle(answer);
    });
    socket.on("end", finish).on("error", finish).on("close", finish);
    if (framed) socket.write(bytes);
    else socket.end(bytes);
  });
}

/** The first final answer in `received`, `undefined` while it is incomplete (unless `ended`). */
function parseAnswer(received: Buffer, ended: boolean): Exchange | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = received.subarray(0, headEnd).toString("latin1");
  const body = received.subarray(headEnd + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  if (status >= 100 && status < 200) return parseAnswer(body, ended);
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim();
  const length = field("content-length");
  const complete = length === undefined ? body.includes("0\r\n\r\n") : body.length >= Number(length);
  if (!complete && !ended && status !== 204) return undefined;
  return {
    outcome: "answered",
    status,
    type: field("content-type") ?? "",
    body: body.subarray(0, length === undefined ? body.length : Number(length)).toString("utf8"),
  };
}

/** Why an answer is not one the contract lists, `undefined` when it is. */
function faultOf(request: WireRequest, answer: Exchange): string | undefined {
  if (answer.outcome === "hung") return "no answer";
  if (answer.outcome === "closed") return request.framed ? "closed without an answer" : undefined;
  const { status, type, body } = answer;
  if (!LISTED_STATUSES.has(status)) return `status ${status}: ${body.slice(0, 300)}`;
  if (status < 400) return undefined;
  if (type !== "application/problem+json") return `status ${status} as ${type}`;
  if (body === "") return request.route === null ? undefined : `status ${status} without a body`;
  const problem: Record<string, unknown> = JSON.parse(body);
  const known = Object.entries(REFUSALS).find(([, refusal]) => refusal.title === problem["title"]);
  if (known === undefined || known[1].status !== status || problem["status"] !== status) {
    return `unlisted problem: ${body.slice(0, 300)}`;
  }
  if (typeof problem["traceId"] !== "string" || typeof problem["type"] !== "string")
    return `no envelope: ${body}`;
  const expected: readonly string[] =
    request.route === null ? [] : [...COMMON, ...routeOf(request.route).refusals];
  if (request.route !== null && !expected.includes(known[0])) return `the route lists no ${known[0]}`;
  return undefined;
}

/** What open slots hold stays in custody; the audit wants to see it let go. */
async function abandonSlots(baseUrl: string, material: Material): Promise<void> {
  const client = new ApiClient(baseUrl, material.token);
  await client.call("DELETE", `/slots/${material.slotId}`);
  await client.call("DELETE", `/lookup/slots/${material.lookupSlotId}`);
}

async function stillWorks(baseUrl: string, material: Material): Promise<string[]> {
  const client = new ApiClient(baseUrl, material.token);
  const image = await encodePicture(paintPicture(3, 240, 160), 240, 160);
  const registered = await client.register(image);
  const found = await client.lookUp(image);
  const works = registered.status === 200 && found.status === 200 && found.body.matched;
  return works
    ? []
    : [`broken: the service still registers and finds (${registered.status}, ${found.status})`];
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      requests: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
      clients: { type: "string", default: "8" },
    },
  });
  const report = await runHostile({
    requests: Number(values.requests),
    seed: Number(values.seed),
    clients: Number(values.clients),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
