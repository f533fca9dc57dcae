import type { Write } from "../../store/database.ts";
import { orphanedOriginals } from "../../store/sequences/frame-originals.ts";
import { dropPackets } from "../../store/sequences/frame-packets.ts";
import { deleteMembers, type Member } from "../../store/sequences/frames.ts";
import type { CustodyEvent } from "../../store/custody/ledgers.ts";
import { endOriginal } from "../../store/originals/originals.ts";
import type { Services } from "../services.ts";
import { withdrawOriginals } from "../registrations/withdraw-originals.ts";

/**
 * Removes members of a locked sequence with what was derived from them: their packets, and the originals that a commit
 * which stayed incomplete has published for them and for no member that stays.
 * @returns one custody row for each packet, to be appended once the account is locked
 */
export async function purgeMembers(
  needs: Pick<Services, "engine">,
  write: Write,
  sequenceId: string,
  members: readonly Member[],
): Promise<readonly CustodyEvent[]> {
  if (members.length === 0) return [];
  await deleteMembers(
    write,
    sequenceId,
    members.map((member) => member.frameId),
  );
  const orphaned = await orphanedOriginals(write, present(members.map((member) => member.imageNo)));
  for (const imageNo of orphaned) await endOriginal(write, imageNo);
  const events = await withdrawOriginals(needs, write, orphaned);
  return [...events, ...(await dropPackets(write, present(members.map((member) => member.packetId))))];
}

function present(numbers: readonly (number | null)[]): readonly number[] {
  return numbers.filter((number) => number !== null);
}
