import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { scanBomb } from "../hostile/scan-bomb.ts";
import { TrialService } from "../support/trial-service.ts";
import type { Reproduction } from "./reproduction.ts";

const [SIDE, SCANS] = [14_000, 3_000];
const BEFORE_OTHER_MS = 1_000;
/** Times as long as alone, and a second for a machine that does other things. */
const MOST_TIMES = 3;
const SLACK_MS = 1_000;

/** One JPEG with a scan three thousand times, and another account's look-up a second later. */
export const repeatedScans: Reproduction = {
  name: "repeated-scans",
  defect: "one JPEG stops the engine for everybody, and innocent pictures are declined",
  run: async (seed) => {
    const bomb = await scanBomb(SIDE, SCANS);
    await using service = await TrialService.start();
    const attacker = new ApiClient(service.baseUrl, (await service.account()).token);
    const other = new ApiClient(service.baseUrl, (await service.account()).token);
    const picture = await paintedPicture(seed, 960, 640);
    await other.lookUp(picture);
    const alone = await timed(() => other.lookUp(picture));
    const attack = timed(() => attacker.lookUp(bomb));
    await sleep(BEFORE_OTHER_MS);
    const beside = await timed(() => other.lookUp(picture));
    const bombed = await attack;
    const kilobytes = Math.round(bomb.length / 1_000);
    return {
      holds: beside.status === 200 && beside.ms <= MOST_TIMES * alone.ms + SLACK_MS,
      happens: `${kilobytes} kB: ${bombed.status} after ${seconds(bombed.ms)}; the other account: ${beside.status} after ${seconds(beside.ms)} (alone ${seconds(alone.ms)})`,
    };
  },
};

async function timed(
  send: () => Promise<{ readonly status: number }>,
): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const { status } = await send();
  return { status, ms: performance.now() - began };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
