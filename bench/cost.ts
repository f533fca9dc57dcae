/**
 * What one registration and one look-up cost in processor time, service and database together, as a ratio to bare
 * decoding plus SHA-256 of the same files in the same run.
 *
 *     node bench/cost.ts [--pictures 12] [--rounds 3] [--seed 1]
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { encodePicture, paintPicture } from "@colophon/testing/pictures.ts";
import { ApiClient, createAccount } from "@colophon/testing/api-client.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { processorMs } from "@colophon/testing/processor-time.ts";
import { postmasterPid, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";

const WIDTH = 1_280;
const HEIGHT = 960;
const MANY = 1_000_000;

/** Processor milliseconds per file, and the ratio of what the service takes to the bare cost. */
export interface Cost {
  readonly bareMs: number;
  readonly serviceMs: number;
  readonly ratio: number;
}

/** Registrations of pictures, and look-ups of crops of them. */
export interface CostReport {
  readonly registration: Cost;
  readonly lookup: Cost;
}

/** Registers `pictures` pictures once each and looks a crop of each up `rounds` times, one request at a time (Linux). */
export async function runCost(options: {
  readonly pictures: number;
  readonly rounds: number;
  readonly seed: number;
}): Promise<CostReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-cost-"));
  const adminToken = randomBytes(24).toString("base64url");
  const pictures: Uint8Array[] = [];
  for (let at = 0; at < options.pictures; at += 1) {
    pictures.push(await encodePicture(paintPicture(options.seed + at, WIDTH, HEIGHT), WIDTH, HEIGHT));
  }
  try {
    await using service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const grants = { registrations: MANY, lookups: MANY };
    const { token } = await createAccount(service.baseUrl, adminToken, grants);
    const client = new ApiClient(service.baseUrl, token);
    const queries = await Promise.all(pictures.map(derivedPicture));
    const repeated = Array.from({ length: options.rounds }, () => queries).flat();
    const spent = (): Promise<number> => processorMs(service.pid, postmasterPid(dataDir));
    await client.lookUp(await encodePicture(paintPicture(0, WIDTH, HEIGHT), WIDTH, HEIGHT));
    await decodeAndHash(pictures[0] ?? new Uint8Array());
    return {
      registration: costed(
        await costOf(ownProcessorMs, pictures, decodeAndHash),
        await costOf(spent, pictures, (picture) => client.register(picture)),
      ),
      lookup: costed(
        await costOf(ownProcessorMs, repeated, decodeAndHash),
        await costOf(spent, repeated, (query) => client.lookUp(query)),
      ),
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function costed(bareMs: number, serviceMs: number): Cost {
  return { bareMs: round(bareMs), serviceMs: round(serviceMs), ratio: round(serviceMs / bareMs) };
}

async function costOf(
  clock: () => number | Promise<number>,
  pictures: readonly Uint8Array[],
  work: (picture: Uint8Array) => Promise<unknown>,
): Promise<number> {
  const before = await clock();
  for (const picture of pictures) await work(picture);
  return ((await clock()) - before) / pictures.length;
}

async function decodeAndHash(picture: Uint8Array): Promise<void> {
  createHash("sha256").update(picture).digest();
  await sharp(picture).raw().toBuffer();
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      pictures: { type: "string", default: "12" },
      rounds: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
    },
  });
  const report = await runCost({
    pictures: Number(values.pictures),
    rounds: Number(values.rounds),
    seed: Number(values.seed),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
}
