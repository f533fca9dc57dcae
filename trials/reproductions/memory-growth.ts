import { ApiClient } from "@colophon/testing/api-client.ts";
import { ServiceWatch } from "@colophon/testing/service-watch.ts";
import { scanBomb } from "../hostile/scan-bomb.ts";
import { TrialService } from "../support/trial-service.ts";
import type { Outcome, Reproduction } from "./reproduction.ts";

const SLACK_MIB = 150;
const SETTLE_MS = 30_000;
const PROGRESSIVE = { side: 3_500, lookups: 12 } as const;
const REFUSED = { bytes: 60 * 1_048_576, uploads: 16 } as const;

/** Grey progressive scans of twelve megapixels, one after the other. */
export const progressiveGrowth: Reproduction = {
  name: "progressive-growth",
  defect: "every progressive JPEG leaves some of its decoder's memory behind",
  run: async () => {
    const image = await scanBomb(PROGRESSIVE.side, 0);
    return growth(async (client) => String((await client.lookUp(image)).status), PROGRESSIVE.lookups);
  },
};

/** Uploads of 60 MiB that are no image, one at a time, from an account with one look-up. */
export const refusedUploads: Reproduction = {
  name: "refused-uploads",
  defect: "refused uploads never give their memory back",
  run: async () => {
    const image = Buffer.alloc(REFUSED.bytes);
    image.set([0xff, 0xd8, 0xff]);
    return growth(async (client) => String((await client.lookUp(image)).status), REFUSED.uploads, 1);
  },
};

async function growth(
  send: (client: ApiClient) => Promise<string>,
  times: number,
  lookups = 1_000,
): Promise<Outcome> {
  await using service = await TrialService.start();
  const { token } = await service.account({ lookups });
  const client = new ApiClient(service.baseUrl, token);
  await send(client);
  using watch = new ServiceWatch(service.process, service.dataDir);
  const said = new Set<string>();
  for (let time = 0; time < times; time += 1) said.add(await send(client));
  const { memory, breaches } = await watch.settled(SLACK_MIB, SETTLE_MS);
  const { before, peak, after } = memory;
  return {
    holds: breaches.length === 0,
    happens: `${times} times (${[...said].join(", ")}): ${before} -> ${after} MiB, at most ${peak}`,
  };
}
