import { Worker } from "node:worker_threads";
import { Decoder } from "../decoder/decoder.ts";
import { loadVocabulary } from "../learned/vocabulary-file.ts";
import type { ImageEngine, ImageEngineOptions } from "./image-engine.ts";
import type { WorkerSetting } from "./job.ts";
import { PlacedImageEngine } from "./placed-image-engine.ts";
import { WorkerThread } from "./worker-thread.ts";

/** By the clock: far beyond what any description or comparison takes of the processor. */
const JOB_SECONDS = 120;

function startWorker(setting: WorkerSetting): Worker {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
  return new Worker(new URL(`./image-worker${extension}`, import.meta.url), { workerData: setting });
}

/**
 * Starts the decoders and the workers; resolves once the decoders serve. Loads the vocabulary once for all workers.
 *
 * @throws {RangeError} for a packet key that is not 32 bytes
 * @throws {Error} when a decoder does not start, or would keep pictures
 */
export async function openImageEngine(options: ImageEngineOptions): Promise<ImageEngine> {
  const { places, acceptedTypes, maxImagePixels, packetKey } = options;
  const { jobSeconds = JOB_SECONDS } = options;
  if (packetKey.length !== 32) throw new RangeError("The packet key must be 32 bytes.");
  const setting: WorkerSetting = { vocabulary: loadVocabulary(), packetKey };
  await using opened = new AsyncDisposableStack();
  // All are waited for: one that serves later than another fails has to be ended, too.
  const attempts = await Promise.allSettled(
    Array.from({ length: places }, () => Decoder.open({ acceptedTypes, maxImagePixels })),
  );
  const decoders = attempts.flatMap((one) => (one.status === "fulfilled" ? [opened.use(one.value)] : []));
  for (const one of attempts) if (one.status === "rejected") throw one.reason;
  const engine = new PlacedImageEngine(
    decoders.map((decoder) => ({
      decoder,
      worker: new WorkerThread({ start: () => startWorker(setting), jobSeconds }),
    })),
    options,
  );
  opened.move();
  return engine;
}
