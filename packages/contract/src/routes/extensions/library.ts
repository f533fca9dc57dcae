import { Type } from "typebox";
import type { Route } from "../../route.ts";
import { EXAMPLE } from "../../schemas/examples.ts";
import {
  LibraryLookupSlots,
  LibraryRegistration,
  LibraryRegistrations,
  LibrarySequences,
  LibrarySlots,
} from "../../schemas/extensions/library.ts";

const shared = { tag: "Library", auth: "account", method: "GET" } as const;
const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

export const LIBRARY_EXTENSIONS = [
  {
    ...shared,
    operationId: "listRegistrations",
    path: "/library/registrations",
    summary: "List the caller's registrations",
    description:
      "The caller's live registrations, newest first, a page at a time. Frames of sequences are found by `originalImageHash` alone. Carries no image and no manifest body; not charged.",
    query: [
      {
        name: "after",
        description: "The `next` of the page before; left out for the first page.",
        schema: Type.String(),
        example: "MTc5MzYwNzMzMDAwMC42ZjJjMWQ3ZS05MGFiLTRjMzUtOGUxMi0zZDRmNWE2YjdjOGQ",
      },
      {
        name: "limit",
        description: "At most so many registrations on a page.",
        schema: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
        example: 50,
      },
      {
        name: "imageHash",
        description: "Only the registration of these bytes: their SHA-256.",
        schema: hash,
        example: EXAMPLE.imageHash,
      },
      {
        name: "originalImageHash",
        description: "Only the registration, or the frame, whose record is read under this hash.",
        schema: hash,
        example: EXAMPLE.originalImageHash,
      },
    ],
    answer: { status: 200, description: "A page of registrations.", schema: LibraryRegistrations },
    refusals: ["malformedRequest", "invalidDeclaredHash"],
    malformed: ["badLimit", "badCursor", "unknownParameter"],
  },
  {
    ...shared,
    operationId: "getLibraryRegistration",
    path: "/library/registrations/{registrationId}",
    summary: "Read one registration of the caller's",
    description: "One live registration as the list has it. Not charged.",
    answer: { status: 200, description: "The registration.", schema: LibraryRegistration },
    refusals: ["registrationNotFound"],
  },
  {
    ...shared,
    operationId: "listSlots",
    path: "/library/slots",
    summary: "List the caller's open registration slots",
    description: "The open, unexpired ones, newest first.",
    answer: { status: 200, description: "The slots.", schema: LibrarySlots },
    refusals: [],
  },
  {
    ...shared,
    operationId: "listLookupSlots",
    path: "/library/lookup-slots",
    summary: "List the caller's open look-up slots",
    description: "The open, unexpired ones, newest first.",
    answer: { status: 200, description: "The look-up slots.", schema: LibraryLookupSlots },
    refusals: [],
  },
  {
    ...shared,
    operationId: "listSequences",
    path: "/library/sequences",
    summary: "List the caller's unfinished sequences",
    description: "The open and the sealed ones, newest first, each with the verdict on it. Takes no ticket.",
    answer: { status: 200, description: "The sequences.", schema: LibrarySequences },
    refusals: [],
  },
] as const satisfies readonly Route[];
