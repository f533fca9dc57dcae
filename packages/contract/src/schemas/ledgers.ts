import { Type } from "typebox";
import { EXAMPLE } from "./examples.ts";
import { count, hash, instant, nullable, oneOf, resource, uuid } from "./values.ts";

const chain = {
  previousRowHash: hash("The row hash of the row before this one."),
  rowHash: hash("Hash over this row and the row before it."),
};
const seq = Type.Integer({ minimum: 1, format: "int64", description: "Position in the account's ledger." });
const slotId = nullable(Type.String({ description: "The slot it belonged to." }));
const byteLength = Type.Integer({ minimum: 0, format: "int64", description: "How many bytes." });

export const CustodyRow = resource(
  "A row of the custody ledger: bytes received, derived from, or deleted.",
  {
    seq,
    at: instant("When it happened."),
    kind: oneOf("What happened.", ["received", "derived", "deleted", "deleteUnverified"]),
    subject: oneOf("To what.", ["registrationImage", "queryImage", "frame", "packet"]),
    imageHash: nullable(hash("SHA-256 of the image.")),
    sequenceId: nullable(uuid("The sequence it belonged to.")),
    frameId: nullable(count("The frame it belonged to.")),
    slotId,
    byteLength,
    check: nullable(Type.String({ description: "How a deletion was verified." })),
    ...chain,
  },
  {
    seq: 3,
    at: EXAMPLE.earlier,
    kind: "deleted",
    subject: "registrationImage",
    imageHash: EXAMPLE.imageHash,
    sequenceId: null,
    frameId: null,
    slotId: EXAMPLE.slotId,
    byteLength: 482113,
    check: "zeroed",
    previousRowHash: EXAMPLE.digest,
    rowHash: EXAMPLE.manifestHash,
  },
);
export type CustodyRow = Type.Static<typeof CustodyRow>;

export const UsageRow = resource(
  "A row of the usage ledger: units of a grant spent.",
  {
    seq,
    at: instant("When it was spent."),
    kind: oneOf("What it was spent on.", ["registration", "preCheck", "lookup", "record"]),
    units: Type.Integer({ description: "How many units." }),
    imageHash: nullable(hash("SHA-256 of the image.")),
    originalImageHash: nullable(hash("The original it concerned.")),
    registrationId: nullable(uuid("The registration it made.")),
    slotId,
    ...chain,
  },
  {
    seq: 1,
    at: EXAMPLE.earlier,
    kind: "registration",
    units: 1,
    imageHash: EXAMPLE.imageHash,
    originalImageHash: EXAMPLE.originalImageHash,
    registrationId: EXAMPLE.registrationId,
    slotId: null,
    previousRowHash: EXAMPLE.digest,
    rowHash: EXAMPLE.manifestHash,
  },
);
export type UsageRow = Type.Static<typeof UsageRow>;
