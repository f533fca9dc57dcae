/**
 * Admits the frames of one long sequence one after the other and compares what the last of them cost with what the
 * first did, in processor time of service and database together: admission must not cost more as the chain grows.
 *
 *     node bench/sequence-growth.ts [--frames 3000] [--window 500] [--seed 1] [--bare]
 *
 * With `--bare` the frames carry no image, so that the engine's share, which no chain changes, hides nothing.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { createAccount } from "@colophon/testing/api-client.ts";
import { processorMs } from "@colophon/testing/process/processor-time.ts";
import { bodyFrame, endFrame, SequenceClient } from "@colophon/testing/sequence-client.ts";
import { postmasterPid, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { imageMaker } from "@colophon/testing/test-pictures.ts";

/** What an admission cost over a window of frames, milliseconds a frame. */
interface Cost {
  readonly processorMs: number;
  readonly medianMs: number;
}

/** What a run measured; a ratio near 1 means that the length of the chain costs nothing. */
export interface GrowthReport {
  readonly frames: number;
  readonly window: number;
  /** One row for every window of the run, in order. */
  readonly windows: readonly Cost[];
  /** The last window to the first. */
  readonly ratio: Cost;
}

/** Admits `frames` frames (Linux). @throws Error when one is refused */
export async function measureGrowth(options: {
  readonly frames: number;
  readonly window: number;
  readonly seed: number;
  readonly bare: boolean;
}): Promise<GrowthReport> {
  const { frames, window, seed, bare } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-growth-"));
  const adminToken = randomBytes(24).toString("base64url");
  try {
    await using service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const { token } = await createAccount(service.baseUrl, adminToken, { sequencesEnabled: true });
    const client = new SequenceClient(service.baseUrl, token);
    const { body: sequence } = await client.openSequence();
    const image = imageMaker(seed);
    const windows: Cost[] = [];
    for (let first = 1; first <= frames; first += window) {
      const batch: Uint8Array[] = [];
      for (let id = first; id < first + window; id += 1) {
        batch.push(bodyFrame(sequence, id, bare ? null : await image()));
      }
      const spent = (): Promise<number> => processorMs(service.pid, postmasterPid(dataDir));
      windows.push(await costOf(spent, batch, (frame) => client.admit(sequence, [frame])));
    }
    const sealed = await client.admit(sequence, [endFrame(sequence, frames + 1)]);
    if (!sealed.body.verdict?.connected) throw new Error("The chain is not connected.");
    const [begin, end] = [windows[0], windows.at(-1)];
    if (!begin || !end) throw new Error("There is no window.");
    const ratio = {
      processorMs: rounded(end.processorMs / begin.processorMs),
      medianMs: rounded(end.medianMs / begin.medianMs),
    };
    return { frames, window, windows, ratio };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function costOf(
  spent: () => Promise<number>,
  frames: readonly Uint8Array[],
  admit: (frame: Uint8Array) => Promise<{ readonly status: number }>,
): Promise<Cost> {
  const before = await spent();
  const times: number[] = [];
  for (const frame of frames) {
    const began = performance.now();
    const { status } = await admit(frame);
    times.push(performance.now() - began);
    if (status !== 201) throw new Error(`A frame was refused (status ${status}).`);
  }
  const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  return { processorMs: rounded(((await spent()) - before) / frames.length), medianMs: rounded(median) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      frames: { type: "string", default: "3000" },
      window: { type: "string", default: "500" },
      seed: { type: "string", default: "1" },
      bare: { type: "boolean", default: false },
    },
  });
  const report = await measureGrowth({
    frames: Number(values.frames),
    window: Number(values.window),
    seed: Number(values.seed),
    bare: values.bare,
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
}
