import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { ServiceWatch } from "@colophon/testing/service-watch.ts";
import { tricklingBodies } from "../neighbour/trickling-bodies.ts";
import { unfinishedJson } from "../neighbour/unfinished-json.ts";
import type { Behaviour } from "../neighbour/behaviour.ts";
import { TrialService } from "../support/trial-service.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Reproduction } from "./reproduction.ts";

const LOOKUPS = 5;
const BETWEEN_MS = 4_000;
const FILLING_MS = 20_000;
/** What unfinished JSON bodies may take of the memory together, MiB. */
const MOST_JSON_MIB = 300;

/** Twelve uploads of 64 MB that trickle, from an account without a grant. */
export const tricklingUploads: Reproduction = {
  name: "trickling-uploads",
  defect: "a few unfinished uploads lock everybody out",
  run: async (seed) => {
    await using service = await TrialService.start();
    const other = new ApiClient(service.baseUrl, (await service.account()).token);
    const picture = await paintedPicture(seed, 480, 320);
    await using stack = new AsyncDisposableStack();
    stack.use(await behaving(service, tricklingBodies));
    await sleep(FILLING_MS);
    const statuses: number[] = [];
    for (let lookup = 0; lookup < LOOKUPS; lookup += 1) {
      statuses.push((await other.lookUp(picture)).status);
      await sleep(BETWEEN_MS);
    }
    return {
      holds: statuses.every((status) => status === 200),
      happens: `another account's look-ups: ${statuses.join(", ")}`,
    };
  },
};

/** 120 JSON bodies of 16 MB that are never finished. */
export const unfinishedBodies: Reproduction = {
  name: "unfinished-json",
  defect: "bodies that are read whole are not bounded together",
  run: async () => {
    await using service = await TrialService.start();
    using watch = new ServiceWatch(service.process, service.dataDir);
    await using stack = new AsyncDisposableStack();
    stack.use(await behaving(service, unfinishedJson));
    await sleep(FILLING_MS);
    const { before, peak } = (await watch.settled(Number.POSITIVE_INFINITY, 0)).memory;
    return {
      holds: peak - before <= MOST_JSON_MIB,
      happens: `120 bodies of 16 MB: ${before} -> ${peak} MiB`,
    };
  },
};

/** A behaviour of an account without a grant, from now until disposed of. */
async function behaving(service: TrialService, behaviour: Behaviour): Promise<AsyncDisposable> {
  const { token } = await service.account({ registrations: 0, lookups: 0 });
  const controller = new AbortController();
  const running = behaviour({
    baseUrl: service.baseUrl,
    token,
    registered: [],
    random: seededRandom(1),
    signal: controller.signal,
    started: () => {},
    count: () => {},
  });
  return {
    [Symbol.asyncDispose]: async () => {
      controller.abort();
      await running;
    },
  };
}
