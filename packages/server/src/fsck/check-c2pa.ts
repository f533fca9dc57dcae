import { isDeepStrictEqual } from "node:util";
import type { Read } from "../store/database.ts";
import { type StorePlace, indexedStores, storedStores } from "../store/originals/c2pa-stores.ts";
import { liveOriginalsAfter } from "../store/originals/originals.ts";
import type { Breach } from "./breach.ts";
import { pages } from "./pages.ts";

const PAGE = 100;

/** Reads the C2PA stores of every live record again, and compares how they are found. */
export async function checkC2pa(read: Read): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for await (const page of pages("imageNo", 0, (after) => liveOriginalsAfter(read, after, PAGE))) {
    for (const { imageNo } of page) {
      const indexed = await indexedStores(read, imageNo);
      // Null: a record from before, which waits to be read.
      if (
        indexed === null ||
        isDeepStrictEqual(inOrder(indexed), inOrder(await storedStores(read, imageNo)))
      ) {
        continue;
      }
      breaches.push({
        rule: "a C2PA store is found by what it states, and by nothing else",
        what: `original ${imageNo}`,
      });
    }
  }
  return breaches;
}

function inOrder(stores: readonly StorePlace[]): unknown {
  return stores.map(({ position, label, bindings }) => [
    position,
    label,
    bindings.map((binding) => binding.toString("hex")).toSorted(),
  ]);
}
