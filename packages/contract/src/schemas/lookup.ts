import { Type } from "typebox";
import { EXAMPLE } from "./examples.ts";
import { hash, instant, nullable, oneOf, resource, uuid } from "./values.ts";

const lookupSlotId = Type.String({ description: "The look-up slot's opaque id." });

const Candidate = Type.Object(
  { registrationId: uuid("A matching registration of the caller's own.") },
  { additionalProperties: false, description: "A registration of the caller's own that matched." },
);

export const LookupVerdict = resource(
  "Whether any account holds a live registration of the image or of an original it derives from.",
  {
    matched: Type.Boolean({ description: "Whether anything matched." }),
    matchedOriginalImageHashes: Type.Array(hash("A key of the records routes."), {
      description: "The originals matched; empty when nothing matched.",
    }),
    candidates: Type.Array(Candidate, { description: "The caller's own matching registrations only." }),
  },
  {
    matched: true,
    matchedOriginalImageHashes: [EXAMPLE.originalImageHash],
    candidates: [{ registrationId: EXAMPLE.registrationId }],
  },
);
export type LookupVerdict = Type.Static<typeof LookupVerdict>;

export const OpenedLookupSlot = resource(
  "A look-up slot just opened.",
  { lookupSlotId, expiresAt: instant("When the slot and all it holds are purged.") },
  { lookupSlotId: EXAMPLE.lookupSlotId, expiresAt: EXAMPLE.later },
);
export type OpenedLookupSlot = Type.Static<typeof OpenedLookupSlot>;

export const LookupQuery = resource(
  "One query image of a look-up slot and its answer.",
  {
    imageHash: hash("SHA-256 of the query image."),
    state: oneOf("Where the query stands.", ["answered", "held", "failed", "retry"]),
    result: nullable(LookupVerdict),
    failureReason: nullable(Type.String({ description: "Why the query was not answered." })),
  },
  {
    imageHash: EXAMPLE.imageHash,
    state: "answered",
    result: {
      matched: true,
      matchedOriginalImageHashes: [EXAMPLE.originalImageHash],
      candidates: [],
    },
    failureReason: null,
  },
);
export type LookupQuery = Type.Static<typeof LookupQuery>;

export const LookupSlotResults = resource(
  "The queries of a look-up slot, by image hash.",
  { lookupSlotId, queries: Type.Array(LookupQuery) },
  {
    lookupSlotId: EXAMPLE.lookupSlotId,
    queries: [
      {
        imageHash: EXAMPLE.imageHash,
        state: "answered",
        result: { matched: false, matchedOriginalImageHashes: [], candidates: [] },
        failureReason: null,
      },
    ],
  },
);
export type LookupSlotResults = Type.Static<typeof LookupSlotResults>;
