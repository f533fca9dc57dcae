import { UNREADABLE_PACKET } from "@colophon/contract";
import type { SignedRecord } from "@colophon/engine";
import type { StoredManifest } from "@colophon/formats";
import { type Write, writing } from "../../store/database.ts";
import { insertAttestations, isOfSequence, setFrames } from "../../store/sequences/frame-originals.ts";
import { dropPackets, releasePackets, type UnpublishedFrame } from "../../store/sequences/frame-packets.ts";
import { heldPackets, setPublished } from "../../store/sequences/frames.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import { appendCustody } from "../../store/custody/ledgers.ts";
import { indexStores, type StorePlace } from "../../store/originals/c2pa-stores.ts";
import { insertRecords } from "../../store/originals/records.ts";
import { lockSequence, type SequenceRef } from "../../store/sequences/sequences.ts";
import { recordToPublish } from "../records/new-record.ts";
import { signRecord } from "../records/sign-record.ts";
import type { Services } from "../services.ts";

/** How the engine names its refusal of a frame whose image somebody has registered since its pre-check. */
const ALREADY_REGISTERED = "ImageAlreadyRegistered";

/** A commit under way, with what has become of its frames so far. */
export interface Publishing {
  readonly ref: SequenceRef;
  readonly manifests: readonly StoredManifest[];
  /** The C2PA stores among them. */
  readonly stores: readonly StorePlace[];
  /** Frames that this commit has published. */
  readonly published: Set<number>;
  /** Frames that the engine has refused, by the name of its refusal. */
  readonly refused: Map<number, string>;
}

interface SignedFrame extends UnpublishedFrame {
  readonly record: SignedRecord;
}

/** Publishes a chunk of a sequence's frames: originals, records and index rows, in one transaction. */
export async function publishFrames(
  needs: Pick<Services, "database" | "engine" | "keys">,
  publishing: Publishing,
  chunk: readonly UnpublishedFrame[],
): Promise<void> {
  const { ref, manifests, published, refused } = publishing;
  const signed: SignedFrame[] = [];
  for (const frame of chunk) {
    if (!(await needs.engine.canPublish(frame.extraction))) {
      refused.set(frame.frameId, UNREADABLE_PACKET.name);
    } else signed.push({ ...frame, record: await signRecord(needs, frame.extraction, manifests) });
  }
  const outcomes = await writing(needs.database, async (write) => {
    await lockSequence(write, ref, ["sealed"]);
    const held = await heldPackets(
      write,
      signed.map((frame) => frame.packetId),
    );
    const outstanding = signed.filter((frame) => held.has(frame.packetId));
    const answers = await publishHeld(needs, write, ref, outstanding);
    await store(write, publishing, answers);
    return answers;
  });
  for (const { frame, outcome } of outcomes) {
    if (outcome === "new") published.add(frame.frameId);
    else if (outcome === "refused") refused.set(frame.frameId, ALREADY_REGISTERED);
  }
}

/** A frame that is an original of its own now, shares one with another frame of the sequence, or is refused. */
type FrameOutcome = { readonly frame: SignedFrame } & (
  | { readonly outcome: "new" | "shared"; readonly imageNo: number }
  | { readonly outcome: "refused" }
);

/** Frames of the same image are published once. */
async function publishHeld(
  { engine }: Pick<Services, "engine">,
  write: Write,
  ref: SequenceRef,
  frames: readonly SignedFrame[],
): Promise<readonly FrameOutcome[]> {
  const byImage = Map.groupBy(frames, ({ extraction }) => extraction.imageHash.toString("hex"));
  const groups = [...byImage.values()];
  const answers = await engine.publish(
    write,
    ref.accountId,
    groups.flatMap(([first]) => first?.extraction ?? []),
  );
  const outcomes: FrameOutcome[] = [];
  for (const [at, group] of groups.entries()) {
    const answer = answers[at];
    if (!answer) throw new Error("The engine published a chunk and left an image unanswered.");
    const isNew = answer.outcome === "published";
    const { imageNo } = isNew ? answer : answer.original;
    const isOwn = isNew || (await isOfSequence(write, imageNo, ref.sequenceId));
    for (const [n, frame] of group.entries()) {
      if (isOwn) outcomes.push({ frame, outcome: isNew && n === 0 ? "new" : "shared", imageNo });
      else outcomes.push({ frame, outcome: "refused" });
    }
  }
  return outcomes;
}

/**
 * Writes what frames were published as, and ends their packets: the index has them, or has another's of the same image.
 */
async function store(
  write: Write,
  { ref, manifests, stores }: Publishing,
  outcomes: readonly FrameOutcome[],
): Promise<void> {
  const own = outcomes.flatMap((each) => (each.outcome === "refused" ? [] : [{ ...each, ...each.frame }]));
  const originals = own.filter(({ outcome }) => outcome === "new");
  await setFrames(write, ref.sequenceId, originals);
  await insertRecords(
    write,
    originals.map(({ imageNo, record }) => ({ imageNo, ...recordToPublish(record, []) })),
  );
  await insertAttestations(write, manifests, originals);
  await indexStores(
    write,
    originals.map(({ imageNo }) => ({ imageNo, stores })),
  );
  await setPublished(write, ref.sequenceId, own);
  await releasePackets(
    write,
    originals.map((frame) => frame.packetId),
  );
  const shared = own.filter(({ outcome }) => outcome === "shared");
  const dropped = await dropPackets(
    write,
    shared.map((frame) => frame.packetId),
  );
  if (dropped.length === 0) return;
  await lockAccount(write, ref.accountId);
  await appendCustody(write, dropped);
}
