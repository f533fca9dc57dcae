import type { LookupQuery } from "@colophon/contract";
import { Batch } from "./batch.ts";
import type { BatchFile, BatchOptions, BatchResult, BatchSlots } from "./batch-terms.ts";
import type { ColophonClient } from "../client.ts";
import { batchFiles, settledOf } from "./register-all.ts";

/**
 * Looks any number of files up through one look-up slot, as `registerAll` registers them. The slot holds the pixels
 * until it is committed, abandoned or expires.
 *
 * @throws ColophonError, ColophonConnectionError, the signal's reason, as `registerAll`
 *
 * @example
 * const { items } = await lookUpAll(client, [photo, anotherPhoto]);
 * for (const { name, answer } of items) console.log(name, answer?.result?.matched ?? "no verdict");
 */
export function lookUpAll(
  client: ColophonClient,
  files: Iterable<File | Omit<BatchFile, "manifests">>,
  options: BatchOptions = {},
): Promise<BatchResult<LookupQuery>> {
  return new Batch(lookupSlots(client), batchFiles(files), options).run();
}

function lookupSlots({ lookupSlots: slots }: ColophonClient): BatchSlots<LookupQuery> {
  return {
    open: async (options) => (await slots.open(options)).lookupSlotId,
    missing: (slotId, hashes, options) => slots.missing(slotId, hashes, options),
    upload: (slotId, files, options) =>
      slots.upload(
        slotId,
        files.map(({ image }) => image),
        options,
      ),
    commit: (slotId, options) => slots.commit(slotId, options),
    committed: async (slotId, options) => {
      const { status } = await slots.progress(slotId, options);
      return status === "committed" ? slots.results(slotId, options) : null;
    },
    settled: async (slotId, options) => settledOf(await slots.progress(slotId, options)),
  };
}
