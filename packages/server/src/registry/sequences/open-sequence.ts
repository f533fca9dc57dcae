import { randomUUID } from "node:crypto";
import { type OpenedSequence, refuse } from "@colophon/contract";
import { encodeFrame, frameHash, type StoredManifest } from "@colophon/formats";
import { lockAccount } from "../../store/accounts/grants.ts";
import { heldBytes } from "../../store/accounts/held-bytes.ts";
import { writing } from "../../store/database.ts";
import { insertMembers } from "../../store/sequences/frames.ts";
import { countUnfinished, insertSequence } from "../../store/sequences/sequences.ts";
import { storedLength } from "../../store/stored-manifests.ts";
import { sequenceTicket } from "./sequence-ticket.ts";
import type { Services } from "../services.ts";

/** What a caller says of a sequence as a whole. */
export interface SequenceOpening {
  /** Advisory. */
  readonly expectedSize: number | null;
  readonly manifests: readonly StoredManifest[];
}

/** Opens a sequence: mints its HEAD frame and its ticket. @throws Refusal openSequenceCapReached */
export async function openSequence(
  { config, database, keys, disk }: Pick<Services, "config" | "database" | "keys" | "disk">,
  accountId: string,
  { expectedSize, manifests }: SequenceOpening,
): Promise<OpenedSequence> {
  disk.assertRoomToStore();
  const ref = { accountId, sequenceId: randomUUID() };
  const links = { type: "HEAD", frameId: 0, prev: null, next: null } as const;
  const head = encodeFrame({ ...links, sequenceId: ref.sequenceId });
  await writing(database, async (write) => {
    await lockAccount(write, accountId);
    const cap = config.maxOpenSequences;
    if ((await countUnfinished(write, accountId)) >= cap) throw refuse("openSequenceCapReached", { cap });
    disk.assertShare((await heldBytes(write, accountId)) + storedLength(manifests));
    await insertSequence(write, ref, expectedSize, manifests);
    const member = { ...links, frameHash: frameHash(head), erratum: null, originalImageHash: null };
    await insertMembers(write, ref, [{ ...member, packetId: null, imageNo: null }]);
  });
  return {
    sequenceId: ref.sequenceId,
    headFrame: Buffer.from(head).toString("base64"),
    ticket: sequenceTicket(keys.ticketKey, ref),
  };
}
