/**
 * Admits the frames of one long sequence one after the other and compares what the last of them cost with what the first
 * did: admission must not slow down as the chain grows.
 *
 *     node bench/sequence-growth.ts [--frames 3000] [--window 500] [--seed 1]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createAccount } from "./api-client.ts";
import { bodyFrame, endFrame, SequenceClient } from "./sequence-client.ts";
import { serviceEnvironment, ServiceProcess } from "./service-process.ts";
import { imageMaker } from "./small-images.ts";

/** Milliseconds an admission took, over a window of frames. */
interface Cost {
  readonly median: number;
  readonly mean: number;
}

/** What a run measured; a ratio near 1 means that the length of the chain costs nothing. */
export interface GrowthReport {
  readonly frames: number;
  readonly window: number;
  readonly first: Cost;
  readonly last: Cost;
  /** Last to first, of the medians and of the means. */
  readonly ratio: Cost;
  /** Seconds that the commit of all frames took, and one more frame's share of it, milliseconds. */
  readonly commit: { readonly seconds: number; readonly msPerFrame: number };
}

/** Admits `frames` frames. @throws Error when one is refused, or the sequence does not commit */
export async function measureGrowth(options: {
  readonly frames: number;
  readonly window: number;
  readonly seed: number;
}): Promise<GrowthReport> {
  const { frames, window, seed } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-growth-"));
  const adminToken = randomBytes(24).toString("base64url");
  try {
    await using service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const { token } = await createAccount(service.baseUrl, adminToken, { sequencesEnabled: true });
    const client = new SequenceClient(service.baseUrl, token);
    const { body: sequence } = await client.openSequence();
    const image = imageMaker(seed);
    const costs: number[] = [];
    for (let frameId = 1; frameId <= frames; frameId += 1) {
      const frame = bodyFrame(sequence, frameId, await image());
      const began = performance.now();
      const { status } = await client.admit(sequence, [frame]);
      costs.push(performance.now() - began);
      if (status !== 201) throw new Error(`Frame ${frameId} was refused (status ${status}).`);
    }
    await client.admit(sequence, [endFrame(sequence, frames + 1)]);
    const began = performance.now();
    const committed = await client.commit(sequence);
    const seconds = (performance.now() - began) / 1000;
    if (committed.body.outcome !== "registered") throw new Error("The sequence did not commit.");
    const [first, last] = [costOf(costs.slice(0, window)), costOf(costs.slice(-window))];
    return {
      frames,
      window,
      first,
      last,
      ratio: { median: rounded(last.median / first.median), mean: rounded(last.mean / first.mean) },
      commit: { seconds: rounded(seconds), msPerFrame: rounded((1000 * seconds) / frames) },
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function costOf(costs: readonly number[]): Cost {
  const sorted = costs.toSorted((a, b) => a - b);
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  return { median: rounded(sorted[sorted.length >> 1] ?? 0), mean: rounded(mean) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      frames: { type: "string", default: "3000" },
      window: { type: "string", default: "500" },
      seed: { type: "string", default: "1" },
    },
  });
  const report = await measureGrowth({
    frames: Number(values.frames),
    window: Number(values.window),
    seed: Number(values.seed),
  });
  process.stdout.write(`${JSON.stringify({ processors: cpus().length, ...report }, undefined, 2)}\n`);
}
