import { Type } from "typebox";
import { EXAMPLE } from "./examples.ts";
import { count, hash, instant, nullable, oneOf, resource, uuid } from "./values.ts";

const slotStatus = oneOf("Whether the slot still takes commands.", ["open", "committed"]);
const entryState = oneOf("Where the entry stands.", [
  "held",
  "registered",
  "answered",
  "failed",
  "errata",
  "retry",
]);
const slotId = Type.String({ description: "The slot's opaque id." });
const expiresAt = instant("When the slot and all it holds are purged.");

export const OpenedSlot = resource(
  "A registration slot just opened.",
  { slotId, expiresAt },
  { slotId: EXAMPLE.slotId, expiresAt: EXAMPLE.later },
);
export type OpenedSlot = Type.Static<typeof OpenedSlot>;

export const Slot = resource(
  "A registration slot.",
  {
    slotId,
    status: slotStatus,
    entryCount: count("How many entries the slot has, those it will not register included."),
    openedAt: instant("When the slot was opened."),
    expiresAt,
  },
  {
    slotId: EXAMPLE.slotId,
    status: "open",
    entryCount: 2,
    openedAt: EXAMPLE.earlier,
    expiresAt: EXAMPLE.later,
  },
);
export type Slot = Type.Static<typeof Slot>;

export const UploadOutcome = resource(
  "What became of one image part of an upload.",
  {
    partIndex: Type.Integer({ minimum: 1, description: "Position among the request's image parts, from 1." }),
    fileName: nullable(Type.String({ description: "The file name declared on the part." })),
    accepted: Type.Boolean({ description: "Whether the slot now holds the image." }),
    imageHash: nullable(hash("SHA-256 of the image; null on every rejection.")),
    rejectionReason: nullable(Type.String({ description: "Why the image is not held." })),
    registrationRemaining: nullable(count("Registrations left; only on a quota rejection.")),
    lookupRemaining: nullable(count("Look-ups left; only on a quota rejection.")),
    registrationId: nullable(uuid("The caller's own registration that already covers the image.")),
  },
  {
    partIndex: 1,
    fileName: "harbour.jpg",
    accepted: true,
    imageHash: EXAMPLE.imageHash,
    rejectionReason: null,
    registrationRemaining: null,
    lookupRemaining: null,
    registrationId: null,
  },
);
export type UploadOutcome = Type.Static<typeof UploadOutcome>;

export const UploadOutcomes = resource(
  "One outcome per image part, in the order of the request.",
  { outcomes: Type.Array(UploadOutcome) },
  {
    outcomes: [
      {
        partIndex: 1,
        fileName: "harbour.jpg",
        accepted: true,
        imageHash: EXAMPLE.imageHash,
        rejectionReason: null,
        registrationRemaining: null,
        lookupRemaining: null,
        registrationId: null,
      },
      {
        partIndex: 2,
        fileName: "harbour.tiff",
        accepted: false,
        imageHash: null,
        rejectionReason: "Unsupported image content type.",
        registrationRemaining: null,
        lookupRemaining: null,
        registrationId: null,
      },
    ],
  },
);
export type UploadOutcomes = Type.Static<typeof UploadOutcomes>;

export const DeclaredHashes = Type.Object(
  {
    hashes: Type.Optional(nullable(Type.Array(hash("SHA-256 of an image the caller means to send.")))),
  },
  {
    additionalProperties: false,
    description: "The images a caller means to have in the slot; left out or null is an empty list.",
    examples: [{ hashes: [EXAMPLE.imageHash, EXAMPLE.otherImageHash] }],
  },
);
export type DeclaredHashes = Type.Static<typeof DeclaredHashes>;

export const MissingHashes = resource(
  "The declared images that the slot does not have, in the order declared.",
  { missing: Type.Array(hash("SHA-256 of an image to send.")) },
  { missing: [EXAMPLE.otherImageHash] },
);
export type MissingHashes = Type.Static<typeof MissingHashes>;

