/**
 * Posts mutated images of every coding (JPEG, PNG, WebP, AVIF, TIFF and GIF) as look-ups, registrations, slot uploads,
 * pooled queries and frames, and checks that every answer is listed, that no process dies without being replaced, that
 * memory goes back, and that the service still does its job and its books balance.
 *
 *     node trials/hostile/images.ts [--images 20000] [--seed 1] [--clients 4]
 */
import type { TestAccount } from "@colophon/testing/api-client.ts";
import { encodePicture, paintPicture, seededRandom } from "@colophon/testing/pictures.ts";
import type { ServiceProcess } from "@colophon/testing/service-process.ts";
import { ServiceWatch, type WatchedMemory } from "@colophon/testing/service-watch.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageMaker } from "@colophon/testing/test-pictures.ts";
import { Findings } from "../support/findings.ts";
import { Progress } from "../support/progress.ts";
import { auditLedgers, auditSettled } from "../support/registry-audit.ts";
import { TrialService } from "../support/trial-service.ts";
import { type CodedImage, everyCoding, IMAGE_TYPES } from "./image-mutations/codings.ts";
import { hostileImage } from "./image-mutations/mutate-image.ts";
import { ImagePoster } from "./post-image.ts";
import { runTrial } from "../support/run-trial.ts";

/** How far memory may stay above what it was, MiB, and how long it may take to come back. */
const SLACK_MIB = 150;
const SETTLE_MS = 60_000;

/** What a run saw; `breaches` must be empty. */
export interface HostileImagesReport {
  readonly images: number;
  readonly seed: number;
  /** What the service said of images of each type, each way. */
  readonly said: Readonly<Record<string, number>>;
  /** The service, the processes below it and its database together. */
  readonly memoryMiB: WatchedMemory;
  /** Processes below the service that ended during the run. */
  readonly processesEnded: number;
  readonly breaches: readonly string[];
}

/** Posts `images` images, all drawn from `seed`. */
export async function runHostileImages(options: {
  readonly images: number;
  readonly seed: number;
  readonly clients: number;
  readonly progress?: Progress;
}): Promise<HostileImagesReport> {
  const accepted = { COLOPHON_ACCEPTED_TYPES: IMAGE_TYPES.join(",") };
  await using service = await TrialService.start(accepted);
  const account = await service.account();
  const sound = await everyCoding(options.seed);
  const findings = new Findings();
  await postSound(service.process, account, sound, findings);
  using watch = new ServiceWatch(service.process, service.dataDir);
  await postAll(service.process, account, sound, findings, options);
  await stillWorks(service.process, account, options.seed, findings);
  const { memory, breaches } = await watch.settled(SLACK_MIB, SETTLE_MS);
  const audit = await auditSettled(service.connection);
  const ledgers = await auditLedgers(service.baseUrl, service.adminToken, account.accountId);
  return {
    images: options.images,
    seed: options.seed,
    said: findings.counts,
    memoryMiB: memory,
    processesEnded: watch.ended,
    breaches: [...findings.breaches, ...breaches, ...audit, ...ledgers],
  };
}

/**
 * Looks every coding up as it is, so that what is refused later is refused for its mutation, and registers one, so that
 * mutated ones are found to derive from it. Also warms the service up.
 */
async function postSound(
  { baseUrl }: ServiceProcess,
  { token }: TestAccount,
  images: readonly CodedImage[],
  findings: Findings,
): Promise<void> {
  const client = new SlotClient(baseUrl, token);
  for (const { type, coding, bytes } of images) {
    const { status } = await client.lookUp(bytes);
    findings.expect(status === 200, `${type}, ${coding}: a sound image is looked up (status ${status})`);
  }
  const [first] = images;
  const registered = first && (await client.register(first.bytes));
  findings.expect(registered?.status === 200, `a sound image registers (status ${registered?.status})`);
}

async function postAll(
  service: ServiceProcess,
  { token }: TestAccount,
  sound: readonly CodedImage[],
  findings: Findings,
  options: Parameters<typeof runHostileImages>[0],
): Promise<void> {
  const random = seededRandom(options.seed);
  const poster = new ImagePoster(service.baseUrl, token, imageMaker(options.seed));
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < options.images && service.alive) {
      sent += 1;
      const number = sent;
      const image = hostileImage(random, sound);
      const about = `image ${number} (${image.type}, ${image.coding}: ${image.label})`;
      try {
        const { way, said, faults } = await poster.post(random, image);
        findings.count(`${image.type} ${way}: ${said}`);
        for (const fault of faults) findings.breach(`${about}: ${fault}`);
      } catch (error) {
        findings.breach(`${about}: no answer (${String(error)})`);
      }
      options.progress?.report(sent, options.images, findings.breaches.length);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
}

/** Registers a picture, finds it, and finds it again from a part of it re-encoded. */
async function stillWorks(
  service: ServiceProcess,
  { token }: TestAccount,
  seed: number,
  findings: Findings,
): Promise<void> {
  if (!service.alive) return;
  const client = new SlotClient(service.baseUrl, token);
  const scene = paintPicture(seed * 7 + 1_000_003, 480, 320);
  const registered = await client.register(await encodePicture(scene, 480, 320, "png"));
  const found = await client.lookUp(await encodePicture(scene, 480, 320, "webp"));
  const works = registered.status === 200 && found.status === 200 && found.body.matched;
  findings.expect(works, `the service still registers and finds (${registered.status}, ${found.status})`);
}

if (import.meta.main) {
  await runTrial({ images: 20_000, seed: 1, clients: 4 }, (options) =>
    runHostileImages({ ...options, progress: new Progress("images") }),
  );
}
