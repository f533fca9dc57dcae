import { toBase64 } from "@colophon/formats";
import { AuditFailure, ENTRY_KIND, LogAudit, parseTilePath, TILE_WIDTH, writeEntry } from "@colophon/log";
import type { Read } from "../store/database.ts";
import { liveEntries, pendingEnds } from "../store/log/entries.ts";
import { readBundleEntries, readEntries, readTile, readTree } from "../store/log/tree.ts";
import type { Breach } from "./breach.ts";

/**
 * Walks the log as anyone may from outside, but for the signature, and compares each entry with its record: one that no
 * take-down has ended has a live record with its commitment and time, and every other has none.
 */
export async function checkLog(read: Read): Promise<readonly Breach[]> {
  const tree = await readTree(read);
  if (tree === null) return [];
  const audit = new LogAudit();
  try {
    await audit.walk((path) => resource(read, path), tree);
  } catch (error) {
    if (!(error instanceof AuditFailure)) throw error;
    return [{ rule: "the log's tree is that of its entries", what: error.message }];
  }
  const { kinds } = audit.state;
  const ending = new Set(await pendingEnds(read));
  const breaches: Breach[] = [];
  for (let first = 0; first < tree.size; first += TILE_WIDTH) {
    const entries = (await readBundleEntries(read, first / TILE_WIDTH)) ?? [];
    const live = await liveEntries(read, first, first + TILE_WIDTH);
    for (const [i, entry] of entries.entries()) {
      const place = first + i;
      const own = live.get(place);
      const isLive = kinds[place] === ENTRY_KIND.published && !ending.has(place);
      const isOwn =
        own !== undefined && toBase64(writeEntry({ kind: "published", ...own })) === toBase64(entry);
      if (isLive !== isOwn || (own !== undefined) !== isOwn) {
        breaches.push({
          rule: "an entry of the log has its record or its take-down",
          what: `entry ${place}`,
        });
      }
    }
  }
  return breaches;
}

async function resource(read: Read, path: string): Promise<Uint8Array> {
  const name = parseTilePath(path);
  if (name === null) throw new AuditFailure(`There is no ${path}.`);
  const { level, index, width } = name;
  const bytes =
    level === "entries"
      ? await readEntries(read, index, width)
      : await readTile(read, { level, index, width });
  if (bytes === null) throw new AuditFailure(`There is no ${path}.`);
  return bytes;
}
