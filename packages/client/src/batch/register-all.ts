import type { CommittedEntry, LibraryRegistration, Progress } from "@colophon/contract";
import { Batch } from "./batch.ts";
import type { BatchFile, BatchOptions, BatchResult, BatchSlots } from "./batch-terms.ts";
import type { ColophonClient } from "../client.ts";
import { ColophonConnectionError, ColophonError } from "../http/errors.ts";
import type { UploadInput } from "../http/parts.ts";
import type { CallOptions } from "../http/transport.ts";

/** Registrations that one page of the library lists at most. */
const PAGE = 200;

/** What became of a file, and where its record is read. */
export interface RegisteredEntry extends CommittedEntry {
  /**
   * The hash under which the record is read; null without a registration of the account's own, or where the service
   * does not list them.
   */
  readonly originalImageHash: string | null;
}

/**
 * Registers any number of files through one registration slot: hashes them, asks which the slot lacks, sends those in
 * uploads of bounded size, commits. An interrupted batch goes on with `slotId`, which progress tells; what the slot
 * holds is not sent again, and a slot that was committed meanwhile gives its answers.
 *
 * One file that does not register leaves the others alone: its item says why. A file in state `retry` has to be sent
 * again in a new batch.
 *
 * @throws ColophonError when the slot is gone (`slotNotFound`) or the service refuses the batch as a whole
 * @throws ColophonConnectionError when the service stays away; the signal's reason when aborted
 *
 * @example
 * const { slotId, items } = await registerAll(client, [photo, anotherPhoto], {
 *   onProgress: ({ phase, bytesDone, bytes }) => console.log(`${phase} ${bytesDone} of ${bytes} bytes`),
 * });
 * for (const { name, answer, rejectionReason } of items) {
 *   console.log(name, answer?.state ?? "rejected", answer?.originalImageHash ?? rejectionReason);
 * }
 */
export async function registerAll(
  client: ColophonClient,
  files: Iterable<File | BatchFile>,
  options: BatchOptions = {},
): Promise<BatchResult<RegisteredEntry>> {
  const { slotId, items } = await new Batch(registrationSlots(client), batchFiles(files), options).run();
  const originals = await originalsOf(
    client,
    new Set(items.flatMap(({ answer }) => answer?.registrationId ?? [])),
    options,
  );
  const withOriginal = (answer: CommittedEntry): RegisteredEntry => ({
    ...answer,
    originalImageHash: originals.get(answer.registrationId ?? "") ?? null,
  });
  return {
    slotId,
    items: items.map((item) => ({ ...item, answer: item.answer && withOriginal(item.answer) })),
  };
}

/**
 * The originals of registrations, by id: those just made are the library's newest, older ones are asked for one by one.
 * A batch is committed by now, so that what cannot be read is left out.
 */
async function originalsOf(
  { library }: ColophonClient,
  wanted: Set<string>,
  { signal }: CallOptions,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const take = ({ registrationId, originalImageHash }: LibraryRegistration): boolean => {
    if (registrationId === null || !wanted.delete(registrationId)) return false;
    found.set(registrationId, originalImageHash);
    return true;
  };
  try {
    let after: string | undefined;
    while (wanted.size > 0) {
      const page = await library.registrations({ after, limit: PAGE, signal });
      const isOfBatch = page.registrations.filter(take).length > 0;
      if (!isOfBatch || page.next === null) break;
      after = page.next;
    }
    for (const registrationId of wanted) take(await library.registration(registrationId, { signal }));
  } catch (error) {
    if (!(error instanceof ColophonError || error instanceof ColophonConnectionError)) throw error;
  }
  return found;
}

/** The files of a batch; a `File` goes by its name. */
export function batchFiles(files: Iterable<File | BatchFile>): BatchFile[] {
  return Array.from(files, (file) => (file instanceof File ? { name: file.name, image: file } : file));
}

/** How many entries of a slot its commit has settled. */
export function settledOf({ counts }: Progress): number {
  return counts.total - counts.held;
}

async function uploadInput({ image, manifests = [] }: BatchFile): Promise<UploadInput> {
  return { image, manifests: typeof manifests === "function" ? await manifests() : manifests };
}

function registrationSlots({ slots }: ColophonClient): BatchSlots<CommittedEntry> {
  return {
    open: async (options) => (await slots.open(options)).slotId,
    missing: (slotId, hashes, options) => slots.missing(slotId, hashes, options),
    upload: async (slotId, files, options) =>
      slots.upload(slotId, await Promise.all(files.map(uploadInput)), options),
    commit: async (slotId, options) => (await slots.commit(slotId, options)).entries,
    committed: async (slotId, options) => {
      const { status, entries } = await slots.progress(slotId, options);
      if (status !== "committed") return null;
      return entries.flatMap(({ state, ...entry }): CommittedEntry[] =>
        state === "held" || state === "answered" ? [] : [{ ...entry, state }],
      );
    },
    settled: async (slotId, options) => settledOf(await slots.progress(slotId, options)),
  };
}
