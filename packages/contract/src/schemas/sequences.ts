import { Type } from "typebox";
import { EXAMPLE } from "./examples.ts";
import { base64, count, hash, instant, nullable, oneOf, resource, uuid } from "./values.ts";

const frameId = Type.Integer({ minimum: 0, maximum: 4294967294, description: "The frame's identity." });
const expectedSize = Type.Integer({ minimum: 1, description: "Advisory; never compared with a limit." });
const sequenceId = uuid("The sequence's id.");

export const OpenedSequence = resource(
  "A sequence just opened.",
  {
    sequenceId,
    headFrame: base64("The HEAD frame minted for the sequence."),
    ticket: Type.String({ description: "Opaque; sent as X-Sequence-Ticket with every further call." }),
  },
  {
    sequenceId: EXAMPLE.sequenceId,
    headFrame: "iVBYCgEBAAAqnUxr6BNPV7CibRyej3BTAAAAAP//////////",
    ticket: "Kp0fT2xYb7QmVw4sZc9hLr1nUe6aJd3gXo8iSy5tBvE",
  },
);
export type OpenedSequence = Type.Static<typeof OpenedSequence>;

const GapRange = Type.Object(
  {
    from: Type.Integer({ minimum: 0, description: "First missing frame id." }),
    to: Type.Integer({ minimum: 0, description: "Last missing frame id." }),
  },
  { additionalProperties: false, description: "A range of missing frame ids." },
);

const ErrataFrame = Type.Object(
  { frameId, originalImageHash: hash("The registered original that the frame matched.") },
  { additionalProperties: false, description: "A BODY frame that matched a registered original." },
);

export const SequenceProgress = resource(
  "The verdict on a sequence as it stands.",
  {
    state: oneOf("Where the sequence stands.", ["open", "sealed", "committed", "abandoned"]),
    framesReceived: count("BODY frames held."),
    expectedSize: nullable(expectedSize),
    reach: count("Highest frame id reached from HEAD without a gap."),
    gaps: Type.Array(GapRange),
    errata: Type.Array(ErrataFrame),
    connected: Type.Boolean({ description: "Whether the walk from HEAD reaches END without a gap." }),
  },
  {
    state: "sealed",
    framesReceived: 3,
    expectedSize: 4,
    reach: 2,
    gaps: [{ from: 3, to: 3 }],
    errata: [],
    connected: false,
  },
);
export type SequenceProgress = Type.Static<typeof SequenceProgress>;

const AdmittedFrame = Type.Object(
  { frameId, errata: Type.Boolean({ description: "Whether it matched a registered original." }) },
  { additionalProperties: false, description: "A frame just admitted." },
);

export const AdmittedFrames = resource(
  "The frames of the batch, in the order sent.",
  {
    frames: Type.Array(AdmittedFrame),
    verdict: nullable(SequenceProgress),
  },
  { frames: [{ frameId: 1, errata: false }], verdict: null },
);
export type AdmittedFrames = Type.Static<typeof AdmittedFrames>;

const CommittedFrame = Type.Object(
  {
    frameId,
    state: oneOf("What became of the frame.", ["published", "alreadyPublished", "notPublished"]),
    originalImageHash: nullable(hash("The hash under which the frame's record is read.")),
    refusalName: nullable(Type.String({ description: "The engine's name for its refusal." })),
  },
  { additionalProperties: false, description: "A BODY frame and what became of it." },
);

export const CommittedSequence = resource(
  "What a commit made of the sequence, its frames in walk order.",
  {
    sequenceHash: nullable(hash("Hash over the published frames; null while incomplete.")),
    outcome: oneOf("How far the commit came.", ["registered", "alreadyRegistered", "incomplete"]),
    sequenceRecordPublished: Type.Boolean({ description: "Whether the sequence's own record is published." }),
    frames: Type.Array(CommittedFrame),
  },
  {
    sequenceHash: EXAMPLE.digest,
    outcome: "registered",
    sequenceRecordPublished: true,
    frames: [
      {
        frameId: 1,
        state: "published",
        originalImageHash: EXAMPLE.originalImageHash,
        refusalName: null,
      },
    ],
  },
);
export type CommittedSequence = Type.Static<typeof CommittedSequence>;

const MintedGap = Type.Object(
  {
    from: Type.Integer({ minimum: 0, description: "First missing frame id." }),
    to: Type.Integer({ minimum: 0, description: "Last missing frame id." }),
    gapFrame: base64("The GAP frame minted for the range."),
  },
  { additionalProperties: false, description: "A range of missing frame ids and its GAP frame." },
);

export const SequenceGaps = resource(
  "One minted GAP frame per missing range.",
  { gaps: Type.Array(MintedGap) },
  { gaps: [{ from: 3, to: 3, gapFrame: "iVBYCgEEAAEqnUxr6BNPV7CibRyej3BTAAAAAwAAAAIAAAAE" }] },
);
export type SequenceGaps = Type.Static<typeof SequenceGaps>;

export const SequenceResults = resource(
  "The record of a committed sequence.",
  {
    sequenceHash: hash("Hash over the published frames."),
    outcome: oneOf("How the sequence was registered.", ["registered", "alreadyRegistered"]),
    finalSize: count("BODY frames of the sequence."),
    committedAt: instant("When the sequence was committed."),
  },
  { sequenceHash: EXAMPLE.digest, outcome: "registered", finalSize: 3, committedAt: EXAMPLE.later },
);
export type SequenceResults = Type.Static<typeof SequenceResults>;

export const ExpectedSizeRequest = resource(
  "The size a caller now expects.",
  { expectedSize },
  { expectedSize: 240 },
);
export type ExpectedSizeRequest = Type.Static<typeof ExpectedSizeRequest>;

export const AbandonedSequence = resource(
  "A sequence just abandoned.",
  {
    sequenceId,
    state: oneOf("An abandoned sequence takes no further command.", ["abandoned"]),
    packetsPurged: count("Registration packets deleted with it."),
  },
  { sequenceId: EXAMPLE.sequenceId, state: "abandoned", packetsPurged: 3 },
);
export type AbandonedSequence = Type.Static<typeof AbandonedSequence>;
