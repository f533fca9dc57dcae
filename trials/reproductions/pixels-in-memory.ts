import { ApiClient } from "@colophon/testing/api-client.ts";
import { timesInMemory } from "@colophon/testing/process/memory-search.ts";
import { processTree } from "@colophon/testing/process/process-tree.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { randomBytes } from "@colophon/testing/chance.ts";
import { postmasterPid } from "@colophon/testing/service-process.ts";
import sharp, { type Sharp } from "sharp";
import { TrialService } from "../support/trial-service.ts";
import type { Reproduction } from "./reproduction.ts";

const [WIDTH, HEIGHT] = [900, 700];
/** Bytes of a row that are looked for, and how many rows. */
const [STRIP, ROWS] = [96, 5];

const CODINGS: Readonly<
  Record<string, { readonly channels: 1 | 3; readonly encode: (raw: Sharp) => Sharp }>
> = {
  "lossless WebP": { channels: 3, encode: (raw) => raw.webp({ lossless: true, effort: 0 }) },
  "interlaced PNG": { channels: 3, encode: (raw) => raw.png({ progressive: true }) },
  "interlaced grey PNG": {
    channels: 1,
    encode: (raw) => raw.toColourspace("b-w").png({ progressive: true }),
  },
};

/** Looks up noise in codings that a decoder holds whole, and searches all memory for rows of it. */
export const pixelsInMemory: Reproduction = {
  name: "pixels-in-memory",
  defect: "decoded pixels stay in memory after the answer",
  run: async (seed) => {
    await using service = await TrialService.start();
    const { token } = await service.account();
    const client = new ApiClient(service.baseUrl, token);
    const random = seededRandom(seed);
    const found: string[] = [];
    for (const [name, { channels, encode }] of Object.entries(CODINGS)) {
      const pixels = randomBytes(random, WIDTH * HEIGHT * channels);
      const raw = sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels } });
      const { status } = await client.lookUp(await encode(raw).toBuffer());
      const row = (at: number): number => Math.floor(((at + 1) * HEIGHT) / (ROWS + 1)) * WIDTH * channels;
      const strips = Array.from({ length: ROWS }, (_, at) => pixels.subarray(row(at), row(at) + STRIP));
      const rows = await rowsInMemory(service, strips);
      found.push(`${name} (${status}): ${rows} of ${ROWS} rows`);
    }
    return { holds: found.every((line) => line.includes("(200): 0 of")), happens: found.join("; ") };
  },
};

/** How many of the strips stand in the memory of the service, of what runs below it, or of the database. */
async function rowsInMemory(service: TrialService, strips: readonly Buffer[]): Promise<number> {
  const roots = [service.process.pid, postmasterPid(service.dataDir)];
  const pids = new Set(roots.flatMap((root) => processTree(root).map(({ pid }) => pid)));
  const found = strips.map(() => 0);
  for (const pid of pids) {
    const times = await timesInMemory(pid, strips);
    for (const [at, count] of times.entries()) found[at] = (found[at] ?? 0) + count;
  }
  return found.filter((count) => count > 0).length;
}
