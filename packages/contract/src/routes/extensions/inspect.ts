import type { Route } from "../../route.ts";
import { Inspection } from "../../schemas/extensions/inspection.ts";
import { LOOKUP_ROUTES } from "../lookup.ts";

const [{ body, refusals, malformed }] = LOOKUP_ROUTES;

export const INSPECT_EXTENSIONS = [
  {
    operationId: "inspect",
    method: "POST",
    path: "/inspect",
    tag: "Look-up",
    summary: "Look up one image and say where each original lies",
    description:
      "The look-up of `POST /lookup`, with its price and its originals in their order: for each one its relation to the query, where it shows in the query, which part of it shows, and which of the caller's own registrations or frames it is. No score is answered. Spends one look-up when there is a verdict.",
    auth: "account",
    public: "lookups",
    setting: "COLOPHON_INSPECT",
    body,
    answer: { status: 200, description: "The verdict with its places.", schema: Inspection },
    refusals: [...refusals, "tooManyRequests"],
    malformed,
  },
] as const satisfies readonly Route[];
