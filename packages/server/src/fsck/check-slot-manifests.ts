import { manifestsHash } from "@colophon/formats";
import type { Read } from "../store/database.ts";
import { heldManifestsAfter, manifestsOf } from "../store/slots/entry-manifests.ts";
import type { Breach } from "./breach.ts";
import { pages } from "./pages.ts";

const PAGE = 100;

/** The manifests that held entries of slots have are those that were uploaded; of one entry in memory at a time. */
export async function checkSlotManifests(read: Read): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for await (const page of pages("entryId", 0, (after) => heldManifestsAfter(read, after, PAGE))) {
    for (const { entryId, manifestsHash: stated } of page) {
      const held = await manifestsOf(read, [entryId]);
      if (manifestsHash(held.get(entryId) ?? []) !== (stated?.toString("hex") ?? null)) {
        breaches.push({
          rule: "the manifests of a held entry hash to what is shown",
          what: `entry ${entryId}`,
        });
      }
    }
  }
  return breaches;
}
