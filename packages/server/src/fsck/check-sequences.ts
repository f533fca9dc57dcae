import { ChainWalk, sequenceHash } from "@colophon/formats";
import type { Read } from "../store/database.ts";
import { listMembers, type Member } from "../store/sequences/frames.ts";
import { committedSequencesAfter } from "../store/sequences/sequences.ts";
import type { Breach } from "./breach.ts";
import { pages } from "./pages.ts";

const PAGE = 100;
/** Before every other id in order (RFC 9562 section 5.9). */
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** The chain of every committed sequence is whole, and hashes to what was answered; one chain in memory at a time. */
export async function checkSequences(read: Read): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for await (const page of pages("sequenceId", FIRST_ID, (id) => committedSequencesAfter(read, id, PAGE))) {
    for (const { sequenceId, sequenceHash: stated } of page) {
      const members = await listMembers(read, sequenceId);
      if (new ChainWalk().take(members).shortfalls.length > 0) {
        breaches.push({ rule: "the chain of a committed sequence is whole", what: sequenceId });
      }
      if (hashOf(members) !== stated?.toString("hex")) {
        breaches.push({ rule: "the hash of a committed sequence is that of its frames", what: sequenceId });
      }
    }
  }
  return breaches;
}

function hashOf(members: readonly Member[]): string {
  return sequenceHash(
    members.flatMap(({ type, frameId, originalImageHash }) =>
      type === "BODY" && originalImageHash !== null ? [{ frameId, originalImageHash }] : [],
    ),
  );
}
