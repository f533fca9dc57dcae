import { type CommittedSequence, refuse } from "@colophon/contract";
import { ChainWalk, sequenceHash } from "@colophon/formats";
import type { ByteBudget } from "../../custody/body-budget.ts";
import type { RecordedFrame } from "../../engine/port.ts";
import { reading, writing } from "../../store/database.ts";
import { storesAmong } from "../../store/originals/c2pa-stores.ts";
import { publishedOriginals } from "../../store/sequences/frame-originals.ts";
import { nextUnpublished } from "../../store/sequences/frame-packets.ts";
import { listMembers, type Member, walkChain } from "../../store/sequences/frames.ts";
import {
  assertState,
  closeSequence,
  lockSequence,
  readSequence,
  type SequenceRef,
  sequenceManifests,
} from "../../store/sequences/sequences.ts";
import { UNFINISHED } from "./change-sequence.ts";
import { publishFrames, type Publishing } from "./publish-frames.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database" | "engine" | "keys" | "disk">;

/** Of a frame whose original was taken down after an earlier commit had published it. */
const TAKEN_DOWN = "OriginalTakenDown";

/**
 * Commits a sequence: publishes its BODYs in walk order, each chunk in a transaction of its own, then records the
 * sequence and closes it. Nobody claims the sequence: every step sees under its lock what the steps before have left,
 * so that commits at once share the work and one of them closes it, and one that was cut off is resumed by the next.
 * @param room where what its chain lacks is counted
 * @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand, sequenceNotCommittable, sequenceCommitFailed,
 *   serviceUnavailable
 */
export async function commitSequence(
  needs: Needs,
  ref: SequenceRef,
  room: ByteBudget,
): Promise<CommittedSequence> {
  const manifests = await reading(needs.database, async (read) => {
    assertState(await readSequence(read, ref), UNFINISHED);
    assertCommittable(await walkChain(read, ref.sequenceId, room));
    return sequenceManifests(read, ref.sequenceId);
  });
  const stores = storesAmong(manifests);
  const publishing: Publishing = { ref, manifests, stores, published: new Set(), refused: new Map() };
  for (let after = 0; ; ) {
    const chunk = await nextUnpublished(needs.database, ref.sequenceId, after);
    const last = chunk.at(-1);
    if (!last) break;
    needs.disk.assertRoomToStore();
    await publishFrames(needs, publishing, chunk);
    after = last.frameId;
  }
  return close(needs, publishing);
}

function assertCommittable({ shortfalls }: ChainWalk): void {
  if (shortfalls.length > 0) throw refuse("sequenceNotCommittable", { shortfalls });
}

/** Records and closes the sequence if all of it is published; says in any case what became of each frame. */
function close({ database, engine }: Needs, publishing: Publishing): Promise<CommittedSequence> {
  const { ref } = publishing;
  return writing(database, async (write) => {
    await lockSequence(write, ref, UNFINISHED);
    const members = await listMembers(write, ref.sequenceId);
    assertCommittable(new ChainWalk().take(members));
    const bodies = members.filter(({ type }) => type === "BODY");
    const live = await publishedOriginals(write, ref.sequenceId);
    const frames = bodies.map((body) => frameOutcome(body, live, publishing));
    const published = bodies.flatMap((body) => publishedFrame(body, live));
    const incomplete = {
      sequenceHash: null,
      outcome: "incomplete",
      sequenceRecordPublished: false,
      frames,
    } as const;
    if (published.length < bodies.length) return incomplete;
    const recorded = await engine.recordSequence(write, ref.sequenceId, published);
    if (recorded.outcome === "refused") return incomplete;
    const own = sequenceHash(published);
    if (recorded.sequenceHash.toString("hex") !== own) throw refuse("sequenceCommitFailed");
    await closeSequence(write, ref.sequenceId, { ...recorded, finalSize: bodies.length });
    return { sequenceHash: own, outcome: recorded.outcome, sequenceRecordPublished: true, frames };
  });
}

function publishedFrame(
  { frameId, imageNo, originalImageHash }: Member,
  live: ReadonlySet<number>,
): (RecordedFrame & { originalImageHash: string })[] {
  if (imageNo === null || originalImageHash === null || !live.has(imageNo)) return [];
  return [{ frameId, imageNo, originalImageHash }];
}

/** @param live the originals of the sequence that nobody has taken down */
function frameOutcome(
  { frameId, imageNo, originalImageHash }: Member,
  live: ReadonlySet<number>,
  { published, refused }: Publishing,
): CommittedSequence["frames"][number] {
  if (imageNo !== null && live.has(imageNo)) {
    const state = published.has(frameId) ? "published" : "alreadyPublished";
    return { frameId, state, originalImageHash, refusalName: null };
  }
  const refusalName = imageNo === null ? (refused.get(frameId) ?? null) : TAKEN_DOWN;
  return { frameId, state: "notPublished", originalImageHash: null, refusalName };
}
