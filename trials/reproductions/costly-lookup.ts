import { ApiClient } from "@colophon/testing/api-client.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { type ProcessorParts, processorParts } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid } from "@colophon/testing/service-process.ts";
import { collage } from "../support/collage.ts";
import { TrialService } from "../support/trial-service.ts";
import { veiled } from "../support/veils.ts";
import type { Outcome, Reproduction } from "./reproduction.ts";

const TILE = { width: 480, height: 320 } as const;
const REGISTERED = 20;
const ACROSS = 5;
const MOST_TIMES = 3;
const ROUNDS = 6;

/** A collage of twenty registered pictures, against a collage of as many that nobody registered; processor time. */
export const costlyLookup: Reproduction = {
  name: "costly-lookup",
  defect: "a look-up of a collage takes many times a plain one and costs the same",
  run: (seed) => besidePlain(seed, (pictures) => pictures),
};

/** The same with a veil over each picture, so that each may be looked at in more than one way. */
export const veiledLookup: Reproduction = {
  name: "veiled-lookup",
  defect: "a look-up of a collage of veiled pictures takes many times a plain one",
  run: (seed) => besidePlain(seed, (pictures) => Promise.all(pictures.map(veiled))),
};

type Dress = (pictures: readonly Uint8Array[]) => readonly Uint8Array[] | Promise<readonly Uint8Array[]>;

/** @param dress what becomes of pictures before they are put together */
async function besidePlain(seed: number, dress: Dress): Promise<Outcome> {
  await using service = await TrialService.start();
  const client = new ApiClient(service.baseUrl, (await service.account()).token);
  const paint = (first: number): Promise<Uint8Array[]> =>
    Promise.all(
      Array.from({ length: REGISTERED }, (_, at) => paintedPicture(seed * 1_000 + first + at, 960, 640)),
    );
  const registered = await paint(0);
  for (const picture of registered) await client.register(picture);
  const known = await collage(await dress(registered), ACROSS, TILE);
  const unknown = await collage(await dress(await paint(500)), ACROSS, TILE);
  const taken = (): ProcessorParts => processorParts(service.process.pid, postmasterPid(service.dataDir));
  const cost = async (image: Uint8Array): Promise<Cost> => {
    const before = taken();
    for (let round = 0; round < ROUNDS; round += 1) await client.lookUp(image);
    return costOf(before, taken());
  };
  // Code that has not run yet is compiled while it runs first: both are asked once before they are measured.
  for (const image of [unknown, known]) await cost(image);
  const [plain, dear] = [await cost(unknown), await cost(known)];
  const { status, body } = await client.lookUp(known);
  if (status !== 200) return { holds: false, happens: `the collage is answered ${status}` };
  const matches = body.matchedOriginalImageHashes.length;
  return {
    holds: dear.ms <= MOST_TIMES * plain.ms && matches >= 8,
    happens: `processor time ${dear.text} against ${plain.text} of a plain collage (${(dear.ms / plain.ms).toFixed(1)} times); ${matches} of ${REGISTERED} named`,
  };
}

/** Processor time of one look-up, in all and by part. */
interface Cost {
  readonly ms: number;
  readonly text: string;
}

function costOf(before: ProcessorParts, after: ProcessorParts): Cost {
  const parts = (["mainThread", "workers", "runtime", "decoders", "database"] as const).map((name) => ({
    name,
    ms: (after[name] - before[name]) / ROUNDS,
  }));
  const ms = parts.reduce((all, part) => all + part.ms, 0);
  return { ms, text: `${ms.toFixed()} ms (${parts.map((p) => `${p.name} ${p.ms.toFixed()}`).join(", ")})` };
}
