/**
 * Loads one service: requests a second over kept-alive connections, memory during uploads of 250 MiB and during many
 * parallel look-ups, and whether overload is answered as such and passes.
 *
 *     node trials/load.ts [--seconds 5] [--clients 1,8,32] [--parallel 500] [--side 960] [--seed 1]
 *
 * `--side`: of the picture that is looked up, its longer one.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import type { OpenedLookupSlot } from "@colophon/contract";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { ApiClient, createAccount } from "@colophon/testing/api-client.ts";
import {
  KeepAliveClient,
  postImage,
  postParts,
  type PreparedRequest,
  type TimedAnswer,
} from "@colophon/testing/keep-alive-client.ts";
import { auditSettled } from "./support/registry-audit.ts";
import { embeddedDatabase, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";

const MANY = 1_000_000;
const MIB = 1_048_576;
const UPLOAD_MIB = 250;
const IMAGE_CAP_MIB = 64;
const RECOVERY_MS = 60_000;
/** What the process may grow by for reasons of its own: heaps, buffers of connections, decoders. */
const SLACK_MIB = 256;

/** Rate and latency of one kind of request at one number of clients. */
export interface Rate {
  readonly request: string;
  readonly clients: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Resident memory of the service in MiB around one kind of load, with the answers it gave. */
export interface MemoryUse {
  readonly beforeMiB: number;
  readonly peakMiB: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** What a run saw; `breaches` must be empty. */
export interface LoadReport {
  readonly rates: readonly Rate[];
  readonly tooLargeImage: MemoryUse;
  readonly manyQueries: MemoryUse;
  readonly parallelLookups: MemoryUse & { readonly recoveredMs: number };
  readonly breaches: readonly string[];
}

/**
 * Runs all three loads on a service of their own. `seconds` is the length of each rate's measurement, `side` the longer
 * side of the picture looked up, in pixels.
 */
export async function runLoad(options: {
  readonly seconds: number;
  readonly clients: readonly number[];
  readonly parallel: number;
  readonly side: number;
  readonly seed: number;
}): Promise<LoadReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-load-"));
  const adminToken = randomBytes(24).toString("base64url");
  try {
    await using service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const grants = { registrations: MANY, lookups: MANY };
    const { token } = await createAccount(service.baseUrl, adminToken, grants);
    const [width, height] = [options.side, Math.round((2 / 3) * options.side)];
    const picture = await paintedPicture(options.seed, width, height);
    const registered = await new ApiClient(service.baseUrl, token).register(picture);
    if (registered.status !== 200) throw new Error(`The picture was not registered (${registered.status}).`);
    const breaches: string[] = [];
    const query = await derivedPicture(picture);
    const rates = await measureRates(service, token, query, registered.body.originalImageHash, options);
    const tooLargeImage = await uploadTooLargeImage(service, token, picture, breaches);
    const manyQueries = await uploadManyQueries(service, token, breaches);
    const parallelLookups = await manyLookups(service, token, query, options.parallel, breaches);
    breaches.push(...(await auditSettled(embeddedDatabase(dataDir))));
    return { rates, tooLargeImage, manyQueries, parallelLookups, breaches };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureRates(
  service: ServiceProcess,
  token: string,
  query: Uint8Array,
  originalImageHash: string,
  options: { readonly seconds: number; readonly clients: readonly number[] },
): Promise<Rate[]> {
  const headers = { authorization: `Bearer ${token}` };
  const requests: Record<string, PreparedRequest> = {
    "GET /health": { method: "GET", path: "/health", headers: {} },
    "GET /account/stats": { method: "GET", path: "/account/stats", headers },
    "GET /records/{hash}": { method: "GET", path: `/records/${originalImageHash}`, headers },
    "POST /lookup": postImage("/lookup", token, query),
  };
  const rates: Rate[] = [];
  for (const [name, request] of Object.entries(requests)) {
    for (const clients of options.clients) {
      rates.push(await measureRate(service, name, request, clients, options.seconds));
    }
  }
  return rates;
}

async function measureRate(
  service: ServiceProcess,
  name: string,
  request: PreparedRequest,
  clients: number,
  seconds: number,
): Promise<Rate> {
  using client = new KeepAliveClient(service.baseUrl, clients);
  const answers: TimedAnswer[] = [];
  const began = performance.now();
  const end = began + seconds * 1_000;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) answers.push(await client.send(request));
  };
  await Promise.all(Array.from({ length: clients }, loop));
  const elapsed = (performance.now() - began) / 1_000;
  const times = answers.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const at = (share: number): number => round(times[Math.floor(share * (times.length - 1))] ?? 0);
  return {
    request: name,
    clients,
    perSecond: round(answers.length / elapsed),
    medianMs: at(0.5),
    p99Ms: at(0.99),
    statuses: countStatuses(answers),
  };
}

/** Posts an image of 250 MiB: past the image cap, so it is refused, but only after much of it was read. */
async function uploadTooLargeImage(
  service: ServiceProcess,
  token: string,
  picture: Uint8Array,
  breaches: string[],
): Promise<MemoryUse> {
  const request = postImage("/registrations", token, picture, UPLOAD_MIB * MIB - picture.length);
  return await upload(service, request, 413, breaches);
}

/** Posts 250 MiB of query images to a look-up slot, which takes them all. */
async function uploadManyQueries(
  service: ServiceProcess,
  token: string,
  breaches: string[],
): Promise<MemoryUse> {
  const client = new ApiClient(service.baseUrl, token);
  const slot = (await client.call<OpenedLookupSlot>("POST", "/lookup/slots")).body;
  const path = `/lookup/slots/${slot.lookupSlotId}`;
  const use = await upload(service, postParts(`${path}/queries`, token, UPLOAD_MIB, MIB), 200, breaches);
  const { entries } = (await client.call<{ entries: unknown[] }>("GET", `${path}/manifest`)).body;
  if (entries.length !== UPLOAD_MIB) breaches.push(`broken: all queries are held (${entries.length} are)`);
  await client.call("DELETE", path);
  return use;
}

async function upload(
  service: ServiceProcess,
  request: PreparedRequest,
  expected: number,
  breaches: string[],
): Promise<MemoryUse> {
  using client = new KeepAliveClient(service.baseUrl, 1);
  const before = startMeasuring(service);
  const answer = await client.send(request);
  const use = { ...memorySince(service, before), statuses: countStatuses([answer]) };
  if (answer.status !== expected) {
    breaches.push(`broken: the upload to ${request.path} is ${expected} (status ${answer.status})`);
  }
  if (use.peakMiB - before > IMAGE_CAP_MIB + SLACK_MIB) {
    breaches.push(`broken: an upload takes no more than one image (${before} -> ${use.peakMiB} MiB)`);
  }
  return use;
}

async function manyLookups(
  service: ServiceProcess,
  token: string,
  query: Uint8Array,
  parallel: number,
  breaches: string[],
): Promise<LoadReport["parallelLookups"]> {
  using client = new KeepAliveClient(service.baseUrl, parallel);
  const request = postImage("/lookup", token, query);
  const before = startMeasuring(service);
  const answers = await Promise.all(Array.from({ length: parallel }, () => client.send(request)));
  const ended = performance.now();
  const use = { ...memorySince(service, before), statuses: countStatuses(answers) };
  for (const { status, headers } of answers) {
    const honest = status === 503 && /^[1-9]\d*$/.test(headers["retry-after"] ?? "");
    if (status !== 200 && !honest) {
      breaches.push(`broken: overload is 503 with Retry-After (status ${status})`);
    }
  }
  if (use.peakMiB - before > (parallel * query.length) / MIB + 2 * SLACK_MIB) {
    breaches.push(`broken: look-ups hold no more than their images (${before} -> ${use.peakMiB} MiB)`);
  }
  while ((await client.send(request)).status !== 200) {
    if (performance.now() - ended > RECOVERY_MS) {
      breaches.push("broken: overload passes");
      break;
    }
    await sleep(100);
  }
  return { ...use, recoveredMs: round(performance.now() - ended) };
}

function startMeasuring(service: ServiceProcess): number {
  service.forgetPeak();
  return Math.round(service.memory().resident);
}

function memorySince(service: ServiceProcess, beforeMiB: number): Pick<MemoryUse, "beforeMiB" | "peakMiB"> {
  return { beforeMiB, peakMiB: Math.round(service.memory().peak) };
}

function countStatuses(answers: readonly TimedAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      seconds: { type: "string", default: "5" },
      clients: { type: "string", default: "1,8,32" },
      parallel: { type: "string", default: "500" },
      side: { type: "string", default: "960" },
      seed: { type: "string", default: "1" },
    },
  });
  const report = await runLoad({
    seconds: Number(values.seconds),
    clients: values.clients.split(",").map(Number),
    parallel: Number(values.parallel),
    side: Number(values.side),
    seed: Number(values.seed),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
