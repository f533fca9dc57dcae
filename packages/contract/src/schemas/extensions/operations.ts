import { Type } from "typebox";
import { EXAMPLE } from "../examples.ts";
import { hash, instant, nullable, oneOf, resource } from "../values.ts";

/** Why an operator does something, for people; never blank. The store keeps every character but NUL. */
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: "^\\s*[^\\s\\u0000][^\\u0000]*$",
  description: "The reason, in the operator's words.",
});

export const OperationReason = resource(
  "What an operator's act must say.",
  { reason },
  { reason: "An empty form that every member of the agency fills in." },
);
export type OperationReason = Type.Static<typeof OperationReason>;

export const OperationRow = resource(
  "A row of the ledger of operations: what an operator did to the account or an original of it, and why.",
  {
    seq: Type.Integer({ minimum: 1, format: "int64", description: "Position in the account's ledger." }),
    at: instant("When it was done."),
    kind: oneOf("What was done.", ["setAside", "reinstated", "takenDown", "suspended", "resumed"]),
    originalImageHash: nullable(hash("The original it concerned; null where it was the account.")),
    reason,
    previousRowHash: hash("The row hash of the row before this one."),
    rowHash: hash("Hash over this row and the row before it."),
  },
  {
    seq: 1,
    at: EXAMPLE.earlier,
    kind: "setAside",
    originalImageHash: EXAMPLE.originalImageHash,
    reason: "An empty form that every member of the agency fills in.",
    previousRowHash: EXAMPLE.digest,
    rowHash: EXAMPLE.manifestHash,
  },
);
export type OperationRow = Type.Static<typeof OperationRow>;
