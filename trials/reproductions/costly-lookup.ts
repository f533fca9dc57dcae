import { ApiClient } from "@colophon/testing/api-client.ts";
import { encodePicture, paintPicture } from "@colophon/testing/pictures.ts";
import { processorMs } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid } from "@colophon/testing/service-process.ts";
import { collage } from "../support/collage.ts";
import { TrialService } from "../support/trial-service.ts";
import type { Reproduction } from "./reproduction.ts";

const TILE = { width: 480, height: 320 } as const;
const REGISTERED = 20;
const ACROSS = 5;
const MOST_TIMES = 3;
const ROUNDS = 3;

/** A collage of twenty registered pictures, against a collage of as many that nobody registered; processor time. */
export const costlyLookup: Reproduction = {
  name: "costly-lookup",
  defect: "a look-up of a collage takes many times a plain one and costs the same",
  run: async (seed) => {
    await using service = await TrialService.start();
    const client = new ApiClient(service.baseUrl, (await service.account()).token);
    const paint = (first: number): Promise<Uint8Array[]> =>
      Promise.all(
        Array.from({ length: REGISTERED }, (_, at) =>
          encodePicture(paintPicture(seed * 1_000 + first + at, 960, 640), 960, 640),
        ),
      );
    const registered = await paint(0);
    for (const picture of registered) await client.register(picture);
    const [known, unknown] = [
      await collage(registered, ACROSS, TILE),
      await collage(await paint(500), ACROSS, TILE),
    ];
    const cost = async (image: Uint8Array): Promise<number> => {
      const { pid } = service.process;
      const before = await processorMs(pid, postmasterPid(service.dataDir));
      for (let round = 0; round < ROUNDS; round += 1) await client.lookUp(image);
      return ((await processorMs(pid, postmasterPid(service.dataDir))) - before) / ROUNDS;
    };
    // Code that has not run yet is compiled while it runs first: both are asked once before they are measured.
    for (const image of [unknown, known]) await cost(image);
    const [plain, dear] = [await cost(unknown), await cost(known)];
    const { status, body } = await client.lookUp(known);
    if (status !== 200) return { holds: false, happens: `the collage is answered ${status}` };
    const matches = body.matchedOriginalImageHashes.length;
    return {
      holds: dear <= MOST_TIMES * plain && matches >= 8,
      happens: `processor time ${dear.toFixed()} ms against ${plain.toFixed()} ms of a plain collage (${(dear / plain).toFixed(1)} times); ${matches} of ${REGISTERED} named`,
    };
  },
};
