import type { CallOptions } from "../http/transport.ts";

const CONCURRENCY = 2;

/**
 * Gives each item to `work`, `concurrency` at once. The first failure ends the work under way with the signal that
 * `work` is given, and nothing more is begun.
 *
 * @param items an iterator, which the workers take their items from
 * @throws what `work` failed with first, the signal's reason
 */
export async function workThrough<Item>(
  items: Generator<Item> | AsyncGenerator<Item>,
  { concurrency = CONCURRENCY, signal: given }: CallOptions & { readonly concurrency?: number | undefined },
  work: (item: Item, options: CallOptions) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const signal = given === undefined ? failed.signal : AbortSignal.any([given, failed.signal]);
  const worker = async (): Promise<void> => {
    try {
      for await (const item of items) await work(item, { signal });
    } catch (error) {
      failed.abort(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  signal.throwIfAborted();
}
