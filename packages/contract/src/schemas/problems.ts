import { Type } from "typebox";
import { problemType, REFUSALS, type RefusalCode } from "../refusals.ts";
import { SHORTFALLS } from "../refusal.ts";
import { EXAMPLE } from "./examples.ts";
import { count, uuid } from "./values.ts";

const members = {
  type: Type.String({ description: "Stable URN of the condition.", format: "uri" }),
  title: Type.String({ description: "Stable short name of the condition; branch on this." }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: "The HTTP status again." }),
  detail: Type.String({ description: "One fixed sentence; quotes nothing of the request." }),
  traceId: Type.String({ description: "The request's trace identifier." }),
};

/** The members that a code's example shows. */
function sample(code: RefusalCode): Record<string, string | number> {
  const { title, status, details } = REFUSALS[code];
  const [detail = title] = Object.values(details).filter((value) => typeof value === "string");
  return { type: problemType(code), title, status, detail, traceId: EXAMPLE.traceId };
}

function problem(
  description: string,
  code: RefusalCode,
  extensions: Type.TProperties,
  values: object,
): Type.TObject {
  return Type.Object(
    { ...members, ...extensions },
    { additionalProperties: false, description, examples: [{ ...sample(code), ...values }] },
  );
}

const frameId = Type.Optional(count("The frame at fault, where it is one frame's fault."));

export const Problem: Type.TObject = problem("A refusal.", "slotNotFound", {}, {});

export const OpenSlotCapProblem: Type.TObject = problem(
  "A refusal that states the cap reached.",
  "openSlotCapReached",
  { cap: count("Open slots an account may hold.") },
  { cap: 16 },
);

export const OpenSequenceCapProblem: Type.TObject = problem(
  "A refusal that states the cap reached.",
  "openSequenceCapReached",
  { cap: count("Unfinished sequences an account may hold.") },
  { cap: 256 },
);

export const ImageNotRegisteredProblem: Type.TObject = problem(
  "A refusal that names the matching registration when it is the caller's own.",
  "imageNotRegistered",
  { registrationId: Type.Optional(uuid("The caller's own matching registration.")) },
  { registrationId: EXAMPLE.registrationId },
);

export const QuotaProblem: Type.TObject = problem(
  "A refusal that states what is left of both grants.",
  "quotaExceeded",
  { registrationRemaining: count("Registrations left."), lookupRemaining: count("Look-ups left.") },
  { registrationRemaining: 0, lookupRemaining: 12 },
);

export const FrameProblem: Type.TObject = problem(
  "A refusal that names the frame at fault.",
  "frameConflict",
  { frameId },
  { frameId: 4 },
);

export const NotCommittableProblem: Type.TObject = problem(
  "A refusal that names all that a sequence lacks.",
  "sequenceNotCommittable",
  { shortfalls: Type.Array(Type.Enum([...SHORTFALLS], { type: "string" }), { minItems: 1 }) },
  { shortfalls: ["gap", "notConnected"] },
);
