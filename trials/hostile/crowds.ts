/**
 * Many connections of one stranger at once, in every shape that `crowd-shapes.ts` lists, and what others notice beside
 * them: each asks `/health`, `/ready`, an account's stats and a look-up over and over, on a new connection every time.
 *
 *     node trials/hostile/crowds.ts [--connections 800] [--requests 200] [--seconds 10] [--from 127.0.0.2] [--seed 1]
 *                                   [--only TEXT]...
 *
 * The stranger has a process and an address of its own (`--from`); with that of the others, 127.0.0.1, it is one of
 * many behind one address.
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAccount } from "@colophon/testing/api-client.ts";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { KeepAliveClient, postImage, type PreparedRequest } from "@colophon/testing/keep-alive-client.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { imageMaker } from "@colophon/testing/test-pictures.ts";
import { SHAPES } from "./crowd-shapes.ts";
import type { Order } from "./stranger.ts";

/** Nobody waits longer beside a crowd, ms. */
const PATIENCE_MS = 1_000;
/** What a crowd may add to the service's memory, MiB. */
const MOST_GROWN_MIB = 256;
const STRANGER: string = fileURLToPath(new URL("stranger.ts", import.meta.url));
/** How much nicer the stranger's process is: elsewhere it has a machine of its own. */
const LOWER = 5;

export interface CrowdsOptions {
  readonly connections: number;
  readonly requests: number;
  readonly seconds: number;
  readonly from: string;
  readonly seed: number;
  /** Tries the shapes whose names contain one of these. */
  readonly only: readonly string[];
  /** Times that everything is asked before the crowd comes. */
  readonly alone: number;
  /** How long others may wait, ms. */
  readonly patienceMs?: number;
}

/** How long the requests of one kind took. */
export interface Times {
  readonly asked: number;
  /** The first, begun as the crowd came. */
  readonly firstMs: number;
  readonly medianMs: number;
  readonly longestMs: number;
}

export interface CrowdReport {
  readonly shape: string;
  readonly alone: Readonly<Record<string, Times>>;
  readonly beside: Readonly<Record<string, Times>>;
  readonly grownMiB: number;
}

/** Tries every shape against one service. */
export async function runCrowds(
  options: CrowdsOptions,
): Promise<{ readonly crowds: readonly CrowdReport[]; readonly breaches: readonly string[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-crowds-"));
  const adminToken = randomBytes(24).toString("base64url");
  const breaches: string[] = [];
  const crowds: CrowdReport[] = [];
  try {
    await using service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const grants = { registrations: 1_000_000, lookups: 1_000_000 };
    const { token } = await createAccount(service.baseUrl, adminToken, grants);
    const picture = await imageMaker(options.seed)();
    const probes: Readonly<Record<string, PreparedRequest>> = {
      health: { method: "GET", path: "/health", headers: {} },
      ready: { method: "GET", path: "/ready", headers: {} },
      stats: { method: "GET", path: "/account/stats", headers: { authorization: `Bearer ${token}` } },
      lookUp: postImage("/lookup", token, picture),
    };
    const shapes = Object.keys(SHAPES).filter((name) => options.only.some((part) => name.includes(part)));
    for (const shape of shapes) {
      crowds.push(await beside(service, shape, probes, options, breaches));
    }
    if (!service.alive) breaches.push(`broken: the service lives\n${service.output}`);
    return { crowds, breaches };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function beside(
  service: ServiceProcess,
  shape: string,
  probes: Readonly<Record<string, PreparedRequest>>,
  { connections, requests, seconds, from, alone: times, patienceMs = PATIENCE_MS }: CrowdsOptions,
  breaches: string[],
): Promise<CrowdReport> {
  const ask = (goOn: (asked: number) => boolean): Promise<Record<string, Times>> =>
    timed(service.baseUrl, probes, goOn, (what) => breaches.push(`broken: ${shape}: ${what}`));
  const alone = await ask((asked) => asked < times);
  const before = service.memory().resident;
  service.forgetPeak();
  const child = fork(STRANGER, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const priority = Math.min(getPriority() + LOWER, constants.priority.PRIORITY_LOW);
  if (child.pid !== undefined) setPriority(child.pid, priority);
  const order: Order = { baseUrl: service.baseUrl, shape, connections, requests, from };
  const begun = once(child, "message");
  child.send(order);
  await begun;
  const until = performance.now() + seconds * 1000;
  const besides = await ask((asked) => asked === 0 || performance.now() < until);
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
  const grownMiB = Math.round(service.memory().peak - before);
  for (const [probe, { longestMs }] of Object.entries(besides)) {
    if (longestMs > patienceMs) breaches.push(`broken: ${shape}: ${probe} takes ${longestMs} ms`);
  }
  if (grownMiB > MOST_GROWN_MIB) breaches.push(`broken: ${shape}: the service grew by ${grownMiB} MiB`);
  return { shape, alone, beside: besides, grownMiB };
}

/** Sends each probe again and again, all of them side by side, each time on a new connection. */
async function timed(
  baseUrl: string,
  probes: Readonly<Record<string, PreparedRequest>>,
  goOn: (asked: number) => boolean,
  breach: (what: string) => void,
): Promise<Record<string, Times>> {
  const one = async ([name, request]: [string, PreparedRequest]): Promise<[string, Times]> => {
    const took: number[] = [];
    while (goOn(took.length)) {
      using client = new KeepAliveClient(baseUrl, 1);
      try {
        const { status, milliseconds } = await client.send(request);
        took.push(milliseconds);
        if (status !== 200) breach(`${name} is answered ${status}`);
      } catch (error) {
        took.push(Number.POSITIVE_INFINITY);
        breach(`${name} has no answer: ${String(error)}`);
      }
    }
    const sorted = took.toSorted((a, b) => a - b);
    const medianMs = round(sorted[Math.floor((sorted.length - 1) / 2)]);
    return [name, { asked: took.length, firstMs: round(took[0]), medianMs, longestMs: round(sorted.at(-1)) }];
  };
  return Object.fromEntries(await Promise.all(Object.entries(probes).map(one)));
}

function round(milliseconds = 0): number {
  return Math.round(milliseconds * 10) / 10;
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      connections: { type: "string", default: "800" },
      requests: { type: "string", default: "200" },
      seconds: { type: "string", default: "10" },
      from: { type: "string", default: "127.0.0.2" },
      seed: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: [""] },
    },
  });
  const report = await runCrowds({
    connections: Number(values.connections),
    requests: Number(values.requests),
    seconds: Number(values.seconds),
    from: values.from,
    seed: Number(values.seed),
    only: values.only,
    alone: 5,
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
