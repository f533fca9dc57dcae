/**
 * Sends mutated requests (multipart, JSON, images, headers, framing) and checks that every answer is one the contract
 * lists, that memory goes back, that no process dies without being replaced, and that the service lives and still does
 * its job.
 *
 *     node trials/hostile/requests.ts [--requests 100000] [--seed 1] [--clients 8]
 */
import { encodePicture, paintedPicture, paintPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { exchange, type Exchange } from "./exchange.ts";
import { faultOfAnswer } from "./listed-answers.ts";
import { hostileRequest } from "./mutated-requests.ts";
import type { Material, WireRequest } from "./request-drafts.ts";
import type { ServiceProcess } from "@colophon/testing/service-process.ts";
import { ServiceWatch, type WatchedMemory } from "@colophon/testing/service-watch.ts";
import { Progress } from "../support/progress.ts";
import { auditLedgers, auditSettled } from "../support/registry-audit.ts";
import { TrialService } from "../support/trial-service.ts";
import { runTrial } from "../support/run-trial.ts";

/** How far memory may stay above what it was, MiB, and how long it may take to come back. */
const SLACK_MIB = 150;
const SETTLE_MS = 60_000;

/** What a run saw; `breaches` must be empty. */
export interface HostileReport {
  readonly requests: number;
  readonly seed: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** The service, the processes below it and its database together. */
  readonly memoryMiB: WatchedMemory;
  /** Processes below the service that ended during the run. */
  readonly processesEnded: number;
  readonly breaches: readonly string[];
}

/** Sends `requests` requests, all drawn from `seed`. */
export async function runHostile(options: {
  readonly requests: number;
  readonly seed: number;
  readonly clients: number;
  readonly progress?: Progress;
}): Promise<HostileReport> {
  await using service = await TrialService.start();
  const material = await prepare(service);
  using watch = new ServiceWatch(service.process, service.dataDir);
  const { statuses, breaches } = await sendAll(service.process, material, options);
  breaches.push(...(await stillWorks(service.baseUrl, material)));
  await abandonSlots(service.baseUrl, material);
  const settled = await watch.settled(SLACK_MIB, SETTLE_MS);
  breaches.push(...settled.breaches, ...(await auditSettled(service.connection)));
  breaches.push(...(await auditLedgers(service.baseUrl, service.adminToken, material.accountId)));
  const { requests, seed } = options;
  return { requests, seed, statuses, memoryMiB: settled.memory, processesEnded: watch.ended, breaches };
}

async function prepare(service: TrialService): Promise<Material> {
  const { baseUrl, adminToken } = service;
  const { accountId, token } = await service.account();
  const administered = await service.account();
  const scene = paintPicture(1, 160, 120);
  const pictures = await Promise.all(
    (["jpeg", "png", "webp"] as const).map(async (format) => ({
      type: `image/${format}`,
      bytes: Buffer.from(await encodePicture(scene, 160, 120, format)),
    })),
  );
  const client = new ApiClient(baseUrl, token);
  const registered = await client.register(await paintedPicture(2, 240, 160));
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
  options: Parameters<typeof runHostile>[0],
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
      if (fault !== undefined) {
        breaches.push(`request ${number} (${request.route}, ${request.label}): ${fault}`);
      }
      options.progress?.report(number, options.requests, breaches.length);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return { statuses, breaches };
}

/** Why an answer is not one the contract lists, `undefined` when it is. */
function faultOf(request: WireRequest, answer: Exchange): string | undefined {
  if (answer.outcome === "hung") return "no answer";
  if (answer.outcome === "closed") return request.framed ? "closed without an answer" : undefined;
  return faultOfAnswer(request.route, answer);
}

/** What open slots hold stays in custody; the audit wants to see it let go. */
async function abandonSlots(baseUrl: string, material: Material): Promise<void> {
  const client = new ApiClient(baseUrl, material.token);
  await client.call("DELETE", `/slots/${material.slotId}`);
  await client.call("DELETE", `/lookup/slots/${material.lookupSlotId}`);
}

async function stillWorks(baseUrl: string, material: Material): Promise<string[]> {
  const client = new ApiClient(baseUrl, material.token);
  const image = await paintedPicture(3, 240, 160);
  const registered = await client.register(image);
  const found = await client.lookUp(image);
  const works = registered.status === 200 && found.status === 200 && found.body.matched;
  return works
    ? []
    : [`broken: the service still registers and finds (${registered.status}, ${found.status})`];
}

if (import.meta.main) {
  await runTrial({ requests: 100_000, seed: 1, clients: 8 }, (options) =>
    runHostile({ ...options, progress: new Progress("requests") }),
  );
}
