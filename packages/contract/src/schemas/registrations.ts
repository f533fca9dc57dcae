import { Type } from "typebox";
import { EXAMPLE } from "./examples.ts";
import { hash, resource, uuid } from "./values.ts";

export const Registration = resource(
  "One registered image.",
  {
    id: uuid("The registration's id."),
    imageHash: hash("SHA-256 of the bytes posted."),
    originalImageHash: hash("The hash under which the image's record is read."),
    engineRecord: Type.String({ description: "The engine's provenance document; opaque." }),
  },
  {
    id: EXAMPLE.registrationId,
    imageHash: EXAMPLE.imageHash,
    originalImageHash: EXAMPLE.originalImageHash,
    engineRecord: "eyJhbGciOiJFZERTQSJ9.eyJvcmlnaW5hbCI6ImExYjcifQ.c2lnbmF0dXJl",
  },
);
export type Registration = Type.Static<typeof Registration>;
