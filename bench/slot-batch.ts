/**
 * A whole batch through a slot: photographs in requests of 50, a connection that breaks off midway, the rest after
 * asking what is missing, a commit that is killed and made again, and the same images looked up in a look-up slot.
 *
 *     node bench/slot-batch.ts --data DIR [--count 2000] [--seed 1] [--side 800]
 *
 * The photographs are crops and re-encodes of the pictures under DIR.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import sharp from "sharp";
import { checkConsistency } from "../packages/server/src/fsck/check-consistency.ts";
import { openDatabase } from "../packages/server/src/store/database.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { createAccount } from "@colophon/testing/api-client.ts";
import { embeddedDatabase, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { SlotClient, uploadForm } from "@colophon/testing/slot-client.ts";
import { imageHash } from "@colophon/testing/test-pictures.ts";

const PER_REQUEST = 50;

/** What a run saw. Memory is the service's resident memory in MiB. */
export interface SlotBatchReport {
  readonly images: number;
  readonly mebibytes: number;
  readonly missingAfterBreak: number;
  readonly upload: { readonly imagesPerSecond: number; readonly peakMemory: number };
  readonly killedCommit: { readonly registeredBefore: number; readonly heldAfter: number };
  readonly commit: {
    readonly imagesPerSecond: number;
    readonly peakMemory: number;
    readonly progressSeen: number;
  };
  readonly queries: { readonly imagesPerSecond: number; readonly peakMemory: number };
  readonly lookup: {
    readonly imagesPerSecond: number;
    readonly peakMemory: number;
    readonly matchedOwn: number;
  };
  readonly states: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
}

