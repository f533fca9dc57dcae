/**
 * Registers the frames of a clip as one sequence, out of order, in several batches, with a gap that is then filled;
 * then another account looks a crop of every frame up and verifies the record of what it finds.
 *
 *     node trials/sequence-clip.ts VIDEO|STILL... [--fps 2] [--crop 0.5] [--quality 70]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { blake3Hex, parseRecord, verdictOf, verifyRecord } from "@colophon/formats";
import sharp from "sharp";
import { frameSource } from "../packages/cli/src/frames/frame-sources.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { createAccount } from "@colophon/testing/api-client.ts";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "@colophon/testing/sequence-client.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";

const BATCH = 5;

/** What a clip's registration and its look-ups came to. */
export interface ClipReport {
  readonly frames: number;
  readonly bytes: number;
  readonly errata: number;
  /** From the first batch to the end of the commit, gap and all. */
  readonly seconds: number;
  readonly outcome: string;
  /** Frames whose crop found the frame itself, and those where it was named first. */
  readonly found: number;
  readonly foundFirst: number;
  /** Records of which every signature and certificate holds. */
  readonly verified: number;
}

/** Registers these encoded frames, in the order given. */
export async function registerClip(
  stills: readonly Uint8Array[],
  query: { readonly crop: number; readonly quality: number },
): Promise<ClipReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-clip-"));
  const adminToken = randomBytes(24).toString("base64url");
  try {
    await using service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const clientOf = async (settings: object): Promise<SequenceClient> =>
      new SequenceClient(service.baseUrl, (await createAccount(service.baseUrl, adminToken, settings)).token);
    const owner = await clientOf({ sequencesEnabled: true });
    const manifest = { kind: "credit", type: "application/json", bytes: Buffer.from('{"clip": true}') };
    const { body: sequence } = await owner.openSequence({ manifests: [manifest] });
    const start = performance.now();
    const errata = await admitShuffled(owner, sequence, stills);
    const { body: committed } = await owner.commit(sequence);
    const seconds = (performance.now() - start) / 1000;
    const stranger = await clientOf({ lookups: 10_000 });
    const counts = { found: 0, foundFirst: 0, verified: 0 };
    for (const still of stills) {
      const { body: verdict } = await stranger.lookUp(await cropped(still, query));
      const hash = blake3Hex(still);
      if (!verdict.matchedOriginalImageHashes.includes(hash)) continue;
      counts.found += 1;
      if (verdict.matchedOriginalImageHashes[0] === hash) counts.foundFirst += 1;
      if (await isVerified(stranger, hash, still)) counts.verified += 1;
    }
    const bytes = stills.reduce((sum, still) => sum + still.length, 0);
    return { frames: stills.length, bytes, errata, seconds, outcome: committed.outcome, ...counts };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Admits all frames but one in random order and batches, then the one that is missing. Returns the number of errata.
 */
async function admitShuffled(
  client: SequenceClient,
  sequence: TicketedSequence,
  stills: readonly Uint8Array[],
): Promise<number> {
  const random = seededRandom(1);
  const frames = stills.map((still, at) => bodyFrame(sequence, at + 1, still));
  const [missing = new Uint8Array()] = frames.splice(frames.length >> 1, 1);
  frames.push(endFrame(sequence, stills.length + 1));
  const order = frames.map((frame) => ({ frame, key: random() })).toSorted((a, b) => a.key - b.key);
  for (let at = 0; at < order.length; at += BATCH) {
    const batch = order.slice(at, at + BATCH).map(({ frame }) => frame);
    const { status, body } = await client.admit(sequence, batch);
    if (status !== 201) throw new Error(`A batch was refused: ${JSON.stringify(body)}`);
  }
  const { gaps } = (await client.gaps(sequence)).body;
  if (gaps.length !== 1) throw new Error(`One frame is missing, and there are ${gaps.length} gaps.`);
  await client.admit(sequence, [missing]);
  const { errata, connected } = (await client.progress(sequence)).body;
  if (!connected) throw new Error("The chain is not connected.");
  return errata.length;
}

/** The middle of a picture, as many of its pixels' share as `crop` says. */
async function cropped(
  still: Uint8Array,
  { crop, quality }: { readonly crop: number; readonly quality: number },
): Promise<Uint8Array> {
  const { width, height } = await sharp(still).metadata();
  const side = Math.sqrt(crop);
  const [w, h] = [Math.round(width * side), Math.round(height * side)];
  const area = { left: (width - w) >> 1, top: (height - h) >> 1, width: w, height: h };
  return sharp(still).extract(area).jpeg({ quality }).toBuffer();
}

async function isVerified(client: SequenceClient, hash: string, originalBytes: Uint8Array): Promise<boolean> {
  const response = await fetch(`${client.baseUrl}/records/${hash}`, {
    headers: { authorization: `Bearer ${client.token}` },
  });
  const record = parseRecord(await response.text());
  const trustRoot = record.verification?.certificateChain.at(-1) ?? "";
  return verdictOf(verifyRecord(record, { trustRoot, originalBytes })) === "verified";
}

if (import.meta.main) {
  const { values, positionals } = readCommandLine({
    allowPositionals: true,
    options: {
      fps: { type: "string" },
      crop: { type: "string", default: "0.5" },
      quality: { type: "string", default: "70" },
    },
  });
  const fps = values.fps === undefined ? undefined : Number(values.fps);
  const { frames } = await frameSource(positionals, { fps });
  const stills: Uint8Array[] = [];
  for await (const frame of frames) {
    stills.push(frame instanceof Blob ? new Uint8Array(await frame.arrayBuffer()) : frame);
  }
  const report = await registerClip(stills, {
    crop: Number(values.crop),
    quality: Number(values.quality),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
}