export const SlotEntry = resource(
  "One image of a slot.",
  {
    imageHash: hash("SHA-256 of the image."),
    manifestsHash: nullable(hash("Digest of the stored manifest list; null when there is none.")),
    byteLength: Type.Integer({ minimum: 0, format: "int64", description: "Length of the image in bytes." }),
    contentType: nullable(Type.String({ description: "The content type declared on the part." })),
    createdAt: instant("When the slot first recorded the image."),
    state: entryState,
    notRegisteredReason: nullable(Type.String({ description: "Why an errata entry will not register." })),
  },
  {
    imageHash: EXAMPLE.imageHash,
    manifestsHash: EXAMPLE.digest,
    byteLength: 482113,
    contentType: "image/jpeg",
    createdAt: EXAMPLE.earlier,
    state: "held",
    notRegisteredReason: null,
  },
);
export type SlotEntry = Type.Static<typeof SlotEntry>;

export const SlotManifest = resource(
  "Every entry of a slot, by image hash.",
  { entries: Type.Array(SlotEntry) },
  {
    entries: [
      {
        imageHash: EXAMPLE.imageHash,
        manifestsHash: null,
        byteLength: 482113,
        contentType: "image/jpeg",
        createdAt: EXAMPLE.earlier,
        state: "held",
        notRegisteredReason: null,
      },
    ],
  },
);
export type SlotManifest = Type.Static<typeof SlotManifest>;

export const CommittedEntry = resource(
  "What a commit made of one entry.",
  {
    imageHash: hash("SHA-256 of the image."),
    state: oneOf("What became of the entry.", ["registered", "errata", "failed", "retry"]),
    registrationId: nullable(uuid("The registration the entry points at, if any.")),
    failureReason: nullable(Type.String({ description: "Why the entry did not register." })),
  },
  {
    imageHash: EXAMPLE.imageHash,
    state: "registered",
    registrationId: EXAMPLE.registrationId,
    failureReason: null,
  },
);
export type CommittedEntry = Type.Static<typeof CommittedEntry>;

export const CommittedSlot = resource(
  "A registration slot just committed, its entries by image hash.",
  {
    slotId,
    status: oneOf("A commit is final.", ["committed"]),
    entries: Type.Array(CommittedEntry),
  },
  {
    slotId: EXAMPLE.slotId,
    status: "committed",
    entries: [
      {
        imageHash: EXAMPLE.imageHash,
        state: "registered",
        registrationId: EXAMPLE.registrationId,
        failureReason: null,
      },
      {
        imageHash: EXAMPLE.otherImageHash,
        state: "errata",
        registrationId: null,
        failureReason: "This image is a derivative of an image that is already registered.",
      },
    ],
  },
);
export type CommittedSlot = Type.Static<typeof CommittedSlot>;

const ProgressCounts = Type.Object(
  {
    total: count("All entries."),
    held: count("Not yet committed."),
    registered: count("Registered; 0 on a look-up slot."),
    answered: count("Answered; 0 on a registration slot."),
    failed: count("Failed for good."),
    errata: count("Will not register; 0 on a look-up slot."),
    retry: count("Could not be answered yet; counted apart from failed and errata."),
  },
  { additionalProperties: false, description: "Entries by state." },
);

const ProgressEntry = Type.Object(
  {
    imageHash: hash("SHA-256 of the image."),
    state: entryState,
    registrationId: nullable(uuid("The registration the entry points at, if any.")),
    failureReason: nullable(Type.String({ description: "Why the entry failed or will not register." })),
  },
  { additionalProperties: false, description: "One entry and its state." },
);

export const Progress = resource(
  "How far a slot has come, its entries by image hash.",
  {
    slotId,
    status: slotStatus,
    counts: ProgressCounts,
    entries: Type.Array(ProgressEntry),
  },
  {
    slotId: EXAMPLE.slotId,
    status: "committed",
    counts: { total: 1, held: 0, registered: 1, answered: 0, failed: 0, errata: 0, retry: 0 },
    entries: [
      {
        imageHash: EXAMPLE.imageHash,
        state: "registered",
        registrationId: EXAMPLE.registrationId,
        failureReason: null,
      },
    ],
  },
);
export type Progress = Type.Static<typeof Progress>;