/** Runs the batch with photographs made of the pictures under `dataDir`. */
export async function runSlotBatch(options: {
  readonly data: string;
  readonly count: number;
  readonly seed: number;
  readonly side: number;
}): Promise<SlotBatchReport> {
  const images = await photographs(options);
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-slot-batch-"));
  const adminToken = randomBytes(24).toString("base64url");
  const environment = serviceEnvironment(dataDir, adminToken);
  let service = await ServiceProcess.start(environment);
  try {
    const grants = { registrations: options.count, lookups: 2 * options.count };
    const { token } = await createAccount(service.baseUrl, adminToken, grants);
    let client = new SlotClient(service.baseUrl, token);
    const { slotId } = (await client.openSlot()).body;

    const [upload, missingAfterBreak] = await measured(service, images.length, async () => {
      const half = Math.floor(images.length / 2);
      await uploadAll(images.slice(0, half), (batch) => client.upload(slotId, batch));
      await breakOff(client, slotId, images.slice(half, half + PER_REQUEST));
      return resume(client, slotId, images);
    });

    const cutOff = client.commit(slotId).catch(() => null);
    await waitForProgress(client, slotId, images.length);
    const registeredBefore = (await client.progress(slotId)).body.counts.registered;
    await service.end("SIGKILL");
    await cutOff;
    service = await ServiceProcess.start(environment);
    client = new SlotClient(service.baseUrl, token);
    const heldAfter = (await client.progress(slotId)).body.counts.held;
    const [commit, { progressSeen, states }] = await measured(service, heldAfter, () =>
      watchedCommit(client, slotId),
    );

    const { lookupSlotId } = (await client.openLookupSlot()).body;
    const [queries] = await measured(service, images.length, () =>
      uploadAll(images, (batch) => client.uploadQueries(lookupSlotId, batch)),
    );
    const [lookup, matchedOwn] = await measured(service, images.length, async () => {
      const { body } = await client.commitLookup(lookupSlotId);
      return body.queries.filter((query) => (query.result?.candidates.length ?? 0) > 0).length;
    });
    return {
      images: images.length,
      mebibytes: Math.round(images.reduce((sum, image) => sum + image.length, 0) / 2 ** 20),
      missingAfterBreak,
      upload,
      killedCommit: { registeredBefore, heldAfter },
      commit: { ...commit, progressSeen },
      queries,
      lookup: { ...lookup, matchedOwn },
      states,
      breaches: await breachesIn(dataDir),
    };
  } finally {
    await service.end("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Crops and re-encodes of the pictures under a directory, no two alike, `side` pixels wide at most. */
async function photographs(options: {
  readonly data: string;
  readonly count: number;
  readonly seed: number;
  readonly side: number;
}): Promise<readonly Uint8Array[]> {
  const random = seededRandom(options.seed);
  const files = (await readdir(options.data, { recursive: true })).filter((name) =>
    /\.(jpe?g|png|webp)$/i.test(name),
  );
  if (files.length === 0) throw new Error(`There is no picture under ${options.data}.`);
  const made: Uint8Array[] = [];
  for (let n = 0; n < options.count; n += 1) {
    const picture = sharp(await readFile(join(options.data, files[n % files.length] ?? "")));
    const { width, height } = await picture.metadata();
    const share = 0.4 + 0.5 * random();
    const [w, h] = [Math.floor(width * share), Math.floor(height * share)];
    const area = {
      left: Math.floor((width - w) * random()),
      top: Math.floor((height - h) * random()),
      width: w,
      height: h,
    };
    const shrunk = picture.extract(area).resize({ width: options.side, withoutEnlargement: true });
    made.push(new Uint8Array(await shrunk.jpeg({ quality: 60 + Math.floor(35 * random()) }).toBuffer()));
  }
  return made;
}

async function uploadAll(
  images: readonly Uint8Array[],
  upload: (batch: readonly { bytes: Uint8Array }[]) => ReturnType<SlotClient["upload"]>,
): Promise<void> {
  for (let at = 0; at < images.length; at += PER_REQUEST) {
    const { status, body } = await upload(images.slice(at, at + PER_REQUEST).map((bytes) => ({ bytes })));
    const refused = status === 200 ? body.outcomes.find((outcome) => !outcome.accepted) : body;
    if (refused) throw new Error(`An upload was not accepted: ${JSON.stringify(refused)}`);
  }
}

/** Sends half of an upload and hangs up. */
async function breakOff(client: SlotClient, slotId: string, images: readonly Uint8Array[]): Promise<void> {
  const whole = new Response(uploadForm(images.map((bytes) => ({ bytes }))));
  const type = whole.headers.get("content-type") ?? "";
  const body = Buffer.from(await whole.arrayBuffer());
  await new Promise<void>((resolve) => {
    const request = httpRequest(`${client.baseUrl}/slots/${slotId}/uploads`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${client.token}`,
        "content-type": type,
        "content-length": body.length,
      },
    });
    request.on("error", () => {});
    request.on("close", () => resolve());
    request.write(body.subarray(0, body.length / 2), () => setTimeout(() => request.destroy(), 200));
  });
}

/**
 * Sends what is missing until nothing is. Returns how much was missing at first. The service may still be at work on
 * the request that broke off, and its reservations count: what does not fit the grant meanwhile is sent again.
 */
async function resume(client: SlotClient, slotId: string, images: readonly Uint8Array[]): Promise<number> {
  for (let first: number | null = null; ; await sleep(500)) {
    const { missing } = (await client.missing(slotId, images.map(imageHash))).body;
    first ??= missing.length;
    if (missing.length === 0) return first;
    const wanted = new Set(missing);
    const batch = images.filter((image) => wanted.has(imageHash(image))).slice(0, PER_REQUEST);
    const { status, body } = await client.upload(
      slotId,
      batch.map((bytes) => ({ bytes })),
    );
    const refused = (body.outcomes ?? []).find(
      (outcome) => !outcome.accepted && outcome.registrationRemaining === null,
    );
    if ((status !== 200 && status !== 429) || refused) {
      throw new Error(`An upload was not accepted: ${status} ${JSON.stringify(refused)}`);
    }
  }
}

async function waitForProgress(client: SlotClient, slotId: string, images: number): Promise<void> {
  for (;;) {
    const { counts } = (await client.progress(slotId)).body;
    if (counts.registered > images / 4 || counts.held === 0) return;
    await sleep(10);
  }
}

/** Commits while another connection watches; counts how many different states of progress it saw. */
async function watchedCommit(
  client: SlotClient,
  slotId: string,
): Promise<{ progressSeen: number; states: Record<string, number> }> {
  const seen = new Set<number>();
  const done = new AbortController();
  const watching = (async (): Promise<void> => {
    while (!done.signal.aborted) {
      seen.add((await client.progress(slotId)).body.counts.registered);
      await sleep(50);
    }
  })();
  const { status } = await client.commit(slotId);
  done.abort();
  await watching;
  if (status !== 200) throw new Error(`The commit answers ${status}.`);
  const { total: _, ...states } = (await client.progress(slotId)).body.counts;
  return { progressSeen: seen.size, states };
}

async function measured<T>(
  service: ServiceProcess,
  images: number,
  work: () => Promise<T>,
): Promise<[{ imagesPerSecond: number; peakMemory: number }, T]> {
  service.forgetPeak();
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1_000;
  const imagesPerSecond = Math.round((images / seconds) * 10) / 10;
  return [{ imagesPerSecond, peakMemory: Math.round(service.memory().peak) }, result];
}

async function breachesIn(dataDir: string): Promise<readonly string[]> {
  const database = openDatabase(embeddedDatabase(dataDir), 2, () => {});
  try {
    const breaches = await checkConsistency(database, { atRest: true });
    const files = (await readdir(join(dataDir, "queries"))).filter((name) => name !== "pool-id");
    return [...breaches.map(({ rule, what }) => `broken: ${rule} (${what})`), ...files];
  } finally {
    await database.destroy();
  }
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      count: { type: "string", default: "2000" },
      seed: { type: "string", default: "1" },
      side: { type: "string", default: "800" },
    },
  });
  if (values.data === undefined) refuseCommandLine("--data DIR is required");
  const report = await runSlotBatch({
    data: values.data,
    count: Number(values.count),
    seed: Number(values.seed),
    side: Number(values.side),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
