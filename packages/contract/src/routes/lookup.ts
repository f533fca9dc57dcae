import type { Route } from "../route.ts";
import { LookupVerdict } from "../schemas/lookup.ts";

export const LOOKUP_ROUTES = [
  {
    operationId: "lookUp",
    method: "POST",
    path: "/lookup",
    tag: "Look-up",
    summary: "Look up one image",
    description:
      "Tells whether any account holds a live registration of the image, or of an original it derives from. Spends one look-up when there is a verdict. The name of the part does not matter; there are no options.",
    auth: "account",
    public: "lookups",
    body: {
      kind: "multipart",
      description: "The query image and nothing else.",
      parts: [{ part: "file", occurs: "once" }],
    },
    answer: { status: 200, description: "The verdict.", schema: LookupVerdict },
    refusals: [
      "malformedRequest",
      "requestTooLarge",
      "imageTooLarge",
      "unsupportedImageContentType",
      "imageCouldNotBeChecked",
      "quotaExceeded",
      "imageCouldNotBeCheckedYet",
      "engineNotConfigured",
    ],
    malformed: ["queryString", "notMultipart", "malformedMultipart", "unexpectedPart", "notOneImage"],
  },
] as const satisfies readonly Route[];
