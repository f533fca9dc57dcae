import type { Write } from "../../store/database.ts";
import { orphanedOriginals } from "../../store/sequences/frame-originals.ts";
import { dropPackets } from "../../store/sequences/frame-packets.ts";
import { deleteMembers, type Member } from "../../store/sequences/frames.ts";
import type { CustodyEvent } from "../../store/custody/ledgers.ts";
import { endOriginal } from "../../store/originals/originals.ts";
import type { Services } from "../services.ts";
import { withdrawOriginal } from "../registrations/withdraw-original.ts";

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
  const events: CustodyEvent[] = [];
  for (const imageNo of await orphanedOriginals(write, present(members.map((member) => member.imageNo)))) {
    await endOriginal(write, imageNo);
    events.push(await withdrawOriginal(needs, write, imageNo));
  }
  return [...events, ...(await dropPackets(write, present(members.map((member) => member.packetId))))];
}

function present(numbers: readonly (number | null)[]): readonly number[] {
  return numbers.filter((number) => number !== null);
}
