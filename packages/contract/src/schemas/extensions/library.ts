import { Type } from "typebox";
import { EXAMPLE } from "../examples.ts";
import { SequenceProgress } from "../sequences.ts";
import { Slot } from "../slots.ts";
import { count, hash, instant, nullable, oneOf, resource, uuid } from "../values.ts";

const LibraryManifest = Type.Object(
  {
    type: Type.String({ description: "The manifest's kind, exactly as stated." }),
    form: oneOf("What its payload is.", ["json", "jumbf"]),
  },
  { additionalProperties: false, description: "A manifest registered with the image, without its body." },
);

export const LibraryRegistration = resource(
  "A live registration of the caller's, or a published frame of a sequence of the caller's.",
  {
    registrationId: nullable(uuid("The registration's id; null for a frame.")),
    imageHash: hash("SHA-256 of the bytes posted."),
    originalImageHash: hash("The hash under which the image's record is read."),
    registeredAt: instant("When it was registered."),
    manifests: Type.Array(LibraryManifest, { description: "In the order registered." }),
    source: oneOf("How it was registered.", ["single", "slot", "sequence"]),
    sequenceId: nullable(uuid("A frame's sequence; null for anything else.")),
    frameId: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 4294967294,
        description: "The frame's identity; null for anything else.",
      }),
    ),
  },
  {
    registrationId: EXAMPLE.registrationId,
    imageHash: EXAMPLE.imageHash,
    originalImageHash: EXAMPLE.originalImageHash,
    registeredAt: EXAMPLE.earlier,
    manifests: [{ type: "cawg.training-mining", form: "json" }],
    source: "single",
    sequenceId: null,
    frameId: null,
  },
);
export type LibraryRegistration = Type.Static<typeof LibraryRegistration>;

const registration: LibraryRegistration = {
  registrationId: EXAMPLE.registrationId,
  imageHash: EXAMPLE.imageHash,
  originalImageHash: EXAMPLE.originalImageHash,
  registeredAt: EXAMPLE.earlier,
  manifests: [],
  source: "slot",
  sequenceId: null,
  frameId: null,
};

export const LibraryRegistrations = resource(
  "A page of the caller's registrations, newest first.",
  {
    registrations: Type.Array(LibraryRegistration),
    next: nullable(Type.String({ description: "The cursor of the next page; null on the last one." })),
  },
  { registrations: [registration], next: null },
);
export type LibraryRegistrations = Type.Static<typeof LibraryRegistrations>;

export const LibrarySlots = resource(
  "The caller's open registration slots, newest first.",
  { slots: Type.Array(Slot) },
  {
    slots: [
      {
        slotId: EXAMPLE.slotId,
        status: "open",
        entryCount: 2,
        openedAt: EXAMPLE.earlier,
        expiresAt: EXAMPLE.later,
      },
    ],
  },
);
export type LibrarySlots = Type.Static<typeof LibrarySlots>;

const LibraryLookupSlot = Type.Object(
  {
    lookupSlotId: Type.String({ description: "The look-up slot's opaque id." }),
    entryCount: count("How many queries the slot has."),
    openedAt: instant("When the slot was opened."),
    expiresAt: instant("When the slot and all it holds are purged."),
  },
  { additionalProperties: false, description: "An open look-up slot of the caller's." },
);

export const LibraryLookupSlots = resource(
  "The caller's open look-up slots, newest first.",
  { lookupSlots: Type.Array(LibraryLookupSlot) },
  {
    lookupSlots: [
      {
        lookupSlotId: EXAMPLE.lookupSlotId,
        entryCount: 12,
        openedAt: EXAMPLE.earlier,
        expiresAt: EXAMPLE.later,
      },
    ],
  },
);
export type LibraryLookupSlots = Type.Static<typeof LibraryLookupSlots>;

const LibrarySequence = Type.Object(
  { sequenceId: uuid("The sequence's id."), ...SequenceProgress.properties },
  { additionalProperties: false, description: "An open or sealed sequence of the caller's." },
);

export const LibrarySequences = resource(
  "The caller's open and sealed sequences, newest first.",
  { sequences: Type.Array(LibrarySequence) },
  {
    sequences: [
      {
        sequenceId: EXAMPLE.sequenceId,
        state: "open",
        framesReceived: 3,
        expectedSize: 4,
        reach: 2,
        gaps: [],
        errata: [],
        connected: false,
      },
    ],
  },
);
export type LibrarySequences = Type.Static<typeof LibrarySequences>;
